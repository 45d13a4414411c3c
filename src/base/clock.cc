#include "base/clock.h"

#include <thread>

namespace tailrace {
namespace {

class SystemClock final : public Clock {
 public:
  Timestamp Now() override {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  }
  std::chrono::steady_clock::time_point Steady() override { return std::chrono::steady_clock::now(); }
  void SleepFor(std::chrono::milliseconds duration) override { std::this_thread::sleep_for(duration); }
};

}  // namespace

Clock* Clock::System() {
  // Never destroyed, so that it outlives every static object that may still use it; it holds nothing.
  static Clock* const clock = new SystemClock;
  return clock;
}

}  // namespace tailrace
