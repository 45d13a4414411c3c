#include "base/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tailrace {
namespace {

TEST(ProcessEnvironment, TellsUnsetFromEmpty) {
  ASSERT_EQ(::setenv("TAILRACE_ENVIRONMENT_TEST", "", 1), 0);
  EXPECT_EQ(ProcessEnvironment()("TAILRACE_ENVIRONMENT_TEST"), "");
  ASSERT_EQ(::setenv("TAILRACE_ENVIRONMENT_TEST", "a value", 1), 0);
  EXPECT_EQ(ProcessEnvironment()("TAILRACE_ENVIRONMENT_TEST"), "a value");
  ASSERT_EQ(::unsetenv("TAILRACE_ENVIRONMENT_TEST"), 0);
  EXPECT_EQ(ProcessEnvironment()("TAILRACE_ENVIRONMENT_TEST"), std::nullopt);
}

}  // namespace
}  // namespace tailrace
