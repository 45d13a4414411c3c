#include "testing/s3_server/s3_signature_check.h"

#include <gtest/gtest.h>

#include "testing/s3_server/s3_digests.h"

namespace tailrace {
namespace {

// The examples of S3's reference, "Signature Calculations for the Authorization Header" and "... Query Parameters".
const S3Key kKey{.access_key_id = "AKIAIOSFODNN7EXAMPLE",
                 .secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"};
const Timestamp kThen{std::chrono::seconds(1369353600)};  // 2013-05-24T00:00:00Z

HttpHeaders GetHeaders(const std::string& signature) {
  return {{"Host", "examplebucket.s3.amazonaws.com"},
          {"Range", "bytes=0-9"},
          {"x-amz-content-sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
          {"x-amz-date", "20130524T000000Z"},
          {"Authorization",
           "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
           "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=" +
               signature}};
}
const char kGetSignature[] = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41";

S3Call Get(HttpHeaders headers = GetHeaders(kGetSignature)) {
  return {.operation = "GetObject", .method = "GET", .raw_path = "/test.txt", .headers = std::move(headers)};
}

S3SignatureRules Rules() { return {.keys = {kKey}}; }

std::string CodeOf(const S3Call& call, const S3SignatureRules& rules = Rules(), Timestamp now = kThen) {
  const auto error = CheckSignature(call, rules, now);
  return error ? error->code : "";
}

TEST(S3SignatureCheck, PublishedGetIsAccepted) { EXPECT_EQ(CodeOf(Get()), ""); }

TEST(S3SignatureCheck, PublishedPutIsAccepted) {
  const S3Call put{
      .operation = "PutObject",
      .method = "PUT",
      .raw_path = "/test%24file.text",
      .headers = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                  {"Host", "examplebucket.s3.amazonaws.com"},
                  {"x-amz-content-sha256", "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"},
                  {"x-amz-date", "20130524T000000Z"},
                  {"x-amz-storage-class", "REDUCED_REDUNDANCY"},
                  {"Authorization",
                   "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders="
                   "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,Signature="
                   "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"}},
      .body = "Welcome to Amazon S3."};
  EXPECT_EQ(CodeOf(put), "");
  S3Call other = put;
  other.body += "!";
  EXPECT_EQ(CodeOf(other), "XAmzContentSHA256Mismatch");
}

TEST(S3SignatureCheck, PublishedPresignedUrlIsAccepted) {
  S3Call call{.operation = "GetObject",
              .method = "GET",
              .raw_path = "/test.txt",
              .headers = {{"Host", "examplebucket.s3.amazonaws.com"}}};
  call.query = {{"X-Amz-Algorithm", "AWS4-HMAC-SHA256"},
                {"X-Amz-Credential", "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"},
                {"X-Amz-Date", "20130524T000000Z"},
                {"X-Amz-Expires", "86400"},
                {"X-Amz-SignedHeaders", "host"},
                {"X-Amz-Signature", "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"}};
  EXPECT_EQ(CodeOf(call), "");
  EXPECT_EQ(CodeOf(call, Rules(), kThen + std::chrono::hours(23)), "");
  EXPECT_EQ(CodeOf(call, Rules(), kThen + std::chrono::hours(25)), "AccessDenied");
  call.query["X-Amz-Expires"] = "86401";
  EXPECT_EQ(CodeOf(call), "SignatureDoesNotMatch");
}

TEST(S3SignatureCheck, AnyChangeIsNoticed) {
  EXPECT_EQ(CodeOf(Get(GetHeaders(std::string(64, '0')))), "SignatureDoesNotMatch");
  S3Call path = Get();
  path.raw_path = "/test.txu";
  EXPECT_EQ(CodeOf(path), "SignatureDoesNotMatch");
  S3Call query = Get();
  query.query["versionId"] = "1";
  EXPECT_EQ(CodeOf(query), "SignatureDoesNotMatch");
  S3Call range = Get();
  range.headers.Set("Range", "bytes=0-8");
  EXPECT_EQ(CodeOf(range), "SignatureDoesNotMatch");
}

TEST(S3SignatureCheck, UnsignedHeadersAreRefused) {
  S3Call call = Get();
  call.headers.Add("x-amz-meta-a", "b");
  EXPECT_EQ(CodeOf(call), "AccessDenied");
}

TEST(S3SignatureCheck, ClockMayBeOffByAQuarterOfAnHour) {
  EXPECT_EQ(CodeOf(Get(), Rules(), kThen + std::chrono::minutes(14)), "");
  EXPECT_EQ(CodeOf(Get(), Rules(), kThen - std::chrono::minutes(14)), "");
  EXPECT_EQ(CodeOf(Get(), Rules(), kThen + std::chrono::minutes(16)), "RequestTimeTooSkewed");
  EXPECT_EQ(CodeOf(Get(), Rules(), kThen - std::chrono::minutes(16)), "RequestTimeTooSkewed");
}

TEST(S3SignatureCheck, KeysAreKnownExpiredOrDenied) {
  EXPECT_EQ(CodeOf(Get(), {.keys = {}}), "InvalidAccessKeyId");
  S3SignatureRules rules = Rules();
  rules.keys[0].expired = true;
  EXPECT_EQ(CodeOf(Get(), rules), "ExpiredToken");
  rules = Rules();
  rules.keys[0].session_token = "token";
  EXPECT_EQ(CodeOf(Get(), rules), "InvalidToken");
  rules = Rules();
  rules.keys[0].denied = {"GetObject"};
  EXPECT_EQ(CodeOf(Get(), rules), "AccessDenied");
}

TEST(S3SignatureCheck, AnonymousOnlyWhereAllowed) {
  EXPECT_EQ(CodeOf(Get({{"Host", "h"}})), "AccessDenied");
  S3SignatureRules rules = Rules();
  rules.allow_anonymous = true;
  EXPECT_EQ(CodeOf(Get({{"Host", "h"}}), rules), "");
}

TEST(S3SignatureCheck, WrongRegionIsAnsweredInFourWays) {
  S3SignatureRules rules = Rules();
  rules.region = "eu-central-1";
  auto error = CheckSignature(Get(), rules, kThen);
  EXPECT_EQ(error->code, "AuthorizationHeaderMalformed");
  EXPECT_EQ(error->elements.at("Region"), "eu-central-1");
  rules.wrong_region = WrongRegionAnswer::kRedirect301;
  error = CheckSignature(Get(), rules, kThen);
  EXPECT_EQ(error->status, 301);
  EXPECT_EQ(error->headers.Get("x-amz-bucket-region"), "eu-central-1");
  EXPECT_EQ(error->headers.Get("Location"), std::nullopt);
  rules.wrong_region = WrongRegionAnswer::kRedirect307;
  error = CheckSignature(Get(), rules, kThen);
  EXPECT_EQ(error->headers.Get("Location"), "http://examplebucket.s3.amazonaws.com/test.txt");
  rules.wrong_region = WrongRegionAnswer::kMalformedNoRegion;
  EXPECT_TRUE(CheckSignature(Get(), rules, kThen)->elements.empty());
}

TEST(S3SignatureCheck, AwsChunkedBodiesAreNotImplemented) {
  // The signature of a request that says so has to be right before that is looked at.
  S3Call call = Get();
  call.headers.Set("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
  EXPECT_EQ(CodeOf(call), "SignatureDoesNotMatch");
}

}  // namespace
}  // namespace tailrace
