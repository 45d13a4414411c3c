#include "testing/step_executor.h"

#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace {
namespace {

using ::testing::ElementsAre;

TEST(StepExecutor, RunsByHandInOrderOrBySeed) {
  std::vector<int> ran;
  auto fill = [&ran](StepExecutor* executor) {
    ran.clear();
    for (int i = 0; i < 6; ++i) executor->Spawn([&ran, i] { ran.push_back(i); });
  };
  StepExecutor steps;
  fill(&steps);
  EXPECT_EQ(steps.queued(), 6u);
  EXPECT_TRUE(steps.Run(4));
  EXPECT_TRUE(steps.TryRunOne());
  EXPECT_THAT(ran, ElementsAre(4, 0));
  EXPECT_FALSE(steps.Run(4));
  steps.Spawn([&] { steps.Spawn([&] { ran.push_back(9); }); });
  EXPECT_EQ(steps.RunAll(), 6);
  EXPECT_THAT(ran, ElementsAre(4, 0, 1, 2, 3, 5, 9));
  EXPECT_FALSE(steps.TryRunOne());

  std::set<std::vector<int>> orders;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    StepExecutor first(seed);
    fill(&first);
    first.RunAll();
    const std::vector<int> order = ran;
    StepExecutor second(seed);
    fill(&second);
    second.RunAll();
    EXPECT_EQ(ran, order);
    EXPECT_THAT(order, ::testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 10u);
}

}  // namespace
}  // namespace tailrace
