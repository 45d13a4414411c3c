#include "tailrace/object.h"

#include <cassert>
#include <string_view>

namespace tailrace {
namespace {

bool IsLowerHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// RFC 3986: what may stand in a path as it is ("pchar" and "/").
bool IsPathCharacter(unsigned char c) {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
  return std::string_view("-._~!$&'()*+,;=:@/").find(static_cast<char>(c)) != std::string_view::npos;
}

void AppendPercentEncoded(std::string_view text, std::string* out) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  for (unsigned char c : text) {
    if (IsPathCharacter(c)) {
      out->push_back(static_cast<char>(c));
    } else {
      out->push_back('%');
      out->push_back(kHexDigits[c >> 4]);
      out->push_back(kHexDigits[c & 15]);
    }
  }
}

}  // namespace

std::string Target::ToUrl() const {
  std::string url = kind + "://";
  AppendPercentEncoded(bucket, &url);
  url.push_back('/');
  AppendPercentEncoded(key, &url);
  return url;
}

std::optional<Timestamp> WriteId::Time() const {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-7xxx-vxxx-xxxxxxxxxxxx";
  if (text.size() != kShape.size()) return std::nullopt;
  int64_t milliseconds = 0;
  for (size_t i = 0; i < kShape.size(); ++i) {
    const char c = text[i];
    const bool good = kShape[i] == 'x'   ? IsLowerHex(c)
                      : kShape[i] == 'v' ? (c == '8' || c == '9' || c == 'a' || c == 'b')
                                         : c == kShape[i];
    if (!good) return std::nullopt;
    constexpr size_t kTimeEnd = 13;  // 12 digits and a dash
    if (i < kTimeEnd && c != '-') milliseconds = milliseconds * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return Timestamp(std::chrono::milliseconds(milliseconds));
}

int64_t PartLengths::LengthOf(int number) const {
  assert(number >= 1);
  (void)number;
  return part_size_bytes;
}

int64_t PartLengths::OffsetOf(int number) const {
  assert(number >= 1);
  return (number - int64_t{1}) * part_size_bytes;
}

int64_t PartLengths::PartsFor(int64_t total_bytes) const {
  assert(part_size_bytes > 0 && total_bytes >= 0);
  return total_bytes / part_size_bytes + (total_bytes % part_size_bytes > 0 ? 1 : 0);
}

}  // namespace tailrace
