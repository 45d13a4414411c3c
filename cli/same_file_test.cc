#include "cli/same_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

namespace fs = std::filesystem;

class SameFileTest : public testing::Test {
 protected:
  SameFileTest() {
    std::string pattern = (fs::temp_directory_path() / "tailrace-same-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(At("there")) << "x";
  }
  ~SameFileTest() override { fs::remove_all(folder_); }

  std::string At(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

TEST_F(SameFileTest, OneFileUnderSeveralNamesIsFound) {
  fs::create_symlink(At("there"), At("link"));
  fs::create_hard_link(At("there"), At("hard"));
  for (const std::string& other : {At("there"), At("link"), At("hard"), folder_ + "/./there", folder_ + "//there"}) {
    const Status status = CheckDistinct({{"input", other}}, {{"target", At("there")}});
    EXPECT_EQ(KindOf(status), ErrorKind::kInvalid) << other;
    EXPECT_THAT(status.message(), testing::AllOf(testing::HasSubstr("target"), testing::HasSubstr("input")));
  }
}

TEST_F(SameFileTest, FilesThatAreNotThereYetAreTold) {
  EXPECT_FALSE(CheckDistinct({}, {{"target", At("new")}, {"--state", folder_ + "/./new"}}).ok());
  EXPECT_TRUE(CheckDistinct({}, {{"target", At("new")}, {"--state", At("other")}}).ok());
}

TEST_F(SameFileTest, InputsMayBeRepeatedAndPipesAreNoFiles) {
  EXPECT_TRUE(CheckDistinct({{"input", At("there")}, {"input", At("there")}}, {{"target", At("new")}}).ok());
  EXPECT_TRUE(CheckDistinct({{"input", "/dev/null"}}, {{"target", "/dev/null"}}).ok());
  EXPECT_TRUE(CheckDistinct({{"input", At("there")}}, {{"target", ""}, {"--state", ""}}).ok());
}

}  // namespace
}  // namespace tailrace::cli
