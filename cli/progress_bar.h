// One line at the bottom of a terminal that tells how far a write is.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cli/progress_line.h"
#include "tailrace/events.h"

namespace tailrace::cli {

// Drawn over itself with one write each time, at most ten times a second, so that it does not flicker; where nothing
// changed nothing is written. As an observer it counts stored parts and moves while the writer closes. Thread-safe.
class ProgressBar final : public Observer {
 public:
  // nullptr where `fd` is no terminal that can do it. `fd` outlives this.
  static std::shared_ptr<ProgressBar> On(int fd);
  ~ProgressBar() override { Clear(); }

  // Of the input; nullopt where nobody knows.
  void SetTotal(std::optional<int64_t> total_bytes);
  void Update(int64_t rows, int64_t input_bytes);
  void OnEvent(const WriteEvent& event) override;
  // Leaves the line empty, for other text; the next Update draws anew.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  explicit ProgressBar(int fd) : fd_(fd) {}

  void DrawIfDue();
  void Write(const std::string& bytes) const;

  const int fd_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  ProgressFacts facts_;
  RateMeter rate_;
  Clock::time_point drawn_at_{};
  std::string drawn_;  // empty: nothing is on the line
};

}  // namespace tailrace::cli
