#include "testing/s3_server/s3_xml.h"

#include <cstdio>
#include <ctime>
#include <utility>

namespace tailrace {
namespace {

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\r':
        escaped += "&#13;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Format(Timestamp time, const char* format) {
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

}  // namespace

S3Xml::S3Xml(std::string root, bool with_namespace) : root_(std::move(root)) {
  text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<" + root_;
  text_ += with_namespace ? " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" : ">";
}

S3Xml& S3Xml::Open(const std::string& name) {
  text_ += "<" + name + ">";
  return *this;
}

S3Xml& S3Xml::Close(const std::string& name) {
  text_ += "</" + name + ">";
  return *this;
}

S3Xml& S3Xml::Add(const std::string& name, std::string_view text) {
  text_ += "<" + name + ">" + Escape(text) + "</" + name + ">";
  return *this;
}

std::string S3Xml::Take() && { return std::move(text_) + "</" + root_ + ">"; }

std::string IsoTime(Timestamp time) {
  const int64_t micros = time.time_since_epoch().count();
  char millis[8];
  std::snprintf(millis, sizeof millis, ".%03dZ", static_cast<int>(micros / 1000 % 1000));
  return Format(time, "%Y-%m-%dT%H:%M:%S") + millis;
}

std::string HttpTime(Timestamp time) { return Format(time, "%a, %d %b %Y %H:%M:%S GMT"); }

}  // namespace tailrace
