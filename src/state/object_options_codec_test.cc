#include "state/object_options_codec.h"

#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

ObjectOptions Full() {
  return {.content_type = "text/x",
          .storage_class = "STANDARD_IA",
          .acl = "bucket-owner-full-control",
          .tags = {{"a", "b"}, {"", "c"}},
          .metadata = {{"m", ""}},
          .encryption = S3EncryptionKind::kSseC,
          .kms_key_id = "key",
          .customer_key_md5 = "md5==",
          .lock_mode = "GOVERNANCE",
          .lock_until = Timestamp(std::chrono::microseconds(1'767'225'600'000'001)),
          .legal_hold = true,
          .checksum = S3Checksum::kCrc64Nvme};
}

TEST(ObjectOptionsCodec, ComesBackAsItWas) {
  for (const ObjectOptions& options : {ObjectOptions{}, Full()}) {
    const std::string bytes = EncodeObjectOptions(options);
    ASSERT_OK_AND_ASSIGN(const ObjectOptions again, DecodeObjectOptions(bytes, "object."));
    EXPECT_EQ(again, options);
    EXPECT_EQ(EncodeObjectOptions(again), bytes);
  }
  EXPECT_EQ(EncodeObjectOptions({}), "");
}

TEST(ObjectOptionsCodec, EveryKindHasItsNumber) {
  for (S3Checksum kind : {S3Checksum::kNone, S3Checksum::kMd5, S3Checksum::kCrc32, S3Checksum::kCrc32c,
                          S3Checksum::kSha256, S3Checksum::kCrc64Nvme}) {
    EXPECT_EQ(DecodeObjectOptions(EncodeObjectOptions({.checksum = kind}), "")->checksum, kind);
  }
  for (S3EncryptionKind kind :
       {S3EncryptionKind::kNone, S3EncryptionKind::kSseS3, S3EncryptionKind::kSseKms, S3EncryptionKind::kSseC}) {
    EXPECT_EQ(DecodeObjectOptions(EncodeObjectOptions({.encryption = kind}), "")->encryption, kind);
  }
  // Tag 12, must be understood, a varint: 6 is the first number without a meaning.
  EXPECT_KIND(ErrorKind::kStateTooNew, DecodeObjectOptions(std::string("\x64\x06", 2), "object."));
}

TEST(ObjectOptionsCodec, CutsAreRefusedAndNamed) {
  const std::string bytes = EncodeObjectOptions(Full());
  int refused = 0;
  for (size_t size = 1; size < bytes.size(); ++size) {
    const Result<ObjectOptions> cut = DecodeObjectOptions(bytes.substr(0, size), "object.");
    // Between two fields a cut cannot be seen here: the envelope's checksum sees it.
    if (cut.ok()) {
      EXPECT_NE(*cut, Full());
    } else {
      EXPECT_EQ(KindOf(cut.status()), ErrorKind::kBadState);
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(bytes.size()) / 2);
}

}  // namespace
}  // namespace tailrace
