// The XML that S3 speaks: writing, and times.
#pragma once

#include <string>
#include <string_view>

#include "tailrace/object.h"

namespace tailrace {

// A document with one root element, which names S3's namespace. Elements are written in the order of the calls.
class S3Xml {
 public:
  explicit S3Xml(std::string root, bool with_namespace = true);
  S3Xml& Open(const std::string& name);
  S3Xml& Close(const std::string& name);
  S3Xml& Add(const std::string& name, std::string_view text);
  std::string Take() &&;

 private:
  const std::string root_;
  std::string text_;
};

std::string IsoTime(Timestamp time);   // 2026-01-02T03:04:05.678Z
std::string HttpTime(Timestamp time);  // Fri, 02 Jan 2026 03:04:05 GMT

}  // namespace tailrace
