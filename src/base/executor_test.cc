#include "tailrace/executor.h"

#include <atomic>
#include <latch>
#include <semaphore>
#include <set>
#include <thread>
#include <vector>

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

TEST(ThreadPool, GoesOnWithTheThreadThatWasBusyLast) {
  std::counting_semaphore<> done(0);
  std::set<std::thread::id> ids;
  const std::shared_ptr<Executor> pool = MakeThreadPool(64);
  for (int i = 0; i < 200; ++i) {
    pool->Spawn([&] {
      ids.insert(std::this_thread::get_id());
      done.release();
    });
    done.acquire();
  }
  // A task may come before the thread of the one before it is idle again, so that it takes a few, but never all.
  EXPECT_LT(ids.size(), 32u);
}

TEST(ThreadPool, TasksThatSpawnTasksFromManyThreadsAllRun) {
  std::atomic<int> runs = 0;
  {
    const std::shared_ptr<Executor> pool = MakeThreadPool(4);
    std::vector<std::thread> spawners;
    for (int i = 0; i < 4; ++i) {
      spawners.emplace_back([&] {
        for (int task = 0; task < 500; ++task) {
          pool->Spawn([&, executor = pool.get()] { executor->Spawn([&] { ++runs; }); });
        }
      });
    }
    for (std::thread& spawner : spawners) spawner.join();
  }
  EXPECT_EQ(runs, 2000);
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
