#include "tailrace/executor.h"

#include <cassert>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace tailrace {
namespace {

class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int threads) {
    assert(threads >= 1);
    threads_.reserve(threads);
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
  }

  ~ThreadPool() override {
    {
      MutexLock lock(&mutex_);
      stopping_ = true;
    }
    changed_.NotifyAll();
    for (std::thread& thread : threads_) thread.join();
  }

  void Spawn(std::function<void()> task) override {
    {
      MutexLock lock(&mutex_);
      queue_.push_back(std::move(task));
    }
    changed_.NotifyAll();
  }

 private:
  // Runs tasks until the pool stops and nothing is queued: what a running task spawns at the end still runs.
  void Work() {
    while (std::function<void()> task = Next()) task();
  }

  // Waits for a task; an empty one once there will be none.
  std::function<void()> Next() {
    MutexLock lock(&mutex_);
    while (queue_.empty() && !stopping_) changed_.Wait(&mutex_);
    if (queue_.empty()) return nullptr;
    std::function<void()> task = std::move(queue_.front());
    queue_.pop_front();
    return task;
  }

  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> queue_ TAILRACE_GUARDED_BY(mutex_);
  bool stopping_ TAILRACE_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;  // constant after construction
};

class InlineExecutor final : public Executor {
 public:
  void Spawn(std::function<void()> task) override { task(); }
};

}  // namespace

std::shared_ptr<Executor> MakeThreadPool(int threads) { return std::make_shared<ThreadPool>(threads); }
std::shared_ptr<Executor> MakeInlineExecutor() { return std::make_shared<InlineExecutor>(); }

}  // namespace tailrace
