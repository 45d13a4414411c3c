#include "testing/s3_server/s3_digests.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

// The check values that the definitions of these CRCs publish, as S3 writes them.
TEST(S3Digests, AgreeWithPublishedValues) {
  EXPECT_EQ(S3ChecksumOf("crc32", "123456789"), Base64Encode("\xcb\xf4\x39\x26"));
  EXPECT_EQ(S3ChecksumOf("crc32c", "123456789"), Base64Encode("\xe3\x06\x92\x83"));
  EXPECT_EQ(S3ChecksumOf("crc64nvme", "123456789"), Base64Encode("\xae\x8b\x14\x86\x0a\x79\x98\x88"));
  EXPECT_EQ(HexOf(*Base64Decode(*S3ChecksumOf("sha1", "abc"))), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(HexOf(*Base64Decode(*S3ChecksumOf("sha256", "abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(HexOf(Md5Of("abc")), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(S3ChecksumOf("md4", "abc"), std::nullopt);
}

TEST(S3Digests, LongBytesGoThroughAllTables) {
  // 32 zero bytes: RFC 3720, section B.4.
  EXPECT_EQ(HexOf(*Base64Decode(*S3ChecksumOf("crc32c", std::string(32, '\0')))), "8a9136aa");
  EXPECT_EQ(HexOf(*Base64Decode(*S3ChecksumOf("crc32c", std::string(32, '\xff')))), "62a8ab43");
}

TEST(S3Digests, Base64IsStrict) {
  EXPECT_EQ(Base64Decode("YWJj"), "abc");
  EXPECT_EQ(Base64Decode("YWI="), "ab");
  for (const char* bad : {"", "YWI", "YW I=", "YWJ=", "YWI=\n", "!!!!"})
    EXPECT_EQ(Base64Decode(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace tailrace
