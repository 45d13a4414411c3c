#include "store/s3/s3_limits.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(S3Limits, OfEachServiceBeforeItHasAnswered) {
  for (S3Dialect dialect : {S3Dialect::kAws, S3Dialect::kR2, S3Dialect::kGcs, S3Dialect::kOther}) {
    const S3Traits traits = TraitsOf(dialect);
    EXPECT_EQ(traits.limits.min_part_bytes, 5 << 20);
    EXPECT_EQ(traits.limits.max_parts, 10000);
    EXPECT_EQ(traits.limits.max_object_bytes, (dialect == S3Dialect::kAws ? int64_t{50'000} << 30 : int64_t{5} << 40));
    EXPECT_EQ(traits.limits.equal_parts, dialect == S3Dialect::kR2);
    EXPECT_EQ(traits.limits.conditional_put, dialect == S3Dialect::kAws);
    const bool documented = dialect == S3Dialect::kAws || dialect == S3Dialect::kGcs;
    EXPECT_EQ(traits.limits.stray_parts, documented ? StrayParts::kLeftOut : StrayParts::kUnknown);
    EXPECT_EQ(traits.checksum, dialect == S3Dialect::kGcs ? S3Checksum::kNone : S3Checksum::kCrc64Nvme);
  }
}

// Headers as the servers were seen to send them.
TEST(S3Limits, ServersAreKnownByTheirAnswers) {
  const S3Traits before = TraitsOf(S3Dialect::kOther);
  S3Traits swift = before;
  LearnFrom({{"x-amz-request-id", "tx6a3b8f0c1d2e4f5a6b7c8-0065f1a2b3"}, {"X-Trans-Id", "tx6a3b8f0c1d2e4f5a6b7c8"}},
            &swift);
  EXPECT_EQ(swift.limits.max_parts, 1000);
  EXPECT_EQ(swift.limits.stray_parts, StrayParts::kLeftOut);

  S3Traits rgw = before;
  LearnFrom({{"x-amz-request-id", "tx000000000000000000002-0065f1a2b3-1033-default"}}, &rgw);
  EXPECT_EQ(rgw.limits.stray_parts, StrayParts::kRefused);
  EXPECT_EQ(rgw.limits.max_parts, 10000);

  S3Traits weed = before;
  LearnFrom({{"Server", "SeaweedFS 30GB 4.53"}}, &weed);
  EXPECT_FALSE(weed.limits.checks_part_etags);
  EXPECT_EQ(weed.limits.stray_parts, StrayParts::kLeftOut);

  S3Traits aws = before;
  LearnFrom({{"x-amz-request-id", "4442587FB7D0A2F9"}, {"Server", "AmazonS3"}}, &aws);
  LearnFrom({}, &aws);
  EXPECT_EQ(aws, before);

  LearnFrom({}, &swift);
  EXPECT_EQ(swift.limits.max_parts, 1000) << "an answer that tells nothing takes nothing back";
}

}  // namespace
}  // namespace tailrace
