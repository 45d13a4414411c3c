#include "tailrace/executor.h"

#include <atomic>
#include <latch>
#include <thread>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(ThreadPool, RunsEveryTaskOnce) {
  std::atomic<int> runs = 0;
  {
    const std::shared_ptr<Executor> pool = MakeThreadPool(3);
    for (int i = 0; i < 1000; ++i) pool->Spawn([&] { ++runs; });
  }
  EXPECT_EQ(runs, 1000);
}

TEST(ThreadPool, HasAsManyThreadsAsAsked) {
  // Each task waits until all three run: with fewer threads this would never end.
  std::latch all_run(3);
  const std::shared_ptr<Executor> pool = MakeThreadPool(3);
  for (int i = 0; i < 3; ++i) pool->Spawn([&] { all_run.arrive_and_wait(); });
  all_run.wait();
}

TEST(ThreadPool, DestructionRunsWhatTasksSpawn) {
  std::atomic<int> runs = 0;
  {
    const std::shared_ptr<Executor> pool = MakeThreadPool(1);
    Executor* executor = pool.get();
    executor->Spawn([&runs, executor] { executor->Spawn([&runs] { ++runs; }); });
  }
  EXPECT_EQ(runs, 1);
}

TEST(ThreadPool, TasksLeaveTheCallersThread) {
  std::thread::id id;
  {
    const std::shared_ptr<Executor> pool = MakeThreadPool(1);
    pool->Spawn([&] { id = std::this_thread::get_id(); });
    EXPECT_FALSE(pool->TryRunOne());
  }
  EXPECT_NE(id, std::this_thread::get_id());
  EXPECT_NE(id, std::thread::id());
}

TEST(InlineExecutor, RunsInsideSpawn) {
  const std::shared_ptr<Executor> executor = MakeInlineExecutor();
  std::thread::id id;
  executor->Spawn([&] { id = std::this_thread::get_id(); });
  EXPECT_EQ(id, std::this_thread::get_id());
  EXPECT_FALSE(executor->TryRunOne());
}

}  // namespace
}  // namespace tailrace
