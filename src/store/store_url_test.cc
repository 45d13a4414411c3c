#include "store/store_url.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tailrace/store.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using ::testing::HasSubstr;

TEST(StoreUrl, NamesAKey) {
  const struct {
    const char* url;
    const char* key;
  } rows[] = {
      {"file:///data/x.parquet", "data/x.parquet"},
      {"file:/data/x.parquet", "data/x.parquet"},
      {"FILE:///data/x", "data/x"},
      {"file:///data/My%20File%25.parquet", "data/My File%.parquet"},
      {"file:///a%3Fb%23c", "a?b#c"},
      {"file:///a/%2e%2e/b", "b"},
      {"/data/x.parquet", "data/x.parquet"},
      {"/data//y/./z/../x", "data/y/x"},
      {"/../../x", "x"},
      {"/data/100%25", "data/100%25"},
      {"x.parquet", "home/me/x.parquet"},
      {"./x", "home/me/x"},
      {"../x", "home/x"},
      {"./s3:/bucket/x", "home/me/s3:/bucket/x"},
      {"a:b", "home/me/a:b"},
      {"12:/x", "home/me/12:/x"},
      {"...", "home/me/..."},
  };
  for (const auto& row : rows) {
    ASSERT_OK_AND_ASSIGN(const std::string key, LocalKeyOf(row.url, "/home/me"));
    EXPECT_EQ(key, row.key) << row.url;
  }
}

TEST(StoreUrl, RefusesWhatNamesNoObjectHere) {
  const struct {
    std::string url;
    const char* says;
  } rows[] = {
      {"", "empty"},
      {"s3://bucket/x", "'s3' is unknown"},
      {"s3:/bucket/x", "'s3' is unknown"},
      {"gs://bucket/x", "knows: file"},
      {"memory://m/x", "'memory' is unknown"},
      {"file://host/x", "names no host"},
      {"file://x", "names no host"},
      {"file:x", "absolute path"},
      {"file:", "absolute path"},
      {"file:///", "names a folder"},
      {"file:///data/", "names a folder"},
      {"/", "names a folder"},
      {"data/", "names a folder"},
      {".", "names a folder"},
      {"..", "names a folder"},
      {"a/.", "names a folder"},
      {"a/..", "names a folder"},
      {"file:///a/%2e%2e", "names a folder"},
      {"file:///a%", "hex digits"},
      {"file:///a%2", "hex digits"},
      {"file:///a%zz", "hex digits"},
      {"file:///a%2Fb", "%2F"},
      {"file:///a%00b", "NUL"},
      {std::string("/a\0b", 4), "NUL"},
  };
  for (const auto& row : rows) {
    const Result<std::string> key = LocalKeyOf(row.url, "/home/me");
    EXPECT_KIND(ErrorKind::kInvalid, key);
    EXPECT_THAT(key.status().message(), HasSubstr(row.says)) << row.url;
  }
}

TEST(LocalKeyOf, ShowsNoSecretOfAUrl) {
  for (const std::string url : {"http://me:hush@host/x", "s3x://b/k?token=hush", "s3x://me:hu?hush@b/k", "x://b/k#hush",
                                "x:/me:hush@b", "x://b/k?a=hush@b", "file://me:hush@host/x"}) {
    const std::string message = LocalKeyOf(url, "/home/me").status().message();
    EXPECT_THAT(message, Not(HasSubstr("hush"))) << url;
    EXPECT_THAT(message, HasSubstr(url.substr(0, url.find(':')))) << url;
  }
}

TEST(OpenStore, TheTargetOfAKeyOpensAgain) {
  for (const std::string name : {"x.parquet", "a b", "50%", "x%2Fy", "q=1&r?s#t", "\xc3\xa9", "...", "a:b"}) {
    ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenStore("/data/" + name));
    EXPECT_EQ(at.key, "data/" + name);
    const Target target = at.store->TargetOf(at.key);
    EXPECT_EQ(target.kind, "file");
    ASSERT_OK_AND_ASSIGN(const StoreAndKey again, OpenStore(target.ToUrl()));
    EXPECT_EQ(again.key, at.key);
    EXPECT_EQ(again.store->TargetOf(again.key), target);
  }
}

TEST(OpenStore, APathStartsAtTheWorkingFolder) {
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenStore("x.parquet"));
  EXPECT_EQ("/" + at.key, (std::filesystem::current_path() / "x.parquet").string());
}

TEST(OpenStore, UrlsOfS3OpenThatStore) {
  StoreOptions options;
  options.s3.anonymous = true;
  options.s3.region = "eu-west-1";
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenStore("s3://bucket/a/b.parquet", options));
  const Target target = at.store->TargetOf(at.key);
  EXPECT_EQ(target.kind, "s3");
  EXPECT_EQ(target.ToUrl(), "s3://bucket/a/b.parquet");
  EXPECT_EQ(target.region, "eu-west-1");
  ASSERT_OK_AND_ASSIGN(const StoreAndKey again, OpenTarget(target, options));
  EXPECT_EQ(again.store->TargetOf(again.key), target);
  // A mistyped URL is never the name of a local file.
  EXPECT_KIND(ErrorKind::kInvalid, OpenStore("s3:/bucket/x", options));
}

TEST(OpenStore, RefusesTheFolderOfUploads) { EXPECT_KIND(ErrorKind::kInvalid, OpenStore("/data/.tailrace/x")); }

}  // namespace
}  // namespace tailrace
