#include "auth/uri_encode.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(UriEncode, KeepsOnlyTheUnreserved) {
  EXPECT_EQ(UriEncode("AZaz09-_.~", false), "AZaz09-_.~");
  EXPECT_EQ(UriEncode("a/b", false), "a%2Fb");
  EXPECT_EQ(UriEncode("a/../b//c", true), "a/../b//c");
  EXPECT_EQ(UriEncode(" +=&%:,;@!*'()[]{}$?#\\\"<>^`|", false),
            "%20%2B%3D%26%25%3A%2C%3B%40%21%2A%27%28%29%5B%5D%7B%7D%24%3F%23%5C%22%3C%3E%5E%60%7C");
  EXPECT_EQ(UriEncode("\xc3\xa4\xe2\x82\xac\xf0\x9f\x8c\x8a", false), "%C3%A4%E2%82%AC%F0%9F%8C%8A");
}

TEST(UriEncode, EveryByteIsOneOrThreeCharacters) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const std::string encoded = UriEncode(std::string_view(&c, 1), false);
    if (encoded.size() == 1) {
      EXPECT_EQ(encoded[0], c);
    } else {
      ASSERT_EQ(encoded.size(), 3u);
      EXPECT_EQ(std::stoi(encoded.substr(1), nullptr, 16), byte);
    }
  }
}

TEST(EncodeQuery, SortsByTheEncodedBytes) {
  EXPECT_EQ(EncodeQuery({}), "");
  EXPECT_EQ(EncodeQuery({{"uploads", ""}}), "uploads=");
  EXPECT_EQ(EncodeQuery({{"prefix", "a/b c"}, {"delimiter", "/"}, {"prefix", "A"}}),
            "delimiter=%2F&prefix=A&prefix=a%2Fb%20c");
  EXPECT_EQ(EncodeQuery({{"a~", "1"}, {"a\x7f", "2"}, {"a1", "3"}, {"a", "4"}}), "a=4&a%7F=2&a1=3&a~=1");
}

}  // namespace
}  // namespace tailrace
