#include "encode/utf8.h"

#include <cstdint>
#include <cstring>

#include <arrow/util/utf8.h>

namespace tailrace {

bool IsUtf8(std::string_view text) {
  static const bool initialized = (arrow::util::InitializeUTF8(), true);
  return initialized && (IsAscii(text) || arrow::util::ValidateUTF8(text));
}

bool IsAscii(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080u;
  const char* data = text.data();
  size_t left = text.size();
  // Blocks without a branch inside, which the compiler turns into vector instructions.
  for (; left >= 256; data += 256, left -= 256) {
    uint64_t words[32];
    std::memcpy(words, data, sizeof(words));
    uint64_t all = 0;
    for (uint64_t word : words) all |= word;
    if ((all & kHighBits) != 0) return false;
  }
  uint8_t all = 0;
  for (; left > 0; ++data, --left) all |= static_cast<uint8_t>(*data);
  return all < 0x80;
}

std::string Printable(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  const bool utf8 = IsUtf8(text);
  std::string out;
  for (char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !utf8)) {
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace tailrace
