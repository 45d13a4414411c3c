// One bound on memory, shared by all that holds bytes of a write.
#pragma once

#include <cstdint>

#include "base/mutex.h"

namespace tailrace {

// Counts bytes in use. It never waits itself: the writer, who knows what could free bytes, waits. Thread-safe.
class ByteBudget {
 public:
  explicit ByteBudget(int64_t limit) : limit_(limit) {}

  // Takes `bytes` if they fit. False leaves the count as it was.
  bool TryReserve(int64_t bytes);
  // Takes `bytes` even beyond the limit; for what exists already or cannot be split.
  void ForceReserve(int64_t bytes);
  void Release(int64_t bytes);

  int64_t limit() const { return limit_; }
  int64_t used() const;
  int64_t peak() const;

 private:
  const int64_t limit_;
  mutable Mutex mutex_;
  int64_t used_ TAILRACE_GUARDED_BY(mutex_) = 0;
  int64_t peak_ TAILRACE_GUARDED_BY(mutex_) = 0;
};

}  // namespace tailrace
