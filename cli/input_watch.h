// Waiting for input without letting go of the rest of the program.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include <arrow/result.h>

#include "cli/stop_signal.h"
#include "tailrace/error.h"

namespace tailrace::cli {

using arrow::Result;

// Not thread-safe: used by the one thread that reads.
class InputWatch {
 public:
  // `stop` outlives this.
  explicit InputWatch(const StopSignal* stop) : stop_(stop) {}

  // Run every fifth of a second or so while input is waited for, so that time goes on for a writer whose source is
  // silent. A failure ends the wait with that status.
  void SetTick(std::function<Status()> tick) { tick_ = std::move(tick); }

  // True once `fd` can be read (or is at its end), false after `max_wait`. kCancelled on a stop signal, also when
  // `fd` could be read.
  Result<bool> WaitReadable(int fd, std::optional<std::chrono::milliseconds> max_wait);

  // kCancelled once a stop signal came.
  Status CheckStop() const;

 private:
  const StopSignal* stop_;
  std::function<Status()> tick_;
};

}  // namespace tailrace::cli
