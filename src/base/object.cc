#include "tailrace/object.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
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

bool PartLengths::valid() const {
  if (part_size_bytes < 1) return false;
  if (!grows()) return step_parts == 0 && growth_bytes == 0 && largest_bytes == 0;
  constexpr int64_t kLongest = int64_t{1} << 62;
  return growth_bytes >= 1 && largest_bytes >= part_size_bytes && largest_bytes <= kLongest;
}

// The first step whose parts are the largest.
int64_t PartLengths::StepsToLargest() const {
  const int64_t growth = largest_bytes - part_size_bytes;
  const int64_t squared = growth / growth_bytes + (growth % growth_bytes > 0 ? 1 : 0);
  auto steps = static_cast<int64_t>(std::sqrt(static_cast<double>(squared)));
  while (steps * steps < squared) ++steps;
  while (steps > 0 && (steps - 1) * (steps - 1) >= squared) --steps;
  return steps;
}

int64_t PartLengths::LengthOfStep(int64_t step) const {
  if (!grows()) return part_size_bytes;
  return step >= StepsToLargest() ? largest_bytes : part_size_bytes + growth_bytes * step * step;
}

int64_t PartLengths::LengthOf(int number) const {
  assert(valid() && number >= 1);
  return LengthOfStep(grows() ? (number - 1) / step_parts : 0);
}

int64_t PartLengths::OffsetOf(int number) const {
  assert(number >= 1);
  return BytesOf(number - int64_t{1});
}

int64_t PartLengths::BytesOf(int64_t parts) const {
  assert(valid() && parts >= 0);
  using Wide = __int128;
  Wide bytes = 0;
  if (grows()) {
    const Wide steps = parts / step_parts;
    const Wide growing = std::min<Wide>(steps, StepsToLargest());
    const Wide squares = growing == 0 ? 0 : (growing - 1) * growing * (2 * growing - 1) / 6;
    bytes = step_parts * (growing * part_size_bytes + squares * growth_bytes + (steps - growing) * largest_bytes) +
            Wide{parts % step_parts} * LengthOfStep(parts / step_parts);
  } else {
    bytes = Wide{parts} * part_size_bytes;
  }
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return bytes > kMost ? kMost : static_cast<int64_t>(bytes);
}

int64_t PartLengths::PartsFor(int64_t total_bytes) const {
  assert(valid() && total_bytes >= 0);
  // None is shorter than the first.
  int64_t enough = total_bytes / part_size_bytes + (total_bytes % part_size_bytes > 0 ? 1 : 0);
  if (!grows()) return enough;
  for (int64_t too_few = 0; enough - too_few > 1;) {
    const int64_t middle = too_few + (enough - too_few) / 2;
    (BytesOf(middle) >= total_bytes ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace tailrace
