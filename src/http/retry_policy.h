// When a request is sent again: pure rules, without a clock, a thread or a source of chance of their own.
#pragma once

#include <chrono>
#include <optional>

namespace tailrace {

struct RetryPolicy {
  int max_attempts = 8;  // of one request, the first included
  std::chrono::milliseconds base_wait{200};
  std::chrono::milliseconds max_wait{10'000};
  std::chrono::milliseconds timeout{180'000};  // all attempts and waits together; an attempt is not cut by it
};

// The attempts of one request. Not thread-safe.
class RetrySchedule {
 public:
  using Time = std::chrono::steady_clock::time_point;
  RetrySchedule(const RetryPolicy& policy, Time begin) : policy_(policy), begin_(begin) {}

  enum class End { kNone, kAttempts, kTimeout };

  // An attempt has failed at `now` in a way that may go away: how long to wait before the next one. nullopt where there
  // is none, and end() says why. `chance` is from [0, 1): waits are drawn evenly between 0 and base * 2^k ("full
  // jitter"), so that requests which failed together do not come back together. The server's own Retry-After is waited
  // for in full, plus such a draw.
  std::optional<std::chrono::milliseconds> NextWait(std::optional<std::chrono::milliseconds> retry_after, double chance,
                                                    Time now);

  int attempts() const { return attempts_; }  // begun so far
  End end() const { return end_; }

 private:
  const RetryPolicy policy_;
  const Time begin_;
  int attempts_ = 1;
  End end_ = End::kNone;
};

}  // namespace tailrace
