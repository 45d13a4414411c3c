#include "store/s3/s3_open.h"

#include <gtest/gtest.h>

#include "testing/fake_environment.h"
#include "testing/s3_server/s3_server.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

const WriteId kWrite{"019b76da-a800-7000-8000-00000000cafe"};

ByteSlices Bytes(std::string text) { return ByteSlices(ByteSlice::Copy(std::move(text))); }

// Nothing of this machine's own configuration.
Environment Alone(std::map<std::string, std::string> more = {}) {
  more.emplace("AWS_CONFIG_FILE", "/nonexistent/config");
  more.emplace("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent/credentials");
  more.emplace("AWS_EC2_METADATA_DISABLED", "true");
  return FakeEnvironment(std::move(more));
}

S3Credentials CredentialsOf(const S3Key& key) {
  return {.access_key_id = key.access_key_id, .secret_access_key = key.secret_access_key};
}

class S3OpenTest : public ::testing::Test {
 protected:
  S3OpenTest() {
    server_.service().Change([](S3Rules* rules) { rules->min_part_bytes = 1; });
  }
  std::string Url(const std::string& key) const { return "s3::" + server_.endpoint() + "/bucket/" + key; }
  // A whole write: the proof that the store can be reached and signs rightly.
  void ExpectWorks(const StoreAndKey& at) {
    ASSERT_OK_AND_ASSIGN(const auto upload, at.store->CreateUpload({at.key, kWrite}));
    ASSERT_OK_AND_ASSIGN(const PartReceipt one, upload->PutPart({.number = 1, .body = Bytes("first ")}));
    ASSERT_OK_AND_ASSIGN(const PartReceipt two,
                         upload->PutPart({.number = 2, .offset_bytes = 6, .body = Bytes("second")}));
    ASSERT_OK(upload->Complete({one, two}, {}));
    EXPECT_EQ(server_.Content(at.key), "first second");
    EXPECT_EQ(*at.store->GetRange(at.key, 6, 100, ""), "second");
    EXPECT_EQ(at.store->Head(at.key)->write_id, kWrite.text);
  }

  S3Server server_;
};

TEST_F(S3OpenTest, CredentialsComeFromTheOptions) {
  StoreOptions options;
  options.s3.credentials = CredentialsOf(server_.key());
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url(Url("a b.parquet"), options, Alone()));
  EXPECT_EQ(at.key, "a b.parquet");
  EXPECT_EQ(server_.log().size(), 0u) << "opening sends nothing";
  ExpectWorks(at);
}

TEST_F(S3OpenTest, CredentialsComeFromTheEnvironment) {
  const Environment environment = Alone({{"AWS_ACCESS_KEY_ID", server_.key().access_key_id},
                                         {"AWS_SECRET_ACCESS_KEY", server_.key().secret_access_key},
                                         {"AWS_ENDPOINT_URL_S3", server_.endpoint()}});
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url("s3://bucket/k", {}, environment));
  ExpectWorks(at);
}

TEST_F(S3OpenTest, CredentialsComeFromACallback) {
  StoreOptions options;
  int calls = 0;
  options.s3.credentials_callback = [&]() -> arrow::Result<S3Credentials> {
    ++calls;
    return CredentialsOf(server_.key());
  };
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url(Url("k"), options, Alone()));
  ExpectWorks(at);
  EXPECT_EQ(calls, 1);
}

TEST_F(S3OpenTest, AnonymousRequestsAreNotSigned) {
  StoreOptions options;
  options.s3.anonymous = true;
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url(Url("k"), options, Alone()));
  EXPECT_KIND(ErrorKind::kDenied, at.store->Head("k"));
  server_.service().Change([](S3Rules* rules) { rules->signature.allow_anonymous = true; });
  EXPECT_KIND(ErrorKind::kNotFound, at.store->Head("k"));
}

TEST_F(S3OpenTest, ATargetOpensTheSamePlaceWhateverTheEnvironmentSays) {
  StoreOptions options;
  options.s3.credentials = CredentialsOf(server_.key());
  options.s3.region = "us-east-1";
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url(Url("k"), options, Alone()));
  const Target target = at.store->TargetOf("k");
  EXPECT_EQ(target.endpoint, server_.endpoint());
  options.s3.region = "";
  const Environment elsewhere = Alone({{"AWS_ENDPOINT_URL", "http://127.0.0.1:1"}, {"AWS_REGION", "eu-west-1"}});
  ASSERT_OK_AND_ASSIGN(const StoreAndKey again, OpenS3Target(target, options, elsewhere));
  EXPECT_EQ(again.store->TargetOf(again.key), target);
  ExpectWorks(again);
}

TEST_F(S3OpenTest, R2sOwnVariablesComeFirst) {
  const Environment environment = Alone({{"R2_ACCESS_KEY_ID", server_.key().access_key_id},
                                         {"R2_SECRET_ACCESS_KEY", server_.key().secret_access_key},
                                         {"AWS_ACCESS_KEY_ID", "other"},
                                         {"AWS_SECRET_ACCESS_KEY", "other"}});
  server_.service().Change([](S3Rules* rules) { rules->signature.region = "auto"; });
  StoreOptions options;
  options.s3.endpoint = server_.endpoint();
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url("r2://bucket/k", options, environment));
  ExpectWorks(at);
}

TEST_F(S3OpenTest, OptionsThatContradictEachOtherAreRefused) {
  StoreOptions both;
  both.s3.anonymous = true;
  both.s3.profile = "p";
  StoreOptions half;
  half.s3.credentials = S3Credentials{.access_key_id = "only"};
  StoreOptions no_http;
  no_http.s3.allow_http = false;
  StoreOptions bad_ca;
  bad_ca.s3.ca_file = "/nonexistent/ca.pem";
  for (const StoreOptions& options : {both, half, no_http, bad_ca}) {
    EXPECT_KIND(ErrorKind::kInvalid, OpenS3Url(Url("k"), options, Alone()));
  }
  const Target target{.kind = "s3", .endpoint = "http://h", .addressing = "path", .bucket = "b", .key = "k"};
  EXPECT_KIND(ErrorKind::kInvalid, OpenS3Target(target, no_http, Alone()));
}

TEST_F(S3OpenTest, LimitsOfAProbeAreUsed) {
  StoreOptions options;
  options.s3.credentials = CredentialsOf(server_.key());
  options.s3.region = "us-east-1";
  options.limits = StoreLimits{.max_parts = 12};
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url(Url("k"), options, Alone()));
  EXPECT_EQ(at.store->limits().max_parts, 12);
}

TEST_F(S3OpenTest, AProfileGivesLimitsAndChecksumOfItsOwnStoreAlone) {
  StoreOptions options;
  options.s3.credentials = CredentialsOf(server_.key());
  options.s3.region = "us-east-1";
  options.profile = StoreProfile{.kind = "s3",
                                 .endpoint = server_.endpoint(),
                                 .bucket = "bucket",
                                 .limits = {.max_parts = 1000, .stray_parts = StrayParts::kRefused},
                                 .checksum = S3Checksum::kCrc32c};
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url(Url("k"), options, Alone()));
  EXPECT_EQ(at.store->limits(), options.profile->limits);
  EXPECT_EQ(at.store->object_options().checksum, S3Checksum::kCrc32c);
  ExpectWorks(at);

  ASSERT_OK_AND_ASSIGN(const StoreAndKey by_target, OpenS3Target(at.store->TargetOf("k"), options, Alone()));
  EXPECT_EQ(by_target.store->limits(), options.profile->limits);

  options.s3.checksum = S3Checksum::kSha256;
  options.limits = StoreLimits{.max_parts = 12};
  ASSERT_OK_AND_ASSIGN(const StoreAndKey told, OpenS3Url(Url("k"), options, Alone()));
  EXPECT_EQ(told.store->limits().max_parts, 12);
  EXPECT_EQ(told.store->object_options().checksum, S3Checksum::kSha256);

  options.profile->bucket = "other";
  EXPECT_KIND(ErrorKind::kInvalid, OpenS3Url(Url("k"), options, Alone()));
}

// It was shown to work: that it is refused now is an error to look at, not a reason to go on without.
TEST_F(S3OpenTest, TheChecksumOfAProfileIsNotGivenUp) {
  StoreOptions options;
  options.s3.credentials = CredentialsOf(server_.key());
  options.s3.region = "us-east-1";
  options.profile = StoreProfile{
      .kind = "s3", .endpoint = server_.endpoint(), .bucket = "bucket", .checksum = S3Checksum::kCrc64Nvme};
  server_.service().Change([](S3Rules* rules) { rules->checksums = S3Rules::Checksums::kRefused; });
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url(Url("k"), options, Alone()));
  EXPECT_FALSE(at.store->CreateUpload({at.key, kWrite}).ok());
  options.profile.reset();
  ASSERT_OK_AND_ASSIGN(const StoreAndKey without, OpenS3Url(Url("k"), options, Alone()));
  EXPECT_OK(without.store->CreateUpload({without.key, kWrite}));
}

}  // namespace
}  // namespace tailrace
