#include "base/crc64_kernels.h"

#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tailrace::crc64 {
namespace {

static_assert(std::endian::native == std::endian::little, "the kernels load words in little-endian order");

using Tables = std::array<std::array<uint64_t, 256>, 8>;

// kTables[k][b]: the register after byte b and k zero bytes, started at 0.
constexpr Tables MakeTables() {
  Tables tables{};
  for (uint64_t byte = 0; byte < 256; ++byte) {
    uint64_t reg = byte;
    for (int bit = 0; bit < 8; ++bit) reg = TimesX(reg);
    tables[0][byte] = reg;
  }
  for (int k = 1; k < 8; ++k) {
    for (int byte = 0; byte < 256; ++byte) {
      const uint64_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 255];
    }
  }
  return tables;
}
constexpr Tables kTables = MakeTables();

}  // namespace

uint64_t UpdateByTable(uint64_t reg, const uint8_t* data, size_t size) {
  for (; size >= 8; data += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    word ^= reg;
    reg = 0;
    for (int i = 0; i < 8; ++i) reg ^= kTables[7 - i][(word >> (8 * i)) & 255];
  }
  for (; size > 0; ++data, --size) reg = (reg >> 8) ^ kTables[0][(reg ^ *data) & 255];
  return reg;
}

#if defined(__x86_64__)

namespace {

constexpr int kAccumulators = 8;
constexpr size_t kBlock = 16;  // bytes in one accumulator

// x^n modulo the polynomial.
constexpr uint64_t PowerOfX(int n) {
  uint64_t power = uint64_t{1} << 63;
  for (int i = 0; i < n; ++i) power = TimesX(power);
  return power;
}

// What moves a 128-bit accumulator `bits` towards the end. Its low half stands 64 bits before its high half,
// and a carry-less product of two reflected words comes out one bit too far.
struct Fold {
  uint64_t low;
  uint64_t high;
};
constexpr Fold FoldBy(int bits) { return {PowerOfX(bits + 63), PowerOfX(bits - 1)}; }
constexpr Fold kFoldOne = FoldBy(8 * kBlock);
constexpr Fold kFoldAll = FoldBy(8 * kBlock * kAccumulators);

#define TAILRACE_CLMUL __attribute__((target("pclmul,sse4.1")))

TAILRACE_CLMUL inline __m128i Load(const uint8_t* data) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}

TAILRACE_CLMUL inline __m128i Constants(Fold fold) {
  return _mm_set_epi64x(static_cast<int64_t>(fold.high), static_cast<int64_t>(fold.low));
}

TAILRACE_CLMUL inline __m128i FoldInto(__m128i accumulator, __m128i constants, __m128i next) {
  const __m128i low = _mm_clmulepi64_si128(accumulator, constants, 0x00);
  const __m128i high = _mm_clmulepi64_si128(accumulator, constants, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

}  // namespace

TAILRACE_CLMUL uint64_t UpdateByClmul(uint64_t reg, const uint8_t* data, size_t size) {
  if (size < kBlock) return UpdateByTable(reg, data, size);
  const __m128i fold_one = Constants(kFoldOne);
  const __m128i start = _mm_cvtsi64_si128(static_cast<int64_t>(reg));
  __m128i folded;
  if (size < kBlock * kAccumulators) {
    folded = _mm_xor_si128(Load(data), start);
    data += kBlock;
    size -= kBlock;
  } else {
    // Independent accumulators, because a multiplication takes several cycles and one can start each cycle.
    const __m128i fold_all = Constants(kFoldAll);
    __m128i lanes[kAccumulators];
    for (int i = 0; i < kAccumulators; ++i) lanes[i] = Load(data + i * kBlock);
    lanes[0] = _mm_xor_si128(lanes[0], start);
    data += kBlock * kAccumulators;
    size -= kBlock * kAccumulators;
    for (; size >= kBlock * kAccumulators; data += kBlock * kAccumulators, size -= kBlock * kAccumulators) {
      for (int i = 0; i < kAccumulators; ++i) lanes[i] = FoldInto(lanes[i], fold_all, Load(data + i * kBlock));
    }
    folded = lanes[0];
    for (int i = 1; i < kAccumulators; ++i) folded = FoldInto(folded, fold_one, lanes[i]);
  }
  for (; size >= kBlock; data += kBlock, size -= kBlock) folded = FoldInto(folded, fold_one, Load(data));
  // The accumulator stands for all bytes so far: its 16 bytes have the register that they have.
  uint8_t last[kBlock];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(last), folded);
  return UpdateByTable(UpdateByTable(0, last, kBlock), data, size);
}

bool HasClmul() {
  static const bool has = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return has;
}

#else

uint64_t UpdateByClmul(uint64_t reg, const uint8_t* data, size_t size) { return UpdateByTable(reg, data, size); }
bool HasClmul() { return false; }

#endif

}  // namespace tailrace::crc64
