// Runs tasks only when told to, in an order that the test chooses.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <utility>

#include "base/mutex.h"
#include "tailrace/executor.h"

namespace tailrace {

// Thread-safe. Tasks run in the thread that asks for it, first come first run, or in a random order that depends on
// the seed alone.
class StepExecutor final : public Executor {
 public:
  StepExecutor() = default;
  explicit StepExecutor(uint64_t seed) : random_(std::mt19937_64(seed)) {}

  void Spawn(std::function<void()> task) override {
    MutexLock lock(&mutex_);
    tasks_.push_back(std::move(task));
  }
  bool TryRunOne() override { return RunAt(std::nullopt); }

  // Runs the task that stands at `index` in the queue; false where there is none.
  bool Run(size_t index) { return RunAt(index); }
  // Until nothing is queued, what the tasks spawn included. Returns how many ran.
  int RunAll() {
    int ran = 0;
    while (TryRunOne()) ++ran;
    return ran;
  }
  size_t queued() {
    MutexLock lock(&mutex_);
    return tasks_.size();
  }

 private:
  bool RunAt(std::optional<size_t> index) {
    std::function<void()> task;
    {
      MutexLock lock(&mutex_);
      if (!index) index = random_ && !tasks_.empty() ? (*random_)() % tasks_.size() : 0;
      if (*index >= tasks_.size()) return false;
      task = std::move(tasks_[*index]);
      tasks_.erase(tasks_.begin() + static_cast<ptrdiff_t>(*index));
    }
    task();
    return true;
  }

  Mutex mutex_;
  std::deque<std::function<void()>> tasks_ TAILRACE_GUARDED_BY(mutex_);
  std::optional<std::mt19937_64> random_ TAILRACE_GUARDED_BY(mutex_);
};

}  // namespace tailrace
