#include "http/response_reader.h"

#include <algorithm>
#include <charconv>

namespace tailrace {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// The number in "HTTP/1.1 404 Not Found"; 0 where there is none.
int StatusOfLine(std::string_view line) {
  const size_t blank = line.find(' ');
  if (blank == line.npos) return 0;
  const std::string_view digits = Trim(line.substr(blank)).substr(0, 3);
  int status = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), status);
  return status;
}

// Beyond this the announced length is not believed before the bytes are there.
constexpr int64_t kMaxReservedBytes = int64_t{64} << 20;

}  // namespace

bool ResponseReader::AddHeaderLine(std::string_view line) {
  received_bytes_ += static_cast<int64_t>(line.size());
  header_bytes_ += static_cast<int64_t>(line.size());
  if (header_bytes_ > kMaxHeaderBytes) {
    return Fail(ErrorKind::kLimit, "the answer has more than " + std::to_string(kMaxHeaderBytes) + " bytes of headers");
  }
  if (line.starts_with("HTTP/")) {
    response_ = {};
    head_complete_ = false;
    response_.status = StatusOfLine(line);
    if (response_.status < 100) return Fail(ErrorKind::kInvalid, "malformed answer: no status in its first line");
    return true;
  }
  if (head_complete_) return true;
  if (Trim(line).empty()) {
    head_complete_ = true;
    return true;
  }
  const size_t colon = line.find(':');
  // Folded lines are obsolete (RFC 9112, section 5.2) and none of the headers that matter was ever folded.
  if (colon == line.npos || line.front() == ' ' || line.front() == '\t') return true;
  response_.headers.Add(std::string(Trim(line.substr(0, colon))), std::string(Trim(line.substr(colon + 1))));
  return true;
}

bool ResponseReader::AddBody(std::string_view bytes) {
  const int64_t size = static_cast<int64_t>(response_.body.size() + bytes.size());
  if (size > max_body_) {
    return Fail(ErrorKind::kLimit, "the answer is longer than " + std::to_string(max_body_) + " bytes");
  }
  if (response_.body.empty()) {
    int64_t announced = 0;
    const std::string length = response_.headers.Get("content-length").value_or("");
    std::from_chars(length.data(), length.data() + length.size(), announced);
    announced = std::min({announced, max_body_, kMaxReservedBytes});
    if (announced > size) response_.body.reserve(static_cast<size_t>(announced));
  }
  received_bytes_ += static_cast<int64_t>(bytes.size());
  response_.body.append(bytes);
  return true;
}

bool ResponseReader::Fail(ErrorKind kind, std::string_view what) {
  failure_ = MakeError(kind, target_ + ": " + std::string(what));
  return false;
}

}  // namespace tailrace
