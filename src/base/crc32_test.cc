#include "base/crc32.h"

#include <string>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(Crc32, GivesThePublishedCheckValues) {
  EXPECT_EQ(Crc32("123456789", 9), 0xcbf43926u);
  EXPECT_EQ(Crc32c("123456789", 9), 0xe3069283u);
  EXPECT_EQ(Crc32cPortable("123456789", 9), 0xe3069283u);
  // RFC 3720, section B.4: 32 bytes of zeros, and of ones.
  EXPECT_EQ(Crc32c(std::string(32, '\0').data(), 32), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff').data(), 32), 0x62a8ab43u);
  EXPECT_EQ(Crc32("", 0), 0u);
  EXPECT_EQ(Crc32c("", 0), 0u);
}

TEST(Crc32, GoesOnFromAnyByte) {
  std::string bytes;
  for (int i = 0; i < 200; ++i) bytes.push_back(static_cast<char>(i * 91 + i / 3));
  const uint32_t iso = Crc32(bytes.data(), bytes.size()), castagnoli = Crc32c(bytes.data(), bytes.size());
  EXPECT_EQ(castagnoli, Crc32cPortable(bytes.data(), bytes.size()));
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    const char* rest = bytes.data() + cut;
    EXPECT_EQ(Crc32(rest, bytes.size() - cut, Crc32(bytes.data(), cut)), iso) << cut;
    EXPECT_EQ(Crc32c(rest, bytes.size() - cut, Crc32c(bytes.data(), cut)), castagnoli) << cut;
    EXPECT_EQ(Crc32cPortable(rest, bytes.size() - cut, Crc32cPortable(bytes.data(), cut)), castagnoli) << cut;
  }
}

}  // namespace
}  // namespace tailrace
