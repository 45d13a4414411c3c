#include "base/base64.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

// RFC 4648, section 10.
TEST(Base64, GivesThePublishedVectors) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(EncodeBase64(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes);
  }
}

TEST(Base64, BytesComeBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(DecodeBase64(EncodeBase64(bytes)), bytes);
    bytes.push_back(static_cast<char>(i * 37));
  }
}

TEST(Base64, RefusesWhatIsNoEncoding) {
  for (const char* text :
       {"Zg", "Zg=", "Zg===", "Z===", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "Zg==Zg==", "====", "Z-9v"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tailrace
