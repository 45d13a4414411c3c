#include "store/s3/s3_resolve.h"

#include <gtest/gtest.h>

#include "testing/fake_environment.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using Variables = std::map<std::string, std::string>;

Result<S3Place> Resolve(const std::string& url, const S3Options& options = {}, Variables variables = {},
                        std::optional<std::string> profile_region = std::nullopt,
                        std::optional<std::string> profile_endpoint = std::nullopt) {
  ARROW_ASSIGN_OR_RAISE(const S3Url parsed, ParseS3Url(url));
  const auto endpoint = [&]() -> Result<std::optional<HttpUrl>> {
    if (!profile_endpoint) return std::nullopt;
    ARROW_ASSIGN_OR_RAISE(HttpUrl said, HttpUrl::Parse(*profile_endpoint));
    return said;
  };
  return ResolveS3Place(parsed, options, FakeEnvironment(std::move(variables)),
                        {.region = [&] { return profile_region; }, .endpoint = endpoint});
}

std::string UrlOf(const S3Place& place, const std::string& key) {
  HttpUrl url = place.BaseUrl(place.FirstRegion());
  url.path = place.PathOf(key);
  return url.ToString();
}

TEST(S3Resolve, AddressesAsTheServiceWants) {
  struct Row {
    const char* url;
    S3Options options;
    Variables variables;
    const char* wire;
  };
  const S3Options path{.addressing = S3Addressing::kPath}, host{.addressing = S3Addressing::kVirtualHost};
  const S3Options own{.endpoint = "http://127.0.0.1:9000"}, region{.region = "eu-west-1"};
  const Row rows[] = {
      {"s3://bucket/a b", region, {}, "https://bucket.s3.eu-west-1.amazonaws.com/a%20b"},
      {"s3://bucket/k", {}, {}, "https://bucket.s3.us-east-1.amazonaws.com/k"},
      {"s3://bucket/k", path, {}, "https://s3.us-east-1.amazonaws.com/bucket/k"},
      // A dot does not fit the certificate, C39; an explicit setting still wins.
      {"s3://my.dotted.bucket/k", {}, {}, "https://s3.us-east-1.amazonaws.com/my.dotted.bucket/k"},
      {"https://my.dotted.bucket.s3.eu-west-1.amazonaws.com/k",
       {},
       {},
       "https://s3.eu-west-1.amazonaws.com/my.dotted.bucket/k"},
      {"s3://my.dotted.bucket/k", host, {}, "https://my.dotted.bucket.s3.us-east-1.amazonaws.com/k"},
      {"s3://local_bucket/k", {}, {}, "https://s3.us-east-1.amazonaws.com/local_bucket/k"},
      {"s3://bucket/k", own, {}, "http://127.0.0.1:9000/bucket/k"},
      {"s3://bucket/k", {}, {{"AWS_ENDPOINT_URL", "http://a:1"}}, "http://a:1/bucket/k"},
      {"s3://bucket/k",
       {},
       {{"AWS_ENDPOINT_URL", "http://a:1"}, {"AWS_ENDPOINT_URL_S3", "https://b"}},
       "https://b/bucket/k"},
      {"s3://bucket/k", {}, {{"AWS_ENDPOINT", "https://c/"}}, "https://c/bucket/k"},
      {"s3://bucket/k", own, {{"AWS_ENDPOINT_URL", "http://a:1"}}, "http://127.0.0.1:9000/bucket/k"},
      // What the URL says comes first.
      {"s3::https://d/bucket/k", own, {{"AWS_ENDPOINT_URL", "http://a:1"}}, "https://d/bucket/k"},
      {"https://bucket.s3.eu-west-1.amazonaws.com/k",
       own,
       {{"AWS_ENDPOINT_URL", "http://a:1"}},
       "https://bucket.s3.eu-west-1.amazonaws.com/k"},
      {"s3://bucket/k",
       {.endpoint = "https://s3.ap-south-1.amazonaws.com"},
       {},
       "https://bucket.s3.ap-south-1.amazonaws.com/k"},
      {"s3://bucket/k", {.region = "cn-north-1"}, {}, "https://bucket.s3.cn-north-1.amazonaws.com.cn/k"},
      {"https://bucket.s3.dualstack.us-west-2.amazonaws.com/k",
       {},
       {},
       "https://bucket.s3.dualstack.us-west-2.amazonaws.com/k"},
      {"r2://acc@bucket/k", {}, {}, "https://acc.r2.cloudflarestorage.com/bucket/k"},
      {"r2://bucket/k", {}, {{"CLOUDFLARE_ACCOUNT_ID", "env"}}, "https://env.r2.cloudflarestorage.com/bucket/k"},
      {"r2://acc@bucket/k", {}, {{"CLOUDFLARE_ACCOUNT_ID", "env"}}, "https://acc.r2.cloudflarestorage.com/bucket/k"},
      {"r2://acc.eu@bucket/k",
       {},
       {{"AWS_ENDPOINT_URL", "http://a:1"}},
       "https://acc.eu.r2.cloudflarestorage.com/bucket/k"},
      {"gs://bucket/k", {}, {{"AWS_ENDPOINT_URL", "http://a:1"}}, "https://storage.googleapis.com/bucket/k"},
      {"gs://bucket/k", own, {}, "http://127.0.0.1:9000/bucket/k"},
      {"https://bucket.storage.googleapis.com/k", {}, {}, "https://bucket.storage.googleapis.com/k"},
  };
  for (const Row& row : rows) {
    ASSERT_OK_AND_ASSIGN(const S3Place place, Resolve(row.url, row.options, row.variables));
    const S3Url url = ParseS3Url(row.url).ValueOrDie();
    EXPECT_EQ(UrlOf(place, url.key), row.wire) << row.url;
  }
}

TEST(S3Resolve, AddressesGatewaysWithAPathAndOldNamesOfBuckets) {
  const auto wire = [](const std::string& url, const S3Options& options) {
    return UrlOf(Resolve(url, options).ValueOrDie(), ParseS3Url(url).ValueOrDie().key);
  };
  EXPECT_EQ(wire("s3://bucket/k", {.endpoint = "http://[::1]:9000/"}), "http://[::1]:9000/bucket/k");
  EXPECT_EQ(wire("s3::http://[::1]:9000/bucket/k", {}), "http://[::1]:9000/bucket/k");
  EXPECT_EQ(wire("s3://bucket/k", {.endpoint = "https://h.example/storage/v1/s3/"}),
            "https://h.example/storage/v1/s3/bucket/k");
  EXPECT_EQ(wire("s3://bucket/k", {.endpoint = "https://h.example/s3", .addressing = S3Addressing::kVirtualHost}),
            "https://bucket.h.example/s3/k");
  EXPECT_EQ(wire("s3://My_Bucket/k", {}), "https://s3.us-east-1.amazonaws.com/My_Bucket/k");
}

TEST(S3Resolve, TheDialectFollowsFromWhereverTheEndpointComesFrom) {
  const std::string r2 = "https://acc.r2.cloudflarestorage.com";
  EXPECT_EQ(Resolve("s3://b/k")->dialect, S3Dialect::kAws);
  EXPECT_EQ(Resolve("s3://b/k", {.endpoint = "https://minio"})->dialect, S3Dialect::kOther);
  EXPECT_EQ(Resolve("s3://b/k", {.endpoint = r2})->dialect, S3Dialect::kR2);
  EXPECT_EQ(Resolve("s3://b/k", {}, {{"AWS_ENDPOINT_URL", r2}})->dialect, S3Dialect::kR2);
  EXPECT_EQ(Resolve("s3://b/k", {.endpoint = "https://storage.googleapis.com"})->dialect, S3Dialect::kGcs);
  EXPECT_EQ(Resolve("gs://b/k", {.endpoint = "http://127.0.0.1:1"})->dialect, S3Dialect::kGcs);
  EXPECT_EQ(Resolve("r2://b/k", {.endpoint = "https://r2.example.org"})->dialect, S3Dialect::kR2);
}

TEST(S3Resolve, RegionComesFromUrlThenOptionThenEnvironmentThenProfile) {
  const Variables both = {{"AWS_REGION", "eu-env-1"}, {"AWS_DEFAULT_REGION", "eu-def-1"}};
  const S3Options option{.region = "eu-opt-1"};
  const std::string url = "https://b.s3.eu-url-1.amazonaws.com/k";
  EXPECT_EQ(Resolve(url, option, both, "eu-pro-1")->region, "eu-url-1");
  EXPECT_EQ(Resolve("s3://b/k", option, both, "eu-pro-1")->region, "eu-opt-1");
  EXPECT_EQ(Resolve("s3://b/k", {}, both, "eu-pro-1")->region, "eu-env-1");
  EXPECT_EQ(Resolve("s3://b/k", {}, {{"AWS_DEFAULT_REGION", "eu-def-1"}}, "eu-pro-1")->region, "eu-def-1");
  EXPECT_EQ(Resolve("s3://b/k", {}, {}, "eu-pro-1")->region, "eu-pro-1");
  EXPECT_EQ(Resolve("s3://b/k")->region, "");
  EXPECT_EQ(Resolve("s3://b/k")->FirstRegion(), "us-east-1");
  // These services have one region, whatever AWS's variables say.
  EXPECT_EQ(Resolve("gs://b/k", {}, both, "eu-pro-1")->FirstRegion(), "auto");
  EXPECT_EQ(Resolve("r2://a@b/k", {}, both, "eu-pro-1")->FirstRegion(), "auto");
  EXPECT_EQ(Resolve("r2://a@b/k", option)->FirstRegion(), "eu-opt-1");
}

TEST(S3Resolve, EndpointComesFromOptionThenEnvironmentThenProfile) {
  const auto endpoint = [](const std::string& url, const S3Options& options, Variables variables) {
    return Resolve(url, options, std::move(variables), {}, "http://profile:1").ValueOrDie().endpoint;
  };
  EXPECT_EQ(endpoint("s3://b/k", {.endpoint = "http://option"}, {{"AWS_ENDPOINT_URL", "http://env"}}), "http://option");
  EXPECT_EQ(endpoint("s3://b/k", {}, {{"AWS_ENDPOINT_URL", "http://env"}}), "http://env");
  EXPECT_EQ(endpoint("s3://b/k", {}, {}), "http://profile:1");
  EXPECT_EQ(endpoint("s3://b/k", {}, {{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true"}}), "");
  EXPECT_EQ(endpoint("gs://b/k", {}, {}), "https://storage.googleapis.com") << "it is AWS's profile";
  EXPECT_EQ(endpoint("https://b.s3.eu-west-1.amazonaws.com/k", {}, {}), "") << "the URL names AWS";
}

TEST(S3Resolve, WhatIsMissingOrForbiddenIsNamed) {
  EXPECT_KIND(ErrorKind::kInvalid, Resolve("r2://bucket/k"));
  EXPECT_NE(Resolve("r2://bucket/k").status().message().find("CLOUDFLARE_ACCOUNT_ID"), std::string::npos);
  EXPECT_KIND(ErrorKind::kInvalid, Resolve("s3://b/k", {.endpoint = "http://h", .allow_http = false}));
  EXPECT_OK(Resolve("s3://b/k", {.endpoint = "https://h", .allow_http = false}));
  EXPECT_KIND(ErrorKind::kInvalid, Resolve("s3://b/k", {.endpoint = "h:9000"}));
  for (const char* endpoint : {"http://h/?x=1", "http://h//a", "http://h/a/../b", "http://h/a%20b", "http://h/a b"}) {
    SCOPED_TRACE(endpoint);
    EXPECT_KIND(ErrorKind::kInvalid, Resolve("s3://b/k", {.endpoint = endpoint}));
  }
  for (const char* endpoint : {"http://127.0.0.1:9000", "http://[::1]:9000"}) {
    EXPECT_OK(Resolve("s3://b/k", {.endpoint = endpoint}));
    EXPECT_KIND(ErrorKind::kInvalid,
                Resolve("s3://b/k", {.endpoint = endpoint, .addressing = S3Addressing::kVirtualHost}));
  }
}

TEST(S3Resolve, TargetsComeBackAsPlaces) {
  const S3Options own{.endpoint = "http://127.0.0.1:9000", .region = "r1"};
  for (const S3Place& place : {*Resolve("s3://bucket/k"), *Resolve("s3://bucket/k", own), *Resolve("r2://a@bucket/k"),
                               *Resolve("gs://bucket/k"), *Resolve("https://b.s3.eu-west-1.amazonaws.com/k")}) {
    const Target target = place.TargetOf("k");
    EXPECT_EQ(target.kind, "s3");
    ASSERT_OK_AND_ASSIGN(const S3Place again, S3Place::OfTarget(target));
    EXPECT_EQ(again.TargetOf("k"), target);
    EXPECT_EQ(UrlOf(again, "k"), UrlOf(place, "k"));
    EXPECT_EQ(again.dialect, place.dialect);
  }
}

TEST(S3Resolve, TargetsOfOtherKindsAndDamagedOnesAreRefused) {
  const Target good = Resolve("s3://bucket/k")->TargetOf("k");
  Target file = good, no_bucket = good, odd_addressing = good, odd_endpoint = good;
  file.kind = "file";
  no_bucket.bucket.clear();
  odd_addressing.addressing = "auto";
  odd_endpoint.endpoint = "not a url";
  for (const Target& target : {file, no_bucket, odd_addressing, odd_endpoint}) {
    EXPECT_KIND(ErrorKind::kBadState, S3Place::OfTarget(target));
  }
}

}  // namespace
}  // namespace tailrace
