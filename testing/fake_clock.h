// Time that moves only when told to.
#pragma once

#include <chrono>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"

namespace tailrace {

// Thread-safe. Sleeping moves the time on and is written down.
class FakeClock final : public Clock {
 public:
  // 2026-01-01T00:00:00Z, so that times in tests look like times.
  static constexpr Timestamp kStart{std::chrono::seconds(1'767'225'600)};

  explicit FakeClock(Timestamp now = kStart) : now_(now) {}

  Timestamp Now() override {
    MutexLock lock(&mutex_);
    return now_;
  }
  std::chrono::steady_clock::time_point Steady() override {
    MutexLock lock(&mutex_);
    return steady_;
  }
  void SleepFor(std::chrono::milliseconds duration) override {
    MutexLock lock(&mutex_);
    sleeps_.push_back(duration);
    Move(duration);
  }

  void Advance(std::chrono::milliseconds duration) {
    MutexLock lock(&mutex_);
    Move(duration);
  }
  // The wall clock alone is set, as an operator does; the steady one goes on.
  void SetNow(Timestamp now) {
    MutexLock lock(&mutex_);
    now_ = now;
  }
  std::vector<std::chrono::milliseconds> sleeps() {
    MutexLock lock(&mutex_);
    return sleeps_;
  }

 private:
  void Move(std::chrono::milliseconds duration) TAILRACE_REQUIRES(mutex_) {
    now_ += duration;
    steady_ += duration;
  }

  Mutex mutex_;
  Timestamp now_ TAILRACE_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point steady_ TAILRACE_GUARDED_BY(mutex_){};
  std::vector<std::chrono::milliseconds> sleeps_ TAILRACE_GUARDED_BY(mutex_);
};

}  // namespace tailrace
