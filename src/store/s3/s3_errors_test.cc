#include "store/s3/s3_errors.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

using std::chrono::milliseconds;

constexpr Timestamp kNow{std::chrono::seconds(1'767'225'600)};  // Thu, 01 Jan 2026 00:00:00 GMT

TEST(S3Errors, EveryAnswerHasItsRemedyAndKind) {
  struct Row {
    int status;
    const char* code;
    S3Remedy remedy;
    ErrorKind kind;
    const char* message = "";
  };
  const Row rows[] = {
      {503, "SlowDown", S3Remedy::kSlowDown, ErrorKind::kThrottled},
      {503, "", S3Remedy::kSlowDown, ErrorKind::kThrottled},
      {429, "", S3Remedy::kSlowDown, ErrorKind::kThrottled},
      {400, "ThrottlingException", S3Remedy::kSlowDown, ErrorKind::kThrottled},
      {200, "SlowDown", S3Remedy::kSlowDown, ErrorKind::kThrottled},
      {500, "InternalError", S3Remedy::kRepeat, ErrorKind::kTransient},
      {200, "InternalError", S3Remedy::kRepeat, ErrorKind::kTransient},
      {200, "SomethingNew", S3Remedy::kRepeat, ErrorKind::kTransient},
      {500, "", S3Remedy::kRepeat, ErrorKind::kTransient},
      {502, "", S3Remedy::kRepeat, ErrorKind::kTransient},
      {504, "", S3Remedy::kRepeat, ErrorKind::kTransient},
      {408, "", S3Remedy::kRepeat, ErrorKind::kTransient},
      {400, "RequestTimeout", S3Remedy::kRepeat, ErrorKind::kTransient},
      {400, "BadDigest", S3Remedy::kRepeat, ErrorKind::kTransient},
      {409, "OperationAborted", S3Remedy::kRepeat, ErrorKind::kTransient},
      {409, "ConditionalRequestConflict", S3Remedy::kRepeat, ErrorKind::kPrecondition},
      {409, "Whatever", S3Remedy::kRepeat, ErrorKind::kTransient, "this upload is already in progress"},
      {409, "Conflict", S3Remedy::kRepeat, ErrorKind::kTransient, "A completion is In Progress"},
      {409, "", S3Remedy::kRepeat, ErrorKind::kPrecondition},
      {412, "PreconditionFailed", S3Remedy::kNone, ErrorKind::kPrecondition},
      {412, "InvalidRequest", S3Remedy::kNone, ErrorKind::kPrecondition},
      {412, "", S3Remedy::kNone, ErrorKind::kPrecondition},
      {400, "ExpiredToken", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
      {403, "RequestTimeTooSkewed", S3Remedy::kCorrectClock, ErrorKind::kDenied},
      {400, "AuthorizationHeaderMalformed", S3Remedy::kOtherRegion, ErrorKind::kDenied},
      {301, "PermanentRedirect", S3Remedy::kOtherRegion, ErrorKind::kInvalid},
      {301, "", S3Remedy::kOtherRegion, ErrorKind::kInvalid},
      {307, "TemporaryRedirect", S3Remedy::kOtherRegion, ErrorKind::kInvalid},
      {302, "", S3Remedy::kNone, ErrorKind::kInvalid},
      {403, "AccessDenied", S3Remedy::kNone, ErrorKind::kDenied},
      {403, "SignatureDoesNotMatch", S3Remedy::kNone, ErrorKind::kDenied},
      {400, "InvalidToken", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
      {403, "InvalidAccessKeyId", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
      {403, "", S3Remedy::kNone, ErrorKind::kDenied},
      {404, "NoSuchUpload", S3Remedy::kNone, ErrorKind::kUploadGone},
      {404, "NoSuchKey", S3Remedy::kNone, ErrorKind::kNotFound},
      // A wrong endpoint or bucket must never look like an upload that is gone.
      {404, "NoSuchBucket", S3Remedy::kNone, ErrorKind::kNotFound},
      {404, "", S3Remedy::kNone, ErrorKind::kNotFound},
      {400, "InvalidPart", S3Remedy::kNone, ErrorKind::kPartMismatch},
      {400, "InvalidPartOrder", S3Remedy::kNone, ErrorKind::kInvalid},
      {400, "EntityTooSmall", S3Remedy::kNone, ErrorKind::kLimit},
      {400, "InvalidArgument", S3Remedy::kNone, ErrorKind::kLimit, "Part number must be an integer between 1 and 1000"},
      {400, "InvalidArgument", S3Remedy::kNone, ErrorKind::kInvalid, "bad storage class"},
      {400, "", S3Remedy::kNone, ErrorKind::kInvalid},
      {501, "NotImplemented", S3Remedy::kNone, ErrorKind::kInvalid},
      {501, "", S3Remedy::kNone, ErrorKind::kInvalid},
      {507, "", S3Remedy::kNone, ErrorKind::kNoSpace},
      {403, "QuotaExceeded", S3Remedy::kNone, ErrorKind::kNoSpace},
  };
  for (const Row& row : rows) {
    const S3Failure failure{.status = row.status, .code = row.code, .message = row.message};
    EXPECT_EQ(RemedyFor(failure), row.remedy) << row.status << " " << row.code;
    EXPECT_EQ(KindOfFailure(failure), row.kind) << row.status << " " << row.code;
  }
}

TEST(S3Errors, ARegionThatIsNamedIsFollowedWhateverTheCode) {
  EXPECT_EQ(RemedyFor({.status = 400, .code = "", .region = "eu-west-1"}), S3Remedy::kOtherRegion);
  EXPECT_EQ(RemedyFor({.status = 403, .code = "", .region = "eu-west-1"}), S3Remedy::kOtherRegion);
  EXPECT_EQ(RemedyFor({.status = 503, .code = "", .region = "eu-west-1"}), S3Remedy::kSlowDown);
}

TEST(S3Errors, ARegionThatStandsInTheMessageAloneIsRead) {
  const auto region = [](const std::string& message) {
    return ReadFailure(
               {.status = 400,
                .body = "<Error><Code>AuthorizationHeaderMalformed</Code><Message>" + message + "</Message></Error>"},
               true, kNow)
        ->region;
  };
  EXPECT_EQ(region("The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-west-1'"),
            "eu-west-1");
  EXPECT_EQ(region("the region is wrong; expecting 'eu-west-1"), "eu-west-1");
  EXPECT_EQ(region("expecting 'eu-west-1'"), "");
}

TEST(S3Errors, ADenialForWhatHasExpiredIsMendedByOtherCredentials) {
  EXPECT_EQ(RemedyFor({.status = 403, .code = "AccessDenied", .message = "The provided token has EXPIRED."}),
            S3Remedy::kRefreshCredentials);
  EXPECT_EQ(RemedyFor({.status = 403, .code = "AccessDenied", .message = "Access Denied"}), S3Remedy::kNone);
}

TEST(S3Errors, ReadsHeadersAndBodyTogether) {
  const HttpResponse answer{.status = 301,
                            .headers = {{"X-Amz-Bucket-Region", "eu-central-1"},
                                        {"x-amz-request-id", "R1"},
                                        {"Retry-After", "7"},
                                        {"Date", "Thu, 01 Jan 2026 00:10:00 GMT"}},
                            .body =
                                "\n <?xml version=\"1.0\"?><Error><Code>PermanentRedirect</Code><Message>m</Message>"
                                "<Endpoint>b.s3.eu-central-1.amazonaws.com</Endpoint></Error>"};
  const auto failure = ReadFailure(answer, true, kNow);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "PermanentRedirect");
  EXPECT_EQ(failure->region, "eu-central-1");
  EXPECT_EQ(failure->location, "b.s3.eu-central-1.amazonaws.com");
  EXPECT_EQ(failure->retry_after, milliseconds(7000));
  EXPECT_EQ(failure->server_time, kNow + std::chrono::minutes(10));
  EXPECT_EQ(Describe(*failure), "301 PermanentRedirect: m (request R1)");
}

TEST(S3Errors, A200WithAnErrorDocumentIsAFailureWhereItMayBe) {
  const HttpResponse answer{.status = 200, .body = "  \n<Error><Code>InternalError</Code></Error>"};
  ASSERT_TRUE(ReadFailure(answer, true, kNow));
  EXPECT_EQ(ReadFailure(answer, true, kNow)->code, "InternalError");
  EXPECT_FALSE(ReadFailure(answer, false, kNow)) << "the bytes of an object may look like that";
  EXPECT_FALSE(ReadFailure({.status = 200, .body = "<CompleteMultipartUploadResult/>"}, true, kNow));
  EXPECT_FALSE(ReadFailure({.status = 204}, true, kNow));
}

TEST(S3Errors, RetryAfterMayBeSecondsOrADate) {
  const auto wait = [](const char* value) {
    return ReadFailure({.status = 503, .headers = {{"Retry-After", value}}}, true, kNow)->retry_after;
  };
  EXPECT_EQ(wait("Thu, 01 Jan 2026 00:00:30 GMT"), milliseconds(30'000));
  EXPECT_EQ(wait("Wed, 31 Dec 2025 23:59:00 GMT"), std::nullopt);
  EXPECT_EQ(wait("0"), milliseconds(0));
  EXPECT_EQ(wait("Thursday, 01-Jan-26 00:00:30 GMT"), milliseconds(30'000));
  EXPECT_EQ(wait("Thu Jan  1 00:00:30 2026"), milliseconds(30'000));
  for (const char* ages : {"99999999999", "99999999999999999999999999", "Thu, 01 Jan 2099 00:00:00 GMT"}) {
    EXPECT_EQ(wait(ages), std::chrono::hours(24)) << ages;
  }
  for (const char* nothing : {"", "-5", "+5", "1.5", "1e3", "soon", "5 s", "0x10", "Thu, 01 Jan 2026 00:00:30 CET"}) {
    EXPECT_EQ(wait(nothing), std::nullopt) << nothing;
  }
}

TEST(S3Errors, ADateToWaitForIsOfTheServersClock) {
  const HttpResponse answer{
      .status = 503,
      .headers = {{"Date", "Thu, 01 Jan 2026 05:00:00 GMT"}, {"retry-after", "Thu, 01 Jan 2026 05:00:12 GMT"}}};
  EXPECT_EQ(ReadFailure(answer, true, kNow)->retry_after, milliseconds(12'000));
}

TEST(S3Errors, TheServersTimeMayStandInTheBodyAlone) {
  const HttpResponse answer{.status = 403,
                            .body =
                                "<Error><Code>RequestTimeTooSkewed</Code>"
                                "<ServerTime>2026-01-01T00:10:00Z</ServerTime></Error>"};
  EXPECT_EQ(ReadFailure(answer, true, kNow)->server_time, kNow + std::chrono::minutes(10));
}

TEST(S3Errors, WhatAServerSaysIsOneLineOfBoundedLength) {
  const S3Failure failure{.status = 400, .code = "Odd", .message = "a\nb\x1b[31m" + std::string(1000, 'x')};
  const std::string text = Describe(failure);
  EXPECT_EQ(text.find_first_of("\n\x1b"), std::string::npos);
  EXPECT_LT(text.size(), 400u);
}

}  // namespace
}  // namespace tailrace
