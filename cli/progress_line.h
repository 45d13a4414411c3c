// What a progress bar says, as a line of text.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tailrace::cli {

struct ProgressFacts {
  int64_t rows = 0;
  int64_t input_bytes = 0;
  std::optional<int64_t> total_bytes;  // of the input; nullopt for pipes
  double bytes_per_second = 0;         // of input
  int64_t stored_parts = 0;
  int64_t stored_bytes = 0;
  std::chrono::seconds elapsed{0};
};

// At most `columns` wide, plain ASCII. What does not fit is left out: first the bar, then from the end.
std::string ProgressLine(const ProgressFacts& facts, int columns);

// Bytes per second, smoothed over some seconds, so that it can be read. Not thread-safe.
class RateMeter {
 public:
  // `bytes` in all by `time`, both since the start and never less than before.
  void Add(int64_t bytes, std::chrono::duration<double> time);
  double bytes_per_second() const { return rate_; }

 private:
  int64_t bytes_ = 0;
  std::chrono::duration<double> time_{0};
  double rate_ = 0;
};

}  // namespace tailrace::cli
