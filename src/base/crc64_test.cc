#include "base/crc64.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/crc64_kernels.h"

namespace tailrace {
namespace {

std::vector<uint8_t> RandomBytes(size_t size) {
  std::mt19937_64 random(20260101);
  std::vector<uint8_t> bytes(size);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<uint8_t>(random()); });
  return bytes;
}

// Bit by bit, straight from the definition.
uint64_t Definition(const uint8_t* data, size_t size) {
  uint64_t reg = ~uint64_t{0};
  for (size_t i = 0; i < size; ++i) {
    reg ^= data[i];
    for (int bit = 0; bit < 8; ++bit) reg = (reg & 1) != 0 ? (reg >> 1) ^ 0x9a6c9329ac4bc9b5 : reg >> 1;
  }
  return ~reg;
}

TEST(Crc64, PublishedCheckValues) {
  const std::string_view digits = "123456789";
  EXPECT_EQ(Crc64Nvme(digits.data(), digits.size()), 0xae8b14860a799888);
  // NVM Express NVM Command Set 1.0, figure "64b CRC test cases": 4 KiB of zeroes and of ones.
  EXPECT_EQ(Crc64Nvme(std::string(4096, '\0').data(), 4096), 0x6482d367eb22b64e);
  EXPECT_EQ(Crc64Nvme(std::string(4096, '\xff').data(), 4096), 0xc0ddba7302eca3ac);
}

TEST(Crc64, NoBytesChangeNothing) {
  EXPECT_EQ(Crc64Nvme(nullptr, 0), 0u);
  EXPECT_EQ(Crc64Nvme(nullptr, 0, 0x1234), 0x1234u);
}

TEST(Crc64, BothKernelsAreTheDefinitionAtEverySizeAndOffset) {
  const std::vector<uint8_t> bytes = RandomBytes(600);
  for (size_t offset = 0; offset < 17; ++offset) {
    for (size_t size = 0; size + offset <= bytes.size(); ++size) {
      const uint64_t expected = Definition(bytes.data() + offset, size);
      ASSERT_EQ(~crc64::UpdateByTable(~uint64_t{0}, bytes.data() + offset, size), expected) << offset << " " << size;
      if (!crc64::HasClmul()) continue;
      ASSERT_EQ(~crc64::UpdateByClmul(~uint64_t{0}, bytes.data() + offset, size), expected) << offset << " " << size;
    }
  }
}

TEST(Crc64, KernelsAgreeOnLongRuns) {
  if (!crc64::HasClmul()) return;  // one kernel alone: the test above holds it to the definition
  const std::vector<uint8_t> bytes = RandomBytes((1 << 20) + 77);
  EXPECT_EQ(crc64::UpdateByClmul(1, bytes.data(), bytes.size()), crc64::UpdateByTable(1, bytes.data(), bytes.size()));
}

TEST(Crc64, GoesOnFromEveryCut) {
  const std::vector<uint8_t> bytes = RandomBytes(400);
  const uint64_t whole = Crc64Nvme(bytes.data(), bytes.size());
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    const uint64_t front = Crc64Nvme(bytes.data(), cut);
    ASSERT_EQ(Crc64Nvme(bytes.data() + cut, bytes.size() - cut, front), whole) << cut;
  }
}

TEST(Crc64, AnyTwoOfFrontBackAndWholeGiveTheThird) {
  const std::vector<uint8_t> bytes = RandomBytes(70000);
  for (size_t size : {0, 1, 2, 15, 255, 256, 4097, 70000}) {
    const uint64_t whole = Crc64Nvme(bytes.data(), size);
    for (size_t cut : {size_t{0}, size_t{1}, size / 3, size / 2, size}) {
      if (cut > size) continue;
      const size_t rest = size - cut;
      const uint64_t front = Crc64Nvme(bytes.data(), cut);
      const uint64_t back = Crc64Nvme(bytes.data() + cut, rest);
      EXPECT_EQ(Crc64Combine(front, back, rest), whole) << size << " " << cut;
      EXPECT_EQ(Crc64Suffix(whole, front, rest), back) << size << " " << cut;
      EXPECT_EQ(Crc64Prefix(whole, back, rest), front) << size << " " << cut;
    }
  }
}

TEST(Crc64, CombineReachesLengthsBeyondMemory) {
  const uint64_t crc = Crc64Nvme("tail", 4);
  // Twice 2^40 bytes on is 2^41 bytes on; and there and back is nowhere.
  const uint64_t once = Crc64Combine(crc, 0, uint64_t{1} << 40);
  EXPECT_EQ(Crc64Combine(once, 0, uint64_t{1} << 40), Crc64Combine(crc, 0, uint64_t{1} << 41));
  EXPECT_EQ(Crc64Prefix(once, 0, uint64_t{1} << 40), crc);
}

}  // namespace
}  // namespace tailrace
