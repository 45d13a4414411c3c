// The answer as it comes in: header lines, then the body.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/transport.h"

namespace tailrace {

// Not thread-safe. After a false return the exchange is over and `failure` says why.
class ResponseReader {
 public:
  // Names the answer in messages: "GET https://host/path".
  ResponseReader(std::string target, int64_t max_body_bytes) : target_(std::move(target)), max_body_(max_body_bytes) {}

  // One line with its line end. A status line begins anew: informational answers (1xx) come before the final one, and
  // trailers after the body are left out, since nothing that is asked for travels in them.
  bool AddHeaderLine(std::string_view line);
  bool AddBody(std::string_view bytes);

  // The first line of the final answer was seen.
  bool started() const { return response_.status >= 200; }
  // All of its headers were seen.
  bool head_complete() const { return head_complete_; }
  const Status& failure() const { return failure_; }
  // REQUIRES: the exchange has ended well. The reader is empty afterwards.
  HttpResponse Take() { return std::move(response_); }
  int64_t received_bytes() const { return received_bytes_; }

  // More than servers, proxies and metadata limits (S3: 8 KiB) ever need.
  static constexpr int64_t kMaxHeaderBytes = 256 << 10;

 private:
  bool Fail(ErrorKind kind, std::string_view what);

  const std::string target_;
  const int64_t max_body_;
  HttpResponse response_;
  bool head_complete_ = false;
  int64_t header_bytes_ = 0;
  int64_t received_bytes_ = 0;
  Status failure_;
};

}  // namespace tailrace
