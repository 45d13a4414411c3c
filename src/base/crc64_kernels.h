// The two ways to take a CRC-64/NVME. They work on the register, before the final xor; crc64.h is for use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tailrace::crc64 {

inline constexpr uint64_t kPolynomial = 0x9a6c9329ac4bc9b5;  // bit 63 is x^0, bit 0 is x^63; x^64 is implied

// a * x, modulo the polynomial.
constexpr uint64_t TimesX(uint64_t a) { return (a >> 1) ^ ((a & 1) != 0 ? kPolynomial : 0); }
// a / x, modulo the polynomial.
constexpr uint64_t OverX(uint64_t a) { return (a >> 63) != 0 ? ((a ^ kPolynomial) << 1) | 1 : a << 1; }

// Eight bytes a step by tables; on any CPU.
uint64_t UpdateByTable(uint64_t reg, const uint8_t* data, size_t size);
// 128 bytes a step by carry-less multiplication. REQUIRES: HasClmul().
uint64_t UpdateByClmul(uint64_t reg, const uint8_t* data, size_t size);
bool HasClmul();

}  // namespace tailrace::crc64
