#include "tailrace/executor.h"

#include <cassert>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace tailrace {
namespace {

// Threads are made when all others are busy, and the one that was busy last goes on first. So a writer that uses two
// threads of a pool of many has two: each thread that allocates keeps some memory for itself, and each that is woken
// costs a switch.
class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int threads) : most_(static_cast<size_t>(threads)) {
    assert(threads >= 1);
    MutexLock lock(&mutex_);
    threads_.emplace_back([this] { Work(); });  // here, since whoever gets a pool can rely on one
  }

  ~ThreadPool() override {
    {
      MutexLock lock(&mutex_);
      stopping_ = true;
      for (Worker* worker : idle_) worker->wake.NotifyAll();
    }
    // None is added any more.
    for (std::thread& thread : threads_) thread.join();
  }

  void Spawn(std::function<void()> task) override {
    MutexLock lock(&mutex_);
    if (!idle_.empty()) {
      Worker* const worker = idle_.back();
      idle_.pop_back();
      worker->task = std::move(task);
      worker->wake.NotifyAll();
      return;
    }
    queue_.push_back(std::move(task));
    if (stopping_ || threads_.size() == most_) return;
    try {
      threads_.emplace_back([this] { Work(); });
    } catch (const std::system_error&) {
      // No more threads to be had: those that there are do it.
    }
  }

 private:
  struct Worker {
    CondVar wake;
    std::function<void()> task;  // handed over while it was idle; guarded by mutex_
  };

  // Runs tasks until the pool stops and nothing is queued: what a running task spawns at the end still runs.
  void Work() {
    Worker self;
    while (std::function<void()> task = Next(&self)) task();
  }

  // Waits for a task; an empty one once there will be none.
  std::function<void()> Next(Worker* self) {
    MutexLock lock(&mutex_);
    if (!queue_.empty()) {
      std::function<void()> task = std::move(queue_.front());
      queue_.pop_front();
      return task;
    }
    idle_.push_back(self);
    while (!self->task && !stopping_) self->wake.Wait(&mutex_);
    if (!self->task) std::erase(idle_, self);
    return std::exchange(self->task, nullptr);
  }

  const size_t most_;
  Mutex mutex_;
  std::deque<std::function<void()>> queue_ TAILRACE_GUARDED_BY(mutex_);
  std::vector<Worker*> idle_ TAILRACE_GUARDED_BY(mutex_);  // the last one became so last
  bool stopping_ TAILRACE_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;  // added to under mutex_, until it stops
};

class InlineExecutor final : public Executor {
 public:
  void Spawn(std::function<void()> task) override { task(); }
};

}  // namespace

std::shared_ptr<Executor> MakeThreadPool(int threads) { return std::make_shared<ThreadPool>(threads); }
std::shared_ptr<Executor> MakeInlineExecutor() { return std::make_shared<InlineExecutor>(); }

}  // namespace tailrace
