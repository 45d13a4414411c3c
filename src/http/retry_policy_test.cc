#include "http/retry_policy.h"

#include <vector>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

using std::chrono::milliseconds;
using End = RetrySchedule::End;

constexpr RetrySchedule::Time kBegin{};
constexpr double kAlmostOne = 0.999999;

TEST(RetrySchedule, BoundsDoubleUpToTheCap) {
  RetrySchedule schedule({.max_attempts = 10}, kBegin);
  std::vector<int64_t> waits;
  while (auto wait = schedule.NextWait({}, kAlmostOne, kBegin)) waits.push_back(wait->count() + 1);
  EXPECT_EQ(waits, (std::vector<int64_t>{200, 400, 800, 1600, 3200, 6400, 10000, 10000, 10000}));
  EXPECT_EQ(schedule.attempts(), 10);
  EXPECT_EQ(schedule.end(), End::kAttempts);
}

TEST(RetrySchedule, WaitsAreDrawnFromZeroToTheBound) {
  for (double chance : {0.0, 0.25, 0.5, 0.75}) {
    RetrySchedule schedule({}, kBegin);
    EXPECT_EQ(schedule.NextWait({}, chance, kBegin), milliseconds(static_cast<int64_t>(200 * chance)));
    EXPECT_EQ(schedule.NextWait({}, chance, kBegin), milliseconds(static_cast<int64_t>(400 * chance)));
  }
}

TEST(RetrySchedule, WaitsAtLeastAsLongAsTheServerAsks) {
  RetrySchedule schedule({}, kBegin);
  EXPECT_EQ(schedule.NextWait(milliseconds(5000), 0.5, kBegin), milliseconds(5100));
  EXPECT_EQ(schedule.NextWait(milliseconds(0), 0.5, kBegin), milliseconds(200));
  EXPECT_EQ(schedule.NextWait(milliseconds(-7), 0, kBegin), milliseconds(0));
}

TEST(RetrySchedule, EndsBeforeTheTimeoutWouldPassWhileWaiting) {
  const RetryPolicy policy{.timeout = milliseconds(1000)};
  RetrySchedule schedule(policy, kBegin);
  EXPECT_TRUE(schedule.NextWait({}, kAlmostOne, kBegin + milliseconds(700)));
  EXPECT_FALSE(schedule.NextWait({}, kAlmostOne, kBegin + milliseconds(700)));  // 400 more
  EXPECT_EQ(schedule.end(), End::kTimeout);
  EXPECT_EQ(schedule.attempts(), 2);

  RetrySchedule asked(policy, kBegin);
  EXPECT_FALSE(asked.NextWait(milliseconds(1000), 0, kBegin)) << "Retry-After beyond the time-out";
  RetrySchedule late(policy, kBegin);
  EXPECT_FALSE(late.NextWait({}, 0, kBegin + milliseconds(1000)));
}

TEST(RetrySchedule, OneAttemptIsNeverFollowedByAnother) {
  RetrySchedule schedule({.max_attempts = 1}, kBegin);
  EXPECT_FALSE(schedule.NextWait({}, 0, kBegin));
  EXPECT_EQ(schedule.end(), End::kAttempts);
}

TEST(RetrySchedule, ManyAttemptsDoNotOverflow) {
  RetrySchedule schedule({.max_attempts = 200, .timeout = std::chrono::hours(1)}, kBegin);
  int waits = 0;
  while (auto wait = schedule.NextWait({}, kAlmostOne, kBegin)) {
    ASSERT_LE(*wait, milliseconds(10'000));
    ++waits;
  }
  EXPECT_EQ(waits, 199);
}

}  // namespace
}  // namespace tailrace
