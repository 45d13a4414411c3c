#include "store/s3/s3_key.h"

#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

TEST(S3Key, AnyUnicodeBlanksDotsAndEmptySegmentsAreGood) {
  for (const std::string& key :
       {std::string("a"), std::string("a//b"), std::string("a/../b"), std::string("."), std::string(" "),
        std::string("\xc3\xa9\xe6\x97\xa5\xf0\x9f\x8c\x8a\xed\x9f\xbf\xf4\x8f\xbf\xbf"), std::string(1024, 'k')}) {
    EXPECT_OK(CheckNewKey(key));
  }
}

TEST(S3Key, WhatNoListingCanHoldIsRefusedWithAReason) {
  const std::pair<std::string, const char*> rows[] = {
      {"", "is empty"},
      {"/a", "begins with '/'"},
      {"a/", "ends in '/'"},
      {std::string("a\0b", 3), "NUL"},
      {"a\nb", "control character"},
      {"a\x7f", "control character"},
      {std::string(1025, 'k'), "has 1025 bytes"},
      {"\xff", "UTF-8"},
      {"\xc3", "UTF-8"},              // cut
      {"\xc0\xaf", "UTF-8"},          // overlong
      {"\xe0\x80\xaf", "UTF-8"},      // overlong
      {"\xed\xa0\x80", "UTF-8"},      // a surrogate
      {"\xf4\x90\x80\x80", "UTF-8"},  // beyond Unicode
      {"a\x80", "UTF-8"},
  };
  for (const auto& [key, why] : rows) {
    const Status status = CheckNewKey(key);
    EXPECT_KIND(ErrorKind::kInvalid, status);
    EXPECT_NE(status.message().find(why), std::string::npos) << status.message();
    EXPECT_EQ(status.message().find('\n'), std::string::npos);
  }
}

TEST(S3Key, ReadingIsLessStrict) {
  EXPECT_OK(CheckKey("a/"));
  EXPECT_OK(CheckKey("a\nb"));
  EXPECT_KIND(ErrorKind::kInvalid, CheckKey(""));
  EXPECT_KIND(ErrorKind::kInvalid, CheckKey("/a"));
}

}  // namespace
}  // namespace tailrace
