// std::mutex with clang's lock annotations, which are empty under other compilers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define TAILRACE_ANNOTATE(x) __attribute__((x))
#else
#define TAILRACE_ANNOTATE(x)
#endif
#define TAILRACE_GUARDED_BY(x) TAILRACE_ANNOTATE(guarded_by(x))
#define TAILRACE_REQUIRES(...) TAILRACE_ANNOTATE(requires_capability(__VA_ARGS__))
#define TAILRACE_EXCLUDES(...) TAILRACE_ANNOTATE(locks_excluded(__VA_ARGS__))

namespace tailrace {

class TAILRACE_ANNOTATE(capability("mutex")) Mutex {
 public:
  void lock() TAILRACE_ANNOTATE(acquire_capability()) { mutex_.lock(); }
  void unlock() TAILRACE_ANNOTATE(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class TAILRACE_ANNOTATE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) TAILRACE_ANNOTATE(acquire_capability(mutex)) : mutex_(mutex) { mutex_->lock(); }
  ~MutexLock() TAILRACE_ANNOTATE(release_capability()) { mutex_->unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

// Waits on a Mutex that the caller holds.
class CondVar {
 public:
  void Wait(Mutex* mutex) TAILRACE_REQUIRES(mutex) { condition_.wait(*mutex); }
  // Returns after `duration` at the latest. As Wait, it may return for no reason.
  void WaitFor(Mutex* mutex, std::chrono::milliseconds duration) TAILRACE_REQUIRES(mutex) {
    condition_.wait_for(*mutex, duration);
  }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable_any condition_;
};

}  // namespace tailrace
