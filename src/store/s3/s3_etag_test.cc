#include "store/s3/s3_etag.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

std::vector<PartReceipt> Tagged(const std::vector<std::string>& etags) {
  std::vector<PartReceipt> parts;
  for (const std::string& etag : etags) parts.push_back({.number = static_cast<int>(parts.size()) + 1, .etag = etag});
  return parts;
}

// MD5 of "a", of "b", and of the two digests together, by another library.
constexpr char kOfA[] = "0cc175b9c0f1b6a831c399e269772661";
constexpr char kOfB[] = "92eb5ffee6ae2fec3ad71c777531578f";
constexpr char kOfBoth[] = "\"96e024ba2074fe77e8e965ba43a704be-2\"";

TEST(MultipartEtag, IsTheDigestOfDigestsAndTheirNumber) {
  const std::string whole = MultipartEtag(Tagged({kOfA, kOfB}));
  EXPECT_EQ(whole, kOfBoth);
  EXPECT_EQ(MultipartEtag(Tagged({"\"" + std::string(kOfA) + "\"", kOfB})), whole);
  EXPECT_NE(MultipartEtag(Tagged({kOfB, kOfA})), whole);
}

TEST(MultipartEtag, IsEmptyWhereATagIsNoDigest) {
  for (const char* odd : {"", "\"\"", "\"OPAQUE+/=\"", "0cc175b9c0f1b6a831c399e26977266",
                          "zcc175b9c0f1b6a831c399e269772661", "0cc175b9c0f1b6a831c399e269772661-1"}) {
    EXPECT_EQ(MultipartEtag(Tagged({kOfA, odd})), "") << odd;
    EXPECT_FALSE(IsEtagOf("", Tagged({kOfA, odd}))) << odd;
  }
  EXPECT_EQ(MultipartEtag({}), "");
}

TEST(MultipartEtag, IsEmptyWhereATagOnlyLooksLikeADigest) {
  auto parts = Tagged({kOfA, kOfB});
  parts[1].sealed_etag = true;
  EXPECT_EQ(MultipartEtag(parts), "");
  EXPECT_FALSE(IsEtagOf(kOfBoth, parts));
}

TEST(MultipartEtag, IsComparedWithAndWithoutQuotes) {
  const auto parts = Tagged({kOfA, kOfB});
  const std::string whole = MultipartEtag(parts);
  EXPECT_TRUE(IsEtagOf(whole, parts));
  EXPECT_TRUE(IsEtagOf(whole.substr(1, whole.size() - 2), parts));
  EXPECT_FALSE(IsEtagOf("", parts));
  EXPECT_FALSE(IsEtagOf(kOfA, parts));
}

}  // namespace
}  // namespace tailrace
