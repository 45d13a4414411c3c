// CRC-32 (ISO-HDLC, reflected polynomial edb88320) and CRC-32C (Castagnoli, 82f63b78), initial value and final xor all
// ones. Check values of "123456789": cbf43926 and e3069283.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tailrace {

// The CRC of A followed by `data`, given the CRC of A (0 for an empty A). Crc32c uses the CPU's instruction where there
// is one.
uint32_t Crc32(const void* data, size_t size, uint32_t crc = 0);
uint32_t Crc32c(const void* data, size_t size, uint32_t crc = 0);
// The table form of Crc32c, for tests on CPUs that have the instruction.
uint32_t Crc32cPortable(const void* data, size_t size, uint32_t crc = 0);

}  // namespace tailrace
