// CRC-64/NVME (reflected polynomial 9a6c9329ac4bc9b5, initial value and final xor all ones).
// Source: NVM Express NVM Command Set 1.0, section 5.2.1.3.4; check value of "123456789" is ae8b14860a799888.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tailrace {

// The CRC of A followed by `data`, given the CRC of A (0 for an empty A). Uses PCLMULQDQ where the CPU has it.
uint64_t Crc64Nvme(const void* data, size_t size, uint64_t crc = 0);
// The CRC of A followed by B, from the CRCs of both and the length of B.
uint64_t Crc64Combine(uint64_t crc_a, uint64_t crc_b, uint64_t size_b);
// The CRC of B, from the CRC of A followed by B, the CRC of A, and the length of B.
uint64_t Crc64Suffix(uint64_t crc_ab, uint64_t crc_a, uint64_t size_b);
// The CRC of A, from the CRC of A followed by B, the CRC of B, and the length of B.
uint64_t Crc64Prefix(uint64_t crc_ab, uint64_t crc_b, uint64_t size_b);

}  // namespace tailrace
