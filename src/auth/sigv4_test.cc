// Vectors that AWS has published. Requests by the thousand are compared with botocore in tests/auth/.
#include "auth/sigv4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/iso_time.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// S3 API, "Authenticating Requests: Using the Authorization Header" and "... Using Query Parameters".
const Credentials kS3{.access_key_id = "AKIAIOSFODNN7EXAMPLE",
                      .secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"};
const SigningScope kScope{.region = "us-east-1"};
const HttpUrl kBucket{.scheme = "https", .host = "examplebucket.s3.amazonaws.com"};
Timestamp S3Time() { return *ParseIsoTime("2013-05-24T00:00:00Z"); }

std::string SignatureOf(const HttpRequest& request) {
  const std::string value = request.headers.Get("Authorization").value_or("");
  return value.substr(std::min(value.find("Signature="), value.size()));
}

TEST(SigV4, S3GetObject) {
  HttpRequest request{.method = "GET", .url = kBucket};
  request.url.path = "/test.txt";
  request.headers.Add("Range", "bytes=0-9");
  SignRequest(&request, kS3, kScope, S3Time(), kEmptyPayloadHash);
  EXPECT_EQ(request.headers.Get("authorization"),
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  EXPECT_EQ(request.headers.Get("x-amz-date"), "20130524T000000Z");
}

TEST(SigV4, S3PutObject) {
  HttpRequest request{.method = "PUT", .url = kBucket};
  request.url.path = "/" + UriEncode("test$file.text", true);
  request.headers = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"}, {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  request.body.Append(ByteSlice::Copy("Welcome to "));
  request.body.Append(ByteSlice::Copy("Amazon S3."));
  SignRequest(&request, kS3, kScope, S3Time(), Sha256Hex(request.body));
  EXPECT_EQ(SignatureOf(request), "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

TEST(SigV4, S3GetBucketLifecycle) {
  HttpRequest request{.method = "GET", .url = kBucket};
  request.url.query = "lifecycle";
  SignRequest(&request, kS3, kScope, S3Time(), Sha256Hex({}));
  EXPECT_EQ(SignatureOf(request), "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
}

TEST(SigV4, S3ListObjects) {
  HttpRequest request{.method = "GET", .url = kBucket};
  request.url.query = EncodeQuery({{"prefix", "J"}, {"max-keys", "2"}});
  SignRequest(&request, kS3, kScope, S3Time(), kEmptyPayloadHash);
  EXPECT_EQ(SignatureOf(request), "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(SigV4, S3PresignedUrl) {
  HttpUrl url = kBucket;
  url.path = "/test.txt";
  ASSERT_OK_AND_ASSIGN(const HttpUrl presigned,
                       PresignUrl("GET", url, kS3, kScope, S3Time(), std::chrono::seconds(86400)));
  EXPECT_EQ(presigned.ToString(),
            "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
            "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
}

// AWS's test suite of the signing process ("aws-sig-v4-test-suite"), by the names of its cases.
struct SuiteCase {
  const char* name;
  const char* method;
  const char* path;
  const char* query;
  HttpHeaders headers;
  const char* body;
  const char* signature;
};

std::vector<SuiteCase> Suite() {
  return {
      {"get-vanilla", "GET", "/", "", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"post-vanilla", "POST", "/", "", {}, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
      {"get-vanilla-query-order-key-case",
       "GET",
       "/",
       "Param2=value2&Param1=value1",
       {},
       "",
       "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {"get-vanilla-utf8-query",
       "GET",
       "/",
       "%E1%88%B4=bar",
       {},
       "",
       "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
      {"get-utf8", "GET", "/%E1%88%B4", "", {}, "", "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
      {"get-header-value-trim",
       "GET",
       "/",
       "",
       {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}},
       "",
       "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
      {"get-header-value-order",
       "GET",
       "/",
       "",
       {{"My-Header1", "value4"}, {"My-Header1", "value1"}, {"My-Header1", "value3"}, {"My-Header1", "value2"}},
       "",
       "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"},
      {"post-header-key-sort",
       "POST",
       "/",
       "",
       {{"My-Header1", "value1"}},
       "",
       "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"},
      {"post-x-www-form-urlencoded",
       "POST",
       "/",
       "",
       {{"Content-Type", "application/x-www-form-urlencoded"}},
       "Param1=value1",
       "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
  };
}

TEST(SigV4, AwsTestSuite) {
  const Credentials credentials{.access_key_id = "AKIDEXAMPLE",
                                .secret_access_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};
  for (const SuiteCase& one : Suite()) {
    HttpRequest request{
        .method = one.method,
        .url = {.scheme = "https", .host = "example.amazonaws.com", .path = one.path, .query = one.query},
        .headers = one.headers};
    request.body.Append(ByteSlice::Copy(one.body));
    SignRequest(&request, credentials, {.region = "us-east-1", .service = "service"},
                *ParseIsoTime("2015-08-30T12:36:00Z"), Sha256Hex(request.body));
    EXPECT_EQ(SignatureOf(request), std::string("Signature=") + one.signature) << one.name;
  }
}

TEST(SigV4, SigningAgainReplacesTheOldSignature) {
  HttpRequest once{.method = "GET", .url = kBucket};
  HttpRequest twice = once;
  Credentials temporary = kS3;
  temporary.session_token = "old token";
  SignRequest(&twice, temporary, kScope, S3Time() + std::chrono::hours(1), kUnsignedPayload);
  EXPECT_EQ(twice.headers.Get("x-amz-security-token"), "old token");
  SignRequest(&twice, kS3, kScope, S3Time(), kEmptyPayloadHash);
  SignRequest(&once, kS3, kScope, S3Time(), kEmptyPayloadHash);
  EXPECT_EQ(SignatureOf(twice), SignatureOf(once));
  EXPECT_EQ(twice.headers.fields().size(), once.headers.fields().size());
}

TEST(SigV4, WhatChangesOnTheWayIsNotSigned) {
  HttpRequest request{.method = "GET", .url = kBucket};
  SignRequest(&request, kS3, kScope, S3Time(), kEmptyPayloadHash);
  const std::string signature = SignatureOf(request);
  request.headers.Add("User-Agent", "tailrace");
  request.headers.Add("Expect", "100-continue");
  SignRequest(&request, kS3, kScope, S3Time(), kEmptyPayloadHash);
  EXPECT_EQ(SignatureOf(request), signature);
}

TEST(SigV4, AnonymousRequestsStayAsTheyAre) {
  HttpRequest request{.method = "GET", .url = kBucket};
  SignRequest(&request, {}, kScope, S3Time(), kEmptyPayloadHash);
  EXPECT_TRUE(request.headers.fields().empty());
}

TEST(PresignUrl, TellsWhatItCannotSign) {
  using std::chrono::seconds;
  EXPECT_OK(PresignUrl("PUT", kBucket, kS3, kScope, S3Time(), seconds(7 * 86400)));
  EXPECT_KIND(ErrorKind::kInvalid, PresignUrl("PUT", kBucket, kS3, kScope, S3Time(), seconds(7 * 86400 + 1)));
  EXPECT_KIND(ErrorKind::kInvalid, PresignUrl("PUT", kBucket, kS3, kScope, S3Time(), seconds(0)));
  EXPECT_KIND(ErrorKind::kInvalid, PresignUrl("PUT", kBucket, {}, kScope, S3Time(), seconds(60)));
}

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(Sha256Hex({}), kEmptyPayloadHash);
  // FIPS 180-2, appendix B.1; RFC 4231, test case 2.
  EXPECT_EQ(ToHex(Sha256(std::string_view("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(ToHex(HmacSha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace
}  // namespace tailrace
