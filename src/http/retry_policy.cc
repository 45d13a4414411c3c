#include "http/retry_policy.h"

#include <algorithm>

namespace tailrace {

using std::chrono::milliseconds;

std::optional<milliseconds> RetrySchedule::NextWait(std::optional<milliseconds> retry_after, double chance, Time now) {
  if (attempts_ >= policy_.max_attempts) {
    end_ = End::kAttempts;
    return std::nullopt;
  }
  // Beyond 2^20 any cap is reached.
  const int doublings = std::min(attempts_ - 1, 20);
  const milliseconds bound = std::min(policy_.max_wait, policy_.base_wait * (int64_t{1} << doublings));
  milliseconds wait(static_cast<int64_t>(static_cast<double>(bound.count()) * chance));
  if (retry_after) wait += std::max(*retry_after, milliseconds(0));
  if (now + wait - begin_ >= policy_.timeout) {
    end_ = End::kTimeout;
    return std::nullopt;
  }
  ++attempts_;
  return wait;
}

}  // namespace tailrace
