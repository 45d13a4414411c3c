#include "tailrace/version.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(Version, IsTheFirstLineOfTheFile) {
  std::ifstream file(TAILRACE_VERSION_FILE);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ(LibraryVersion(), line);
}

}  // namespace
}  // namespace tailrace
