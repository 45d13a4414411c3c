#include "store/s3/s3_url.h"

#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

struct Row {
  const char* url;
  const char* bucket;
  const char* key;
  const char* endpoint = "";
  const char* region = "";
  std::optional<bool> virtual_host = {};
  std::optional<S3Dialect> dialect = {};
  bool is_aws = false;
  const char* account = "";
};

constexpr const char* kAccount = "0123456789abcdef0123456789abcdef";
const std::string kR2 = std::string("https://") + kAccount + ".r2.cloudflarestorage.com";
const std::string kR2Eu = std::string("https://") + kAccount + ".eu.r2.cloudflarestorage.com";
const std::string kR2Virtual = std::string("https://data1.") + kAccount + ".r2.cloudflarestorage.com/a/b";
const std::string kR2VirtualEu = std::string("https://data1.") + kAccount + ".eu.r2.cloudflarestorage.com/a";
const std::string kR2AtAccount = std::string("r2://") + kAccount + "@bucket/k";

TEST(S3Url, EveryFormIsRead) {
  const std::string r2_path = kR2 + "/bucket/a/b", r2_eu_path = kR2Eu + "/bucket/a";
  const Row rows[] = {
      {"s3://bucket/key", "bucket", "key"},
      {"S3A://bucket/a/b.parquet", "bucket", "a/b.parquet"},
      {"s3://bucket/", "bucket", ""},
      {"s3://bucket", "bucket", ""},
      {"s3://local_bucket/x", "local_bucket", "x"},
      {"s3://My.Old.Bucket/x/", "My.Old.Bucket", "x/"},
      {"s3://bucket/a%20b+c%2Fd%25", "bucket", "a b+c/d%"},
      {"s3://bucket/caf\xc3\xa9 ?#x", "bucket", "caf\xc3\xa9 ?#x"},
      {"s3://bucket/a/../b//c", "bucket", "a/../b//c"},

      {"s3::http://127.0.0.1:9000/bucket/k", "bucket", "k", "http://127.0.0.1:9000", "", false, S3Dialect::kOther},
      {"s3::https://minio.example/bucket/k", "bucket", "k", "https://minio.example", "", false, S3Dialect::kOther},
      {"S3::HTTPS://Minio.Example:443/b/k", "b", "k", "https://minio.example", "", false, S3Dialect::kOther},
      {"s3::http://[::1]:9000/bucket/k", "bucket", "k", "http://[::1]:9000", "", false, S3Dialect::kOther},
      {"s3::https://s3.eu-west-1.amazonaws.com/b/k", "b", "k", "", "eu-west-1", false, S3Dialect::kAws, true},

      {"https://s3.eu-central-1.amazonaws.com/bucket/k", "bucket", "k", "", "eu-central-1", false, S3Dialect::kAws,
       true},
      {"https://s3-us-west-2.amazonaws.com/bucket/k", "bucket", "k", "", "us-west-2", false, S3Dialect::kAws, true},
      {"https://s3.amazonaws.com/bucket/k", "bucket", "k", "", "", false, S3Dialect::kAws, true},
      {"https://bucket.s3.eu-west-1.amazonaws.com/a/b", "bucket", "a/b", "", "eu-west-1", true, S3Dialect::kAws, true},
      {"https://my.dotted.bucket.s3.eu-west-1.amazonaws.com/k", "my.dotted.bucket", "k", "", "eu-west-1", true,
       S3Dialect::kAws, true},
      {"https://s3.bucket.s3.eu-west-1.amazonaws.com/k", "s3.bucket", "k", "", "eu-west-1", true, S3Dialect::kAws,
       true},
      {"https://bucket.s3.cn-north-1.amazonaws.com.cn/k", "bucket", "k", "", "cn-north-1", true, S3Dialect::kAws, true},
      {"https://b.s3.dualstack.us-east-1.amazonaws.com/k", "b", "k", "https://s3.dualstack.us-east-1.amazonaws.com",
       "us-east-1", true, S3Dialect::kAws},

      {"r2://bucket/k", "bucket", "k", "", "", {}, S3Dialect::kR2},
      {kR2AtAccount.c_str(), "bucket", "k", "", "", {}, S3Dialect::kR2, false, kAccount},
      {r2_path.c_str(), "bucket", "a/b", kR2.c_str(), "", false, S3Dialect::kR2},
      {r2_eu_path.c_str(), "bucket", "a", kR2Eu.c_str(), "", false, S3Dialect::kR2},
      {kR2Virtual.c_str(), "data1", "a/b", kR2.c_str(), "", true, S3Dialect::kR2},
      {kR2VirtualEu.c_str(), "data1", "a", kR2Eu.c_str(), "", true, S3Dialect::kR2},

      {"gs://bucket/k", "bucket", "k", "", "", {}, S3Dialect::kGcs},
      {"https://storage.googleapis.com/bucket/k", "bucket", "k", "https://storage.googleapis.com", "", false,
       S3Dialect::kGcs},
      {"https://bucket.storage.googleapis.com/a/b", "bucket", "a/b", "https://storage.googleapis.com", "", true,
       S3Dialect::kGcs},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.url);
    EXPECT_TRUE(LooksLikeS3Url(row.url));
    ASSERT_OK_AND_ASSIGN(const S3Url url, ParseS3Url(row.url));
    EXPECT_EQ(url.bucket, row.bucket);
    EXPECT_EQ(url.key, row.key);
    EXPECT_EQ(url.endpoint, row.endpoint);
    EXPECT_EQ(url.region, row.region);
    EXPECT_EQ(url.virtual_host, row.virtual_host);
    EXPECT_EQ(url.dialect, row.dialect);
    EXPECT_EQ(url.is_aws, row.is_aws);
    EXPECT_EQ(url.account, row.account);
  }
}

TEST(S3Url, WhatIsWrongIsNamed) {
  const std::string long_key = "s3://bucket/" + std::string(1025, 'k');
  const std::pair<std::string, const char*> rows[] = {
      {"s3:/bucket/k", "'://' has to follow"},
      {"s3:///k", "bucket is missing"},
      {"s3://", "bucket is missing"},
      {"s3://b$/k", "letters, digits"},
      {"s3://../k", "letters, digits"},
      {"s3://bucket//k", "does not begin with '/'"},
      {"s3://bucket/50%", "two hex digits"},
      {"s3://bucket/%zz", "two hex digits"},
      {"s3://bucket/a%00b", "NUL"},
      {"s3://b%2Fc/k", "letters, digits"},
      {long_key, "1025 bytes"},
      {"s3::ftp://host/b/k", "http:// or https://"},
      {"s3::http://host:0/b/k", "port"},
      {"s3::http://user:secret@host/b/k", "user name"},
      {"https://minio.example/bucket/k", "none of AWS, R2 or Google"},
      {"http://s3.eu-west-1.amazonaws.com/bucket/k", "none of AWS"},
      {"https://bucket.s3.eu-west-1.amazonaws.com.evil.example/k", "none of AWS"},
      {"https://s3.eu-west-1.amazonaws.com/bucket/k?versionId=1", "query"},
      {"https://s3.eu-west-1.amazonaws.com/bucket/k#x", "fragment"},
      {"https://.r2.cloudflarestorage.com/bucket/k", "no account"},
      {"r2://a b@bucket/k", "before '@'"},
      {"r2://@bucket/k", "before '@'"},
      {"ftp://bucket/k", "none of s3"},
  };
  for (const auto& [url, why] : rows) {
    SCOPED_TRACE(url);
    const Result<S3Url> parsed = ParseS3Url(url);
    EXPECT_KIND(ErrorKind::kInvalid, parsed);
    EXPECT_NE(parsed.status().message().find(why), std::string::npos) << parsed.status().message();
    EXPECT_EQ(parsed.status().message().find("secret"), std::string::npos) << parsed.status().message();
  }
}

TEST(S3Url, LocalPathsAndOtherSchemesAreNotOfS3) {
  for (const char* url :
       {"", "x", "/data/x", "file:///x", "s3", "memory://m/x", "./s3://x", "s3x://b/k", "s3:x", "c:/x"}) {
    EXPECT_FALSE(LooksLikeS3Url(url)) << url;
  }
}

}  // namespace
}  // namespace tailrace
