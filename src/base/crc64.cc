#include "base/crc64.h"

#include <array>

#include "base/crc64_kernels.h"

namespace tailrace {
namespace {

// a * b, modulo the polynomial.
constexpr uint64_t Times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  for (; a != 0; a <<= 1, b = crc64::TimesX(b)) {
    if ((a >> 63) != 0) product ^= b;
  }
  return product;
}

// [k]: `base` to the power of 2^k.
constexpr std::array<uint64_t, 64> SquaresOf(uint64_t base) {
  std::array<uint64_t, 64> powers{};
  for (uint64_t& power : powers) {
    power = base;
    base = Times(base, base);
  }
  return powers;
}

constexpr uint64_t kOne = uint64_t{1} << 63;  // x^0

// x^8 and x^-8: one byte on, one byte back.
constexpr uint64_t ByteOn() {
  uint64_t power = kOne;
  for (int i = 0; i < 8; ++i) power = crc64::TimesX(power);
  return power;
}
constexpr uint64_t ByteBack() {
  uint64_t power = kOne;
  for (int i = 0; i < 8; ++i) power = crc64::OverX(power);
  return power;
}
static_assert(Times(ByteOn(), ByteBack()) == kOne);

constexpr std::array<uint64_t, 64> kBytesOn = SquaresOf(ByteOn());
constexpr std::array<uint64_t, 64> kBytesBack = SquaresOf(ByteBack());

// `crc` times base^n, where powers = SquaresOf(base).
uint64_t Shift(uint64_t crc, const std::array<uint64_t, 64>& powers, uint64_t n) {
  for (int k = 0; n != 0; ++k, n >>= 1) {
    if ((n & 1) != 0) crc = Times(crc, powers[k]);
  }
  return crc;
}

}  // namespace

uint64_t Crc64Nvme(const void* data, size_t size, uint64_t crc) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  const uint64_t reg = crc64::HasClmul() ? crc64::UpdateByClmul(~crc, bytes, size)  //
                                         : crc64::UpdateByTable(~crc, bytes, size);
  return ~reg;
}

// Initial value and final xor cancel out: crc(AB) = crc(A) * x^(8 * size_b) + crc(B), where + is xor.
uint64_t Crc64Combine(uint64_t crc_a, uint64_t crc_b, uint64_t size_b) {
  return Shift(crc_a, kBytesOn, size_b) ^ crc_b;
}

uint64_t Crc64Suffix(uint64_t crc_ab, uint64_t crc_a, uint64_t size_b) {
  return crc_ab ^ Shift(crc_a, kBytesOn, size_b);
}

uint64_t Crc64Prefix(uint64_t crc_ab, uint64_t crc_b, uint64_t size_b) {
  return Shift(crc_ab ^ crc_b, kBytesBack, size_b);
}

}  // namespace tailrace
