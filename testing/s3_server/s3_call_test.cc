#include "testing/s3_server/s3_call.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

S3Call Parse(const std::string& method, const std::string& target, HttpHeaders headers = {{"Host", "127.0.0.1:9000"}}) {
  const auto parsed = ParseS3Call({.method = method, .target = target, .headers = std::move(headers)}, "localhost");
  EXPECT_TRUE(std::holds_alternative<S3Call>(parsed)) << target;
  return std::get<S3Call>(parsed);
}

std::string CodeOf(const std::string& target) {
  const auto parsed = ParseS3Call({.method = "GET", .target = target}, "localhost");
  const auto* const error = std::get_if<S3Error>(&parsed);
  return error == nullptr ? "" : error->code;
}

TEST(S3Call, PathNamesBucketAndKey) {
  const S3Call call = Parse("PUT", "/bucket/a%20b/c%2Bd?partNumber=7&uploadId=x%2F%2B");
  EXPECT_EQ(call.bucket, "bucket");
  EXPECT_EQ(call.key, "a b/c+d");
  EXPECT_EQ(call.operation, "UploadPart");
  EXPECT_EQ(call.part_number(), 7);
  EXPECT_EQ(call.Query("uploadId"), "x/+");
  EXPECT_FALSE(call.virtual_host);
}

TEST(S3Call, HostNamesBucket) {
  const S3Call call = Parse("GET", "/a/b", {{"Host", "my.bucket.localhost:9000"}});
  EXPECT_EQ(call.bucket, "my.bucket");
  EXPECT_EQ(call.key, "a/b");
  EXPECT_TRUE(call.virtual_host);
}

TEST(S3Call, EveryOperationIsKnownByItsShape) {
  EXPECT_EQ(Parse("PUT", "/b/k").operation, "PutObject");
  EXPECT_EQ(Parse("GET", "/b/k").operation, "GetObject");
  EXPECT_EQ(Parse("HEAD", "/b/k").operation, "HeadObject");
  EXPECT_EQ(Parse("DELETE", "/b/k").operation, "DeleteObject");
  EXPECT_EQ(Parse("POST", "/b/k?uploads").operation, "CreateMultipartUpload");
  EXPECT_EQ(Parse("POST", "/b/k?uploadId=u").operation, "CompleteMultipartUpload");
  EXPECT_EQ(Parse("DELETE", "/b/k?uploadId=u").operation, "AbortMultipartUpload");
  EXPECT_EQ(Parse("GET", "/b/k?uploadId=u").operation, "ListParts");
  EXPECT_EQ(Parse("GET", "/b?uploads").operation, "ListMultipartUploads");
  EXPECT_EQ(Parse("GET", "/b/?list-type=2").operation, "ListObjectsV2");
  EXPECT_EQ(Parse("POST", "/b?delete").operation, "DeleteObjects");
  EXPECT_EQ(Parse("PUT", "/b").operation, "CreateBucket");
  EXPECT_EQ(Parse("PUT", "/b/k?partNumber=1&uploadId=u", {{"Host", "h"}, {"x-amz-copy-source", "b/s"}}).operation,
            "UploadPartCopy");
  EXPECT_EQ(Parse("PATCH", "/b/k").operation, "");
}

// SigV4 signs one encoding alone; a client that sends another works by luck.
TEST(S3Call, PathMustBeEncodedAsItIsSigned) {
  EXPECT_EQ(CodeOf("/b/a+b"), "InvalidURI");
  EXPECT_EQ(CodeOf("/b/a%2fb"), "InvalidURI");  // lower case
  EXPECT_EQ(CodeOf("/b/%41"), "InvalidURI");    // needs none
  EXPECT_EQ(CodeOf("/b/a%2"), "InvalidURI");
  EXPECT_EQ(CodeOf("/b/a%zz"), "InvalidURI");
  EXPECT_EQ(CodeOf("/b/a?x=%"), "InvalidURI");
  EXPECT_EQ(CodeOf("/b/a?x=1&x=2"), "InvalidArgument");
  EXPECT_EQ(CodeOf("/b/a%2Bb~_-."), "");
}

}  // namespace
}  // namespace tailrace
