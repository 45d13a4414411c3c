// Time, handed in so that tests can move it.
#pragma once

#include <chrono>

#include "tailrace/object.h"

namespace tailrace {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp Now() = 0;                                 // wall clock
  virtual std::chrono::steady_clock::time_point Steady() = 0;  // never goes back
  virtual void SleepFor(std::chrono::milliseconds duration) = 0;

  static Clock* System();
};

}  // namespace tailrace
