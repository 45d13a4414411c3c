#include "cli/size_text.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

namespace tailrace::cli {

namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// "1.5 GiB" -> 1.5 and "gib". nullopt where it does not begin with a plain decimal number.
std::optional<std::pair<double, std::string>> SplitNumber(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) || text[end] == '.')) ++end;
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + end, value);
  if (end == 0 || parsed.ec != std::errc() || parsed.ptr != text.data() + end) return std::nullopt;
  while (end < text.size() && text[end] == ' ') ++end;
  return std::make_pair(value, Lower(text.substr(end)));
}

std::optional<double> SizeFactor(const std::string& unit) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1},
      {"b", 1},
      {"kb", 1e3},
      {"mb", 1e6},
      {"gb", 1e9},
      {"tb", 1e12},
      {"k", 1024.0},
      {"kib", 1024.0},
      {"m", 1 << 20},
      {"mib", 1 << 20},
      {"g", 1 << 30},
      {"gib", 1 << 30},
      {"t", 1024.0 * (1 << 30)},
      {"tib", 1024.0 * (1 << 30)},
  };
  for (const auto& [name, factor] : kUnits) {
    if (unit == name) return factor;
  }
  return std::nullopt;
}

std::optional<double> MillisecondsFactor(const std::string& unit) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"ms", 1},  {"s", 1e3},   {"sec", 1e3},
                                                                   {"m", 6e4}, {"min", 6e4}, {"h", 3.6e6}};
  for (const auto& [name, factor] : kUnits) {
    if (unit == name) return factor;
  }
  return std::nullopt;
}

Status Refuse(std::string_view option, std::string_view text, std::string_view why) {
  return MakeError(ErrorKind::kInvalid, std::string(option) + " " + std::string(text) + ": " + std::string(why));
}

// Whole and positive.
Result<int64_t> ToWhole(std::string_view option, std::string_view text, double value) {
  if (value < 1) return Refuse(option, text, "must be at least 1");
  if (value >= 9.2e18) return Refuse(option, text, "is more than 9.2e18, the most that can be counted");
  return static_cast<int64_t>(std::llround(value));
}

}  // namespace

Result<int64_t> ParseSize(std::string_view option, std::string_view text) {
  const auto split = SplitNumber(text);
  const auto factor = split ? SizeFactor(split->second) : std::nullopt;
  if (!factor) return Refuse(option, text, "is not a size; write it as 16MiB, 1GB or in plain bytes");
  return ToWhole(option, text, split->first * *factor);
}

Result<int64_t> ParseCount(std::string_view option, std::string_view text, int64_t min, int64_t max) {
  int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value < min ||
      value > max) {
    const std::string most = max == std::numeric_limits<int64_t>::max() ? "" : " and at most " + std::to_string(max);
    return Refuse(option, text, "must be a whole number of at least " + std::to_string(min) + most);
  }
  return value;
}

Result<CheckpointEvery> ParseCheckpointEvery(std::string_view option, std::string_view text) {
  const auto split = SplitNumber(text);
  CheckpointEvery every;
  if (split && (split->second == "rows" || split->second == "row")) {
    ARROW_ASSIGN_OR_RAISE(every.rows, ToWhole(option, text, split->first));
    return every;
  }
  // A bare number or "5m" could be meant as rows, bytes or minutes: asked for instead of guessed.
  if (split && !split->second.empty() && split->second != "m") {
    if (const auto factor = MillisecondsFactor(split->second)) {
      ARROW_ASSIGN_OR_RAISE(const int64_t milliseconds, ToWhole(option, text, split->first * *factor));
      if (milliseconds > int64_t{1000} * 3600 * 24 * 365) return Refuse(option, text, "is longer than a year");
      every.time = std::chrono::milliseconds(milliseconds);
      return every;
    }
    if (SizeFactor(split->second)) {
      ARROW_ASSIGN_OR_RAISE(every.input_bytes, ParseSize(option, text));
      return every;
    }
  }
  return Refuse(option, text, "needs a unit: 50000rows, 64MiB (of input) or 10s");
}

std::string SizeText(int64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 4) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

std::string CountText(int64_t count) {
  std::string text = std::to_string(count);
  const size_t first = text[0] == '-' ? 1 : 0;
  for (size_t at = text.size(); at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string RowsText(int64_t rows) { return CountText(rows) + (rows == 1 ? " row" : " rows"); }

}  // namespace tailrace::cli
