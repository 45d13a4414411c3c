// Sizes, intervals, durations, moments and words for columns, as a command line has them.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cli/column_text.h"
#include "cli/key_value_text.h"
#include "cli/size_text.h"
#include "cli/time_text.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace::cli {
namespace {

constexpr char kOption[] = "--option";

template <typename Value>
bool IsRefused(const arrow::Result<Value>& value) {
  if (value.ok()) return false;
  FuzzCheck(KindOf(value.status()) == ErrorKind::kInvalid, "what is refused is kInvalid");
  FuzzCheck(value.status().message().find(kOption) != std::string::npos, "... and names the option");
  return true;
}

void CheckNumbers(const std::string& text) {
  const auto size = ParseSize(kOption, text);
  if (!IsRefused(size)) {
    FuzzCheck(*size > 0, "a size is positive");
    FuzzCheck(ParseSize(kOption, std::to_string(*size)).ValueOr(0) == *size, "a size is read again as bytes");
    FuzzCheck(!SizeText(*size).empty(), "a size has a text");
  }
  const auto count = ParseCount(kOption, text, -5, std::numeric_limits<int64_t>::max());
  if (!IsRefused(count)) FuzzCheck(*count >= -5, "a count is in its range");
}

void CheckTimes(const std::string& text) {
  const auto every = ParseCheckpointEvery(kOption, text);
  if (!IsRefused(every)) {
    const int set = (every->rows > 0) + (every->input_bytes > 0) + (every->time.count() > 0);
    FuzzCheck(set == 1, "an interval is of one kind");
    FuzzCheck(every->rows >= 0 && every->input_bytes >= 0 && every->time.count() >= 0, "... and positive");
  }
  const auto duration = ParseDuration(kOption, text);
  if (!IsRefused(duration)) FuzzCheck(duration->count() >= 0, "a duration is not negative");
  const auto moment = ParseUtcTime(kOption, text);
  if (!IsRefused(moment)) {
    const auto again = ParseUtcTime(kOption, UtcTimeText(*moment));
    FuzzCheck(again.ok() && *again <= *moment && *moment - *again < std::chrono::seconds(1), "a moment is read again");
  }
}

// Lines are arguments that are given often.
std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

void CheckColumns(const std::string& text) {
  const std::vector<std::string> lines = LinesOf(text);
  std::vector<ColumnOptions> columns;
  const Status dictionaries = AddDictionaries(kOption, lines, &columns);
  FuzzCheck(dictionaries.ok() || KindOf(dictionaries) == ErrorKind::kInvalid, "what is refused is kInvalid");
  const Status filters = AddBloomFilters(kOption, lines, &columns);
  FuzzCheck(filters.ok() || KindOf(filters) == ErrorKind::kInvalid, "what is refused is kInvalid");
  const auto sorting = ParseSortingColumns(kOption, lines);
  if (!IsRefused(sorting)) FuzzCheck(sorting->size() == lines.size(), "each argument is a column");
  const auto values = ParseKeyValues(kOption, lines);
  if (IsRefused(values)) return;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto& [name, value] = values->at(i);
    FuzzCheck(!name.empty() && name + "=" + value == lines[i], "name and value are all of the argument");
  }
}

}  // namespace
}  // namespace tailrace::cli

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  tailrace::cli::CheckNumbers(text);
  tailrace::cli::CheckTimes(text);
  tailrace::cli::CheckColumns(text);
  return 0;
}
