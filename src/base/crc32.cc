#include "base/crc32.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace tailrace {
namespace {

// Slicing by 8: [k][b] is what byte b, k bytes before the end of a group of eight, adds.
using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables MakeTables(uint32_t polynomial) {
  Tables tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 255];
  }
  return tables;
}

constexpr Tables kIso = MakeTables(0xedb88320);
constexpr Tables kCastagnoli = MakeTables(0x82f63b78);

uint32_t ByTables(const Tables& tables, const void* data, size_t size, uint32_t crc) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  crc = ~crc;
  for (; size >= 8; bytes += 8, size -= 8) {
    uint32_t low, high;
    std::memcpy(&low, bytes, 4);
    std::memcpy(&high, bytes + 4, 4);
    low ^= crc;
    crc = 0;
    for (size_t k = 0; k < 4; ++k) {
      crc ^= tables[7 - k][low >> (8 * k) & 255] ^ tables[3 - k][high >> (8 * k) & 255];
    }
  }
  for (; size > 0; ++bytes, --size) crc = (crc >> 8) ^ tables[0][(crc ^ *bytes) & 255];
  return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t ByInstruction(const void* data, size_t size, uint32_t crc) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  uint64_t wide = static_cast<uint32_t>(~crc);
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  auto narrow = static_cast<uint32_t>(wide);
  for (; size > 0; ++bytes, --size) narrow = _mm_crc32_u8(narrow, *bytes);
  return ~narrow;
}
#endif

}  // namespace

uint32_t Crc32(const void* data, size_t size, uint32_t crc) { return ByTables(kIso, data, size, crc); }

uint32_t Crc32cPortable(const void* data, size_t size, uint32_t crc) { return ByTables(kCastagnoli, data, size, crc); }

uint32_t Crc32c(const void* data, size_t size, uint32_t crc) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return ByInstruction(data, size, crc);
#endif
  return Crc32cPortable(data, size, crc);
}

}  // namespace tailrace
