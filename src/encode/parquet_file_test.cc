#include "encode/parquet_file.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

TEST(ParquetFile, LengthIsLittleEndian) {
  ASSERT_OK_AND_ASSIGN(const int64_t length, FooterLength(std::string("\x02\x01\0\0PAR1", 8), 1000));
  EXPECT_EQ(length, 258);
}

TEST(ParquetFile, TheLongestFooterThatFits) {
  const std::string end("\x64\0\0\0PAR1", 8);
  EXPECT_OK(FooterLength(end, 4 + 100 + 8));
  EXPECT_KIND(ErrorKind::kInvalid, FooterLength(end, 4 + 100 + 8 - 1));
}

TEST(ParquetFile, DamagedLengthsAreRefused) {
  for (const std::string& length : {std::string("\xff\xff\xff\xff"), std::string("\xff\xff\xff\x7f"),
                                    std::string("\0\0\0\x80", 4), std::string("\0\0\0\0", 4)}) {
    EXPECT_KIND(ErrorKind::kInvalid, FooterLength(length + "PAR1", 1 << 20));
  }
}

TEST(ParquetFile, OtherFilesAreNamedAsSuch) {
  for (const std::string& end : std::vector<std::string>{"", "x", "PAR1", "PAR1PAR", "12345678"}) {
    const auto length = FooterLength(end, static_cast<int64_t>(end.size()));
    EXPECT_KIND(ErrorKind::kInvalid, length);
    EXPECT_THAT(length.status().message(), HasSubstr("not a Parquet file"));
  }
  const auto text = FooterLength("12345678", 1000);
  EXPECT_KIND(ErrorKind::kInvalid, text);
  EXPECT_THAT(text.status().message(), HasSubstr("not a Parquet file"));
}

TEST(ParquetFile, AnEncryptedFooterIsNamedAsSuch) {
  const auto length = FooterLength(std::string("\x64\0\0\0PARE", 8), 1000);
  EXPECT_KIND(ErrorKind::kInvalid, length);
  EXPECT_THAT(length.status().message(), HasSubstr("encrypted"));
}

}  // namespace
}  // namespace tailrace
