#include "base/clock.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(SystemClock, TellsTheTimeOfTheSystem) {
  const auto before = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
  const Timestamp now = Clock::System()->Now();
  EXPECT_GE(now, before);
  EXPECT_LE(now, std::chrono::system_clock::now());
}

TEST(SystemClock, SleepsAtLeastAsLongAsAsked) {
  const auto start = Clock::System()->Steady();
  Clock::System()->SleepFor(std::chrono::milliseconds(5));
  EXPECT_GE(Clock::System()->Steady() - start, std::chrono::milliseconds(5));
}

}  // namespace
}  // namespace tailrace
