#include "http/retry_budget.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

int RetriesLeft(RetryBudget* budget) {
  int retries = 0;
  while (budget->TakeForRetry()) ++retries;
  return retries;
}

TEST(RetryBudget, ADeadStoreUsesItUp) {
  RetryBudget budget;
  EXPECT_EQ(RetriesLeft(&budget), 100);
  EXPECT_FALSE(budget.TakeForRetry());
}

TEST(RetryBudget, SuccessesFillItAgain) {
  RetryBudget budget;
  RetriesLeft(&budget);
  for (int i = 0; i < 4; ++i) budget.OnSuccess(false);
  EXPECT_FALSE(budget.TakeForRetry());
  budget.OnSuccess(false);
  EXPECT_TRUE(budget.TakeForRetry());
  budget.OnSuccess(true);
  EXPECT_EQ(RetriesLeft(&budget), 1) << "a success after a retry gives back what that took";
}

TEST(RetryBudget, NeverHoldsMoreThanItsCapacity) {
  RetryBudget budget;
  for (int i = 0; i < 1000; ++i) budget.OnSuccess(true);
  EXPECT_EQ(RetriesLeft(&budget), 100);
}

TEST(RetryBudget, OneFailureInFiftyNeverUsesItUp) {
  RetryBudget budget;
  for (int i = 0; i < 100'000; ++i) {
    if (i % 50 == 0) {
      ASSERT_TRUE(budget.TakeForRetry()) << i;
    }
    budget.OnSuccess(i % 50 == 0);
  }
}

}  // namespace
}  // namespace tailrace
