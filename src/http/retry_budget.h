// How many requests to one store may be sent again, all its callers together.
#pragma once

#include "base/mutex.h"

namespace tailrace {

// A bucket of tokens. A request that is sent again after it failed takes `kRetryCost`; one that succeeds gives back a
// little, or what its last repetition took. So single failures are always repeated, while a store that is dead uses the
// bucket up, after which every request fails after its first attempt instead of after minutes. Requests that the store
// asks to slow down cost nothing: it is alive, and they are bounded by their own number and time. Thread-safe.
class RetryBudget {
 public:
  // Both guessed, as in the AWS SDKs' standard mode: a hundred repetitions without a success between them.
  static constexpr int kCapacity = 500;
  static constexpr int kRetryCost = 5;

  // false: no token left; the request must not be repeated.
  bool TakeForRetry() {
    MutexLock lock(&mutex_);
    if (tokens_ < kRetryCost) return false;
    tokens_ -= kRetryCost;
    return true;
  }
  void OnSuccess(bool after_retry) {
    MutexLock lock(&mutex_);
    tokens_ += after_retry ? kRetryCost : 1;
    if (tokens_ > kCapacity) tokens_ = kCapacity;
  }

 private:
  Mutex mutex_;
  int tokens_ TAILRACE_GUARDED_BY(mutex_) = kCapacity;
};

}  // namespace tailrace
