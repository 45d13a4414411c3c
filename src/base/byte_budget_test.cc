#include "base/byte_budget.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(ByteBudget, TakesUpToTheLimitAndNoMore) {
  ByteBudget budget(10);
  EXPECT_TRUE(budget.TryReserve(10));
  EXPECT_FALSE(budget.TryReserve(1));
  EXPECT_TRUE(budget.TryReserve(0));
  EXPECT_EQ(budget.used(), 10);
  budget.Release(4);
  EXPECT_FALSE(budget.TryReserve(5));
  EXPECT_TRUE(budget.TryReserve(4));
}

TEST(ByteBudget, HugeRequestsDoNotOverflow) {
  ByteBudget budget(10);
  EXPECT_TRUE(budget.TryReserve(5));
  EXPECT_FALSE(budget.TryReserve(INT64_MAX));
  EXPECT_EQ(budget.used(), 5);
}

TEST(ByteBudget, ForceGoesBeyondAndBlocksTheRest) {
  ByteBudget budget(10);
  budget.ForceReserve(15);
  EXPECT_EQ(budget.used(), 15);
  EXPECT_FALSE(budget.TryReserve(0));
  budget.Release(15);
  EXPECT_TRUE(budget.TryReserve(10));
}

TEST(ByteBudget, PeakStays) {
  ByteBudget budget(10);
  EXPECT_TRUE(budget.TryReserve(3));
  budget.ForceReserve(4);
  budget.Release(7);
  EXPECT_TRUE(budget.TryReserve(1));
  EXPECT_EQ(budget.peak(), 7);
  EXPECT_EQ(budget.limit(), 10);
}

TEST(ByteBudget, CountsAcrossThreads) {
  ByteBudget budget(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10000; ++round) {
        if (budget.TryReserve(2)) budget.Release(2);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.used(), 0);
  EXPECT_LE(budget.peak(), 4);
  EXPECT_GE(budget.peak(), 2);
}

}  // namespace
}  // namespace tailrace
