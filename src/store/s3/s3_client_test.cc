#include "store/s3/s3_client.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "store/s3/s3_calls.h"
#include "store/s3/s3_fixture.h"

namespace tailrace {
namespace {

using std::chrono::milliseconds;

class S3ClientTest : public S3Fixture {
 protected:
  S3ClientTest() { transport_->service().PutForeign("bucket", "k", "content"); }

  // A GET of four bytes: the plainest call.
  Result<std::string> Get() { return Store()->GetRange("k", 0, 4, ""); }
  static FaultRule Answer(int status, std::string code, int times,
                          std::map<std::string, std::optional<std::string>> headers = {}) {
    return {.when = {.operation = "*", .times = times},
            .fault = {.apply = false, .status = status, .code = std::move(code), .headers = std::move(headers)}};
  }
  static FaultRule Reset(int times) {
    return {.when = {.operation = "*", .times = times}, .fault = {.apply = false, .end = Fault::End::kReset}};
  }
};

TEST_F(S3ClientTest, ASuccessIsOneRequest) {
  ASSERT_OK_AND_ASSIGN(const std::string bytes, Get());
  EXPECT_EQ(bytes, "cont");
  EXPECT_EQ(calls(), (Calls{{"GetObject", 1}}));
  EXPECT_TRUE(clock_.sleeps().empty());
}

TEST_F(S3ClientTest, WhatMayGoAwayIsRepeatedAfterJitteredWaits) {
  for (const FaultRule& rule : {Answer(500, "InternalError", 2), Answer(503, "SlowDown", 2), Answer(429, "Odd", 2),
                                Answer(408, "RequestTimeout", 2), Answer(400, "RequestTimeout", 2), Reset(2)}) {
    FakeClock clock;
    setup_.client.clock = &clock;
    transport_->ResetLog();
    Faults({rule});
    EXPECT_OK(Get());
    EXPECT_EQ(calls(), (Calls{{"GetObject", 3}})) << rule.fault.code;
    EXPECT_EQ(clock.sleeps(), (std::vector{milliseconds(100), milliseconds(200)})) << "half of 200 and of 400";
  }
}

TEST_F(S3ClientTest, WhatCannotChangeIsNotRepeated) {
  for (const auto& [status, code] : {std::pair(400, "InvalidRequest"), std::pair(403, "AccessDenied"),
                                     std::pair(404, "NoSuchKey"), std::pair(412, "PreconditionFailed"),
                                     std::pair(501, "NotImplemented"), std::pair(403, "SignatureDoesNotMatch")}) {
    transport_->ResetLog();
    Faults({Answer(status, code, -1)});
    EXPECT_FALSE(Get().ok());
    EXPECT_EQ(calls(), (Calls{{"GetObject", 1}})) << code;
  }
}

TEST_F(S3ClientTest, GivesUpAfterTheAttemptsAndSaysSo) {
  setup_.client.retry.max_attempts = 4;
  Faults({Answer(503, "SlowDown", -1)});
  const Result<std::string> got = Get();
  EXPECT_KIND(ErrorKind::kThrottled, got);
  EXPECT_EQ(calls(), (Calls{{"GetObject", 4}}));
  const std::string& message = got.status().message();
  for (const char* part : {"GetObject of 'k' in bucket 'bucket'", "503 SlowDown: scripted",
                           "gave up after 4 attempts in 0.7 s (max_attempts)"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST_F(S3ClientTest, GivesUpBeforeTheDeadline) {
  setup_.client.retry = {.max_attempts = 1000, .timeout = std::chrono::seconds(30)};
  Faults({Answer(503, "SlowDown", -1)});
  const Result<std::string> got = Get();
  EXPECT_KIND(ErrorKind::kThrottled, got);
  EXPECT_NE(got.status().message().find("(retry_timeout)"), std::string::npos);
  EXPECT_LT(clock_.Now() - FakeClock::kStart, std::chrono::seconds(30));
}

// C43
TEST_F(S3ClientTest, RetryAfterIsHonoured) {
  Faults({Answer(503, "SlowDown", 1, {{"Retry-After", "7"}})});
  EXPECT_OK(Get());
  EXPECT_EQ(clock_.sleeps(), std::vector{milliseconds(7100)});
}

TEST_F(S3ClientTest, ABusyStoreGetsFewerRequestsAtOnce) {
  S3Client client(setup_.settings.place, setup_.client);
  EXPECT_EQ(client.request_room(), 16);
  Faults({Answer(503, "SlowDown", 2)});
  EXPECT_OK(HeadObject({.client = &client, .settings = setup_.settings}, "k"));
  EXPECT_EQ(client.request_room(), 6);
}

TEST_F(S3ClientTest, ADeadStoreFailsInBoundedTime) {
  Faults({Reset(-1)});
  const auto store = Store();
  for (int i = 0; i < 40; ++i) EXPECT_KIND(ErrorKind::kTransient, store->GetRange("k", 0, 4, ""));
  EXPECT_EQ(calls(), (Calls{{"GetObject", 140}})) << "40 first attempts and the 100 repetitions of the budget";
  const Status last = store->GetRange("k", 0, 4, "").status();
  EXPECT_NE(last.message().find("none is repeated until some succeed"), std::string::npos) << last.message();
  Faults({});
  EXPECT_OK(store->GetRange("k", 0, 4, ""));
}

// C38
TEST_F(S3ClientTest, AWrongRegionIsSignedAgainForTheRightOneAndKept) {
  for (WrongRegionAnswer kind :
       {WrongRegionAnswer::kMalformed400, WrongRegionAnswer::kRedirect301, WrongRegionAnswer::kRedirect307}) {
    transport_->ResetLog();
    Rules([&](S3Rules* rules) {
      rules->signature.region = "eu-central-1";
      rules->signature.wrong_region = kind;
    });
    const auto store = Store();
    EXPECT_OK(store->GetRange("k", 0, 4, ""));
    EXPECT_EQ(calls(), (Calls{{"GetObject", 2}}));
    EXPECT_OK(store->GetRange("k", 0, 4, ""));
    EXPECT_EQ(calls(), (Calls{{"GetObject", 3}})) << "once is enough";
    EXPECT_EQ(store->TargetOf("k").region, "") << "the target is what was asked for";
  }
}

TEST_F(S3ClientTest, ARegionThatNobodyNamesIsAnErrorThatSaysWhichWasUsed) {
  Rules([](S3Rules* rules) {
    rules->signature.region = "eu-central-1";
    rules->signature.wrong_region = WrongRegionAnswer::kMalformedNoRegion;
  });
  const Result<std::string> got = Get();
  ASSERT_FALSE(got.ok());
  EXPECT_NE(got.status().message().find("signed for the region 'us-east-1'"), std::string::npos) << got.status();
  EXPECT_EQ(calls(), (Calls{{"GetObject", 1}}));
}

TEST_F(S3ClientTest, AnAwsHostOfAnyKindFollowsTheRegion) {
  // Where the endpoint was, what the answer named, and for which region and host it was tried again.
  struct Redirect {
    std::string endpoint, header, value, region, host;
  };
  const std::string region = "x-amz-bucket-region";
  const Redirect redirects[] = {
      {"", region, "us-west-2", "us-west-2", "s3.us-west-2.amazonaws.com"},
      {"https://s3.dualstack.eu-west-1.amazonaws.com", region, "us-west-2", "us-west-2",
       "s3.dualstack.us-west-2.amazonaws.com"},
      {"https://s3-fips.us-east-1.amazonaws.com", region, "us-gov-west-1", "us-gov-west-1",
       "s3-fips.us-gov-west-1.amazonaws.com"},
      {"https://s3-fips.dualstack.us-east-1.amazonaws.com", "Location",
       "https://bucket.s3-fips.dualstack.us-east-2.amazonaws.com/k", "us-east-2",
       "s3-fips.dualstack.us-east-2.amazonaws.com"},
      {"https://s3-external-1.amazonaws.com", region, "eu-north-1", "eu-north-1", "s3.eu-north-1.amazonaws.com"},
      {"http://s3.eu-west-1.amazonaws.com", "Location", "bucket.s3-us-west-2.amazonaws.com", "us-west-2",
       "s3.us-west-2.amazonaws.com"},
      {"https://s3.dualstack.cn-north-1.amazonaws.com.cn", region, "cn-northwest-1", "cn-northwest-1",
       "s3.dualstack.cn-northwest-1.amazonaws.com.cn"},
      // Of no region: where it points, for this request.
      {"https://s3.dualstack.us-east-1.amazonaws.com", "Location", "https://s3.amazonaws.com/bucket/k", "us-east-1",
       "s3.amazonaws.com"},
  };
  for (const Redirect& redirect : redirects) {
    SCOPED_TRACE(redirect.endpoint + " -> " + redirect.value);
    setup_.settings.place.endpoint = redirect.endpoint;
    setup_.settings.place.dialect = S3Dialect::kAws;
    transport_->ResetLog();
    FaultRule answer = Answer(301, "PermanentRedirect", 1, {{redirect.header, redirect.value}});
    answer.fault.check_signature = false;
    Faults({answer});
    Rules([&](S3Rules* rules) { rules->signature.region = redirect.region; });
    EXPECT_OK(Get());
    ASSERT_EQ(transport_->log().size(), 2u);
    EXPECT_EQ(transport_->log()[1].url.host, redirect.host);
  }
}

TEST_F(S3ClientTest, AnAwsHostIsNotLeftForAnother) {
  setup_.settings.place.endpoint = "https://s3.dualstack.eu-west-1.amazonaws.com";
  setup_.settings.place.dialect = S3Dialect::kAws;
  for (const char* location : {"https://s3.eu-west-1.amazonaws.com.evil.example/k",
                               "http://s3.us-west-2.amazonaws.com/k", "https://bucket.ec2.us-west-2.amazonaws.com/k"}) {
    transport_->ResetLog();
    Faults({Answer(307, "TemporaryRedirect", 1, {{"Location", location}})});
    EXPECT_FALSE(Get().ok()) << location;
    EXPECT_EQ(calls(), (Calls{{"GetObject", 1}}));
  }
}

TEST_F(S3ClientTest, ARedirectInCirclesEnds) {
  Faults({Answer(301, "PermanentRedirect", 1, {{"x-amz-bucket-region", "eu-a-1"}}),
          Answer(301, "PermanentRedirect", 1, {{"x-amz-bucket-region", "eu-b-1"}}),
          Answer(301, "PermanentRedirect", -1, {{"x-amz-bucket-region", "eu-a-1"}})});
  EXPECT_FALSE(Get().ok());
  EXPECT_LE(calls()["GetObject"], 4);
}

TEST_F(S3ClientTest, A307OfTheSameServiceIsFollowedForThisRequestAlone) {
  Faults({Answer(307, "TemporaryRedirect", 1, {{"Location", "http://localhost:9001/bucket/k"}})});
  EXPECT_OK(Get());
  ASSERT_EQ(transport_->log().size(), 2u);
  EXPECT_EQ(transport_->log()[1].url.port, 9001);
  EXPECT_EQ(transport_->log()[1].url.path, "/bucket/k");
}

TEST_F(S3ClientTest, ARedirectToAnotherServiceIsNotFollowed) {
  for (const char* location : {"http://evil.example/bucket/k", "ftp://localhost/x", "", "http://notlocalhost:9000/k"}) {
    transport_->ResetLog();
    Faults({Answer(307, "TemporaryRedirect", 1, {{"Location", location}})});
    EXPECT_FALSE(Get().ok()) << location;
    EXPECT_EQ(calls(), (Calls{{"GetObject", 1}}));
  }
}

TEST_F(S3ClientTest, ClockSkewIsCorrectedFromTheServersDate) {
  transport_->SetSkew(std::chrono::hours(-3));
  S3Client client(setup_.settings.place, setup_.client);
  const S3Context context{.client = &client, .settings = setup_.settings};
  EXPECT_OK(GetObjectRange(context, "k", 0, 4, ""));
  EXPECT_EQ(calls(), (Calls{{"GetObject", 2}}));
  EXPECT_LT(std::chrono::abs(client.clock_offset() + std::chrono::hours(3)), std::chrono::seconds(5));
  EXPECT_OK(GetObjectRange(context, "k", 0, 4, ""));
  EXPECT_EQ(calls(), (Calls{{"GetObject", 3}}));
}

TEST_F(S3ClientTest, ClockSkewIsSeenWhereAStoreCallsItAWrongSignature) {
  transport_->SetSkew(std::chrono::hours(2));
  Faults({Answer(403, "SignatureDoesNotMatch", 1)});
  EXPECT_OK(Get());
  EXPECT_EQ(calls(), (Calls{{"GetObject", 2}}));
}

TEST_F(S3ClientTest, ClockSkewIsSeenInAnswersWithoutABodyToo) {
  transport_->SetSkew(std::chrono::hours(5));
  EXPECT_OK(Store()->Head("k"));
  EXPECT_EQ(calls(), (Calls{{"HeadObject", 2}}));
}

// C41
TEST_F(S3ClientTest, ExpiredCredentialsAreFetchedAgainAndTheSameRequestSigned) {
  const S3Key old_key{.access_key_id = "AKIDOLD", .session_token = "t1", .expired = true}, new_key;
  Rules([&](S3Rules* rules) { rules->signature.keys = {old_key, new_key}; });
  auto rotating = std::make_shared<RotatingCredentials>(std::vector{CredentialsOf(old_key), CredentialsOf(new_key)});
  setup_.client.credentials = rotating;
  EXPECT_OK(Get());
  EXPECT_EQ(calls(), (Calls{{"GetObject", 2}}));
  EXPECT_EQ(rotating->expired, 1);
}

TEST_F(S3ClientTest, KeysThatTheStoreDoesNotKnowAnyMoreAreFetchedAgainToo) {
  const S3Key gone{.access_key_id = "AKIDGONE", .session_token = "t1"};
  setup_.client.credentials =
      std::make_shared<RotatingCredentials>(std::vector{CredentialsOf(gone), CredentialsOf(S3Key{})});
  EXPECT_OK(Get());
  EXPECT_EQ(calls(), (Calls{{"GetObject", 2}}));
}

TEST_F(S3ClientTest, TheSameCredentialsAgainAreNotTriedAgain) {
  const S3Key old_key{.session_token = "t1", .expired = true};
  Rules([&](S3Rules* rules) { rules->signature.keys = {old_key}; });
  setup_.client.credentials = std::make_shared<RotatingCredentials>(std::vector{CredentialsOf(old_key)});
  EXPECT_KIND(ErrorKind::kDenied, Get());
  EXPECT_EQ(calls(), (Calls{{"GetObject", 1}}));
}

TEST_F(S3ClientTest, NoSecretStandsInAMessage) {
  const S3Key key{.session_token = "SESSIONTOKEN123"};
  setup_.client.credentials = std::make_shared<RotatingCredentials>(std::vector{CredentialsOf(key)});
  Faults({{.when = {.operation = "*"},
           .fault = {.check_signature = false,
                     .status = 400,
                     .code = "Echo",
                     .message = key.secret_access_key + " " + key.session_token + " " + key.access_key_id}}});
  const Status status = Get().status();
  ASSERT_FALSE(status.ok());
  for (const std::string& secret : {key.secret_access_key, key.session_token, key.access_key_id}) {
    EXPECT_EQ(status.message().find(secret), std::string::npos) << status.message();
  }
}

TEST_F(S3ClientTest, ABusyStoreIsAskedBeforeTheBodyIsSent) {
  Faults({Answer(503, "SlowDown", 1)});
  EXPECT_OK(Store()->Put("new", Bytes("body"), kTestWrite, {}));
  const auto puts = transport_->log("PutObject");
  ASSERT_EQ(puts.size(), 2u);
  EXPECT_FALSE(puts[0].expect_continue);
  EXPECT_TRUE(puts[1].expect_continue);
  EXPECT_EQ(puts[1].call.Header("x-amz-checksum-crc64nvme"), puts[0].call.Header("x-amz-checksum-crc64nvme"));
}

TEST_F(S3ClientTest, AStoreThatClosedWhileTheBodyWasSentIsAskedFirst) {
  Faults({{.when = {.operation = "PutObject", .times = 2}, .fault = {.apply = false, .no_reply = true}}});
  EXPECT_OK(Store()->Put("new", Bytes("body"), kTestWrite, {}));
  const auto puts = transport_->log("PutObject");
  ASSERT_EQ(puts.size(), 3u);
  EXPECT_FALSE(puts[0].expect_continue);
  EXPECT_FALSE(puts[1].expect_continue);
  EXPECT_TRUE(puts[2].expect_continue);
}

TEST_F(S3ClientTest, BodiesAreUnsignedUnlessAskedFor) {
  EXPECT_OK(Store()->Put("a", Bytes("body"), kTestWrite, {}));
  setup_.client.sign_payload = true;
  EXPECT_OK(Store()->Put("b", Bytes("body"), kTestWrite, {}));
  const auto puts = transport_->log("PutObject");
  EXPECT_EQ(puts[0].call.Header("x-amz-content-sha256"), "UNSIGNED-PAYLOAD");
  EXPECT_EQ(puts[1].call.Header("x-amz-content-sha256").size(), 64u);
}

TEST_F(S3ClientTest, CompleteWaitsLongerThanOtherCalls) {
  setup_.client.timeouts.first_answer = milliseconds(1234);
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"x", kTestWrite}));
  const auto receipts = PutParts(upload.get(), 1);
  EXPECT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(transport_->log("UploadPart")[0].options.timeouts.first_answer, milliseconds(1234));
  EXPECT_EQ(transport_->log("CompleteMultipartUpload")[0].options.timeouts.first_answer, std::chrono::minutes(10));
  setup_.client.slow_answer = milliseconds(5);
  EXPECT_KIND(ErrorKind::kUploadGone, Store()->OpenUpload("x", upload->id()).ValueOrDie()->Complete(receipts, {}));
  EXPECT_EQ(transport_->log("CompleteMultipartUpload")[1].options.timeouts.first_answer, milliseconds(5));
}

}  // namespace
}  // namespace tailrace
