#include "cli/progress_line.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/size_text.h"

namespace tailrace::cli {

namespace {

constexpr int kMinBar = 10, kMaxBar = 40;

// "0:07", "1:02:07".
std::string ClockText(int64_t seconds) {
  const auto Two = [](int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  const int64_t hours = seconds / 3600, minutes = seconds / 60 % 60;
  return (hours > 0 ? std::to_string(hours) + ":" + Two(minutes) : std::to_string(minutes)) + ":" + Two(seconds % 60);
}

// Of 1; the size of a file that grows meanwhile is not to be trusted.
double ShareOf(const ProgressFacts& facts) {
  if (*facts.total_bytes <= 0) return 1;
  return std::clamp(static_cast<double>(facts.input_bytes) / static_cast<double>(*facts.total_bytes), 0.0, 1.0);
}

std::vector<std::string> FieldsOf(const ProgressFacts& facts) {
  std::vector<std::string> fields;
  if (facts.total_bytes) fields.push_back(std::to_string(static_cast<int>(ShareOf(facts) * 100)) + "%");
  fields.push_back(RowsText(facts.rows));
  fields.push_back(SizeText(facts.input_bytes) + (facts.total_bytes ? " of " + SizeText(*facts.total_bytes) : ""));
  fields.push_back(SizeText(static_cast<int64_t>(facts.bytes_per_second)) + "/s");
  fields.push_back(CountText(facts.stored_parts) + (facts.stored_parts == 1 ? " part" : " parts") +
                   (facts.stored_parts > 0 ? ", " + SizeText(facts.stored_bytes) : ""));
  const int64_t rest = facts.total_bytes ? *facts.total_bytes - facts.input_bytes : 0;
  if (rest > 0 && facts.bytes_per_second >= 1) {
    fields.push_back(ClockText(static_cast<int64_t>(static_cast<double>(rest) / facts.bytes_per_second)) + " left");
  } else {
    fields.push_back(ClockText(facts.elapsed.count()));
  }
  return fields;
}

std::string BarOf(double share, int width) {
  const int inside = width - 2;
  const int done = static_cast<int>(share * inside);
  return "[" + std::string(static_cast<size_t>(done), '#') + std::string(static_cast<size_t>(inside - done), '.') + "]";
}

}  // namespace

std::string ProgressLine(const ProgressFacts& facts, int columns) {
  std::string line;
  const std::vector<std::string> fields = FieldsOf(facts);
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string next = (i == 0 ? "" : "  ") + fields[i];
    if (static_cast<int>(line.size() + next.size()) > columns) break;
    line += next;
  }
  const int room = std::min(columns - static_cast<int>(line.size()) - 1, kMaxBar);
  if (facts.total_bytes && room >= kMinBar) line = BarOf(ShareOf(facts), room) + " " + line;
  return line;
}

void RateMeter::Add(int64_t bytes, std::chrono::duration<double> time) {
  const double seconds = (time - time_).count();
  if (seconds <= 0) return;
  constexpr double kSmoothSeconds = 3;
  const double now = static_cast<double>(bytes - bytes_) / seconds;
  // The first measure counts whole.
  const double weight = time_.count() == 0 ? 1 : 1 - std::exp(-seconds / kSmoothSeconds);
  rate_ += weight * (now - rate_);
  bytes_ = bytes;
  time_ = time;
}

}  // namespace tailrace::cli
