#include "cli/customer_key.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tailrace/error.h"

namespace tailrace::cli {
namespace {

namespace fs = std::filesystem;

class CustomerKeyTest : public testing::Test {
 protected:
  CustomerKeyTest() {
    std::string pattern = (fs::temp_directory_path() / "tailrace-key-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~CustomerKeyTest() override { fs::remove_all(folder_); }

  arrow::Result<std::string> Read(const std::string& content) {
    std::ofstream(folder_ + "/key", std::ios::binary) << content;
    return ReadCustomerKey("--key-file", folder_ + "/key");
  }

  std::string folder_;
};

TEST_F(CustomerKeyTest, IsTakenAsItIsOrInBase64) {
  EXPECT_EQ(Read("0123456789abcdef0123456789ABCDEF").ValueOrDie(), "0123456789abcdef0123456789ABCDEF");
  const std::string encoded = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlBQkNERUY=";
  for (const char* end : {"", "\n", "\r\n"}) {
    EXPECT_EQ(Read(encoded + end).ValueOrDie(), "0123456789abcdef0123456789ABCDEF");
  }
  const std::string binary("\0\xff\n\x80 6789abcdef0123456789ABCDEFx", 32);
  EXPECT_EQ(Read(binary).ValueOrDie(), binary);
}

TEST_F(CustomerKeyTest, AnythingElseIsRefusedWithoutShowingIt) {
  for (const std::string content :
       {"", "short-secret", "0123456789abcdef0123456789ABCDEF\n", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlBQkNERU==",
        "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlBQkNERUZ=", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlBQkNERU!="}) {
    const auto status = Read(content).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kInvalid) << content;
    EXPECT_THAT(status.message(), testing::HasSubstr("--key-file"));
    if (content.empty()) continue;
    EXPECT_THAT(status.message(), testing::Not(testing::HasSubstr(content)));
  }
}

TEST_F(CustomerKeyTest, AFileThatNeverEndsIsNotReadToItsEnd) {
  EXPECT_EQ(KindOf(ReadCustomerKey("--key-file", "/dev/zero").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(ReadCustomerKey("--key-file", folder_ + "/none").status()), ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tailrace::cli
