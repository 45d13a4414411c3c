#include "base/uuid.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace tailrace {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

void FillRandom(std::span<uint8_t> bytes) {
  // Up to 256 bytes come whole or not at all.
  while (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    if (errno == EINTR) continue;
    // A kernel without getrandom (before 3.17): without unique ids no write could be told from another.
    std::perror("tailrace: getrandom");
    std::abort();
  }
}

void AppendHex(std::span<const uint8_t> bytes, std::string* out) {
  for (uint8_t byte : bytes) {
    out->push_back(kHexDigits[byte >> 4]);
    out->push_back(kHexDigits[byte & 15]);
  }
}

}  // namespace

WriteId MakeWriteId(Timestamp now) {
  const auto since_epoch = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  const auto milliseconds = static_cast<uint64_t>(since_epoch.count());
  std::array<uint8_t, 16> id;
  FillRandom(id);
  for (int i = 0; i < 6; ++i) id[i] = static_cast<uint8_t>(milliseconds >> (40 - 8 * i));
  id[6] = 0x70 | (id[6] & 0x0f);  // version 7
  id[8] = 0x80 | (id[8] & 0x3f);  // variant of RFC 9562
  WriteId result;
  int at = 0;
  for (int length : {4, 2, 2, 2, 6}) {
    if (at > 0) result.text.push_back('-');
    AppendHex(std::span(id).subspan(at, length), &result.text);
    at += length;
  }
  return result;
}

std::string MakeInstanceId() {
  std::array<uint8_t, 16> id;
  FillRandom(id);
  std::string text;
  AppendHex(id, &text);
  return text;
}

}  // namespace tailrace
