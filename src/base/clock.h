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

// How long ago that was, by the clock that never goes back.
inline std::chrono::microseconds Since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
}

}  // namespace tailrace
