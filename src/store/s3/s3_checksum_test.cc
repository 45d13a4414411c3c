#include "store/s3/s3_checksum.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

// "123456789" in two slices; values of the published check vectors, in base64.
TEST(S3Checksum, GivesThePublishedCheckValues) {
  ByteSlices body(ByteSlice::Copy("12345"));
  body.Append(ByteSlice::Copy("6789"));
  EXPECT_EQ(ChecksumOf(S3Checksum::kNone, body), "");
  EXPECT_EQ(ChecksumOf(S3Checksum::kMd5, body), "JfnnlDI7RTiF9RgfG2JNCw==");
  EXPECT_EQ(ChecksumOf(S3Checksum::kCrc32, body), "y/Q5Jg==");
  EXPECT_EQ(ChecksumOf(S3Checksum::kCrc32c, body), "4waSgw==");
  EXPECT_EQ(ChecksumOf(S3Checksum::kCrc64Nvme, body), "rosUhgp5mIg=");
  EXPECT_EQ(ChecksumOf(S3Checksum::kSha256, body), "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=");
  EXPECT_EQ(Md5Base64("123456789"), "JfnnlDI7RTiF9RgfG2JNCw==");
}

TEST(S3Checksum, Crc64ComesBackAndNothingElseDoes) {
  for (uint64_t crc : {uint64_t{0}, uint64_t{1}, 0xae8b14860a799888, ~uint64_t{0}}) {
    EXPECT_EQ(ParseCrc64(FormatCrc64(crc)), crc);
  }
  for (const char* text : {"", "rosUhgp5mIg=-3", "y/Q5Jg==", "rosUhgp5mIg", "????????????"}) {
    EXPECT_EQ(ParseCrc64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tailrace
