#include "cli/column_text.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "cli/size_text.h"

namespace tailrace::cli {

namespace {

// As the library has it.
constexpr int64_t kMaxDistinctValues = int64_t{64} << 20;

Status Refuse(const std::string& option, const std::string& text, const std::string& why) {
  return MakeError(ErrorKind::kInvalid, option + " " + text + ": " + why);
}

struct ColumnText {
  std::string column;
  std::vector<std::string> words;  // with commas between; none without '='
};

ColumnText Split(const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {text, {}};
  ColumnText split{text.substr(0, equals), {}};
  for (size_t at = equals + 1; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    split.words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return split;
}

// Splits each of `texts` and hands it to `take`.
template <typename Take>
Status EachColumn(const std::string& option, const std::vector<std::string>& texts, const Take& take) {
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    const ColumnText split = Split(text);
    if (split.column.empty()) return Refuse(option, text, "names no column");
    if (!seen.insert(split.column).second) return Refuse(option, text, "the column is named twice");
    ARROW_RETURN_NOT_OK(take(text, split));
  }
  return Status::OK();
}

ColumnOptions* EntryOf(const std::string& path, std::vector<ColumnOptions>* columns) {
  for (ColumnOptions& column : *columns) {
    if (column.path == path) return &column;
  }
  columns->push_back({.path = path});
  return &columns->back();
}

arrow::Result<double> ParseRate(const std::string& option, const std::string& text, const std::string& word) {
  double rate = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), rate);
  // Also what is no number.
  if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size() || !(rate > 0 && rate < 1)) {
    return Refuse(option, text, "its rate must be between 0 and 1, such as 0.01");
  }
  return rate;
}

}  // namespace

arrow::Result<bool> ParseOnOff(const std::string& option, const std::string& text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return Refuse(option, text, "must be on or off");
}

Status AddDictionaries(const std::string& option, const std::vector<std::string>& texts,
                       std::vector<ColumnOptions>* columns) {
  return EachColumn(option, texts, [&](const std::string& text, const ColumnText& split) -> Status {
    if (split.words.size() != 1) return Refuse(option, text, "must be COLUMN=on or COLUMN=off");
    const auto on = ParseOnOff(option, split.words[0]);
    if (!on.ok()) return Refuse(option, text, "must be COLUMN=on or COLUMN=off");
    EntryOf(split.column, columns)->dictionary = *on;
    return Status::OK();
  });
}

Status AddBloomFilters(const std::string& option, const std::vector<std::string>& texts,
                       std::vector<ColumnOptions>* columns) {
  return EachColumn(option, texts, [&](const std::string& text, const ColumnText& split) -> Status {
    BloomFilterOptions filter;
    if (split.words.size() > 2) return Refuse(option, text, "must be COLUMN[=DISTINCT[,RATE]]");
    if (!split.words.empty()) {
      const auto distinct = ParseCount(option, split.words[0], 1, kMaxDistinctValues);
      if (!distinct.ok()) {
        return Refuse(
            option, text,
            "its number of distinct values must be a whole number from 1 to " + std::to_string(kMaxDistinctValues));
      }
      filter.distinct_values = *distinct;
    }
    if (split.words.size() == 2) {
      ARROW_ASSIGN_OR_RAISE(filter.false_positives, ParseRate(option, text, split.words[1]));
    }
    EntryOf(split.column, columns)->bloom_filter = filter;
    return Status::OK();
  });
}

arrow::Result<std::vector<SortingColumn>> ParseSortingColumns(const std::string& option,
                                                              const std::vector<std::string>& texts) {
  std::vector<SortingColumn> columns;
  ARROW_RETURN_NOT_OK(EachColumn(option, texts, [&](const std::string& text, const ColumnText& split) -> Status {
    SortingColumn column{.path = split.column};
    for (const std::string& word : split.words) {
      if (word == "descending") {
        column.descending = true;
      } else if (word == "nulls-first") {
        column.nulls_first = true;
      } else if (word != "ascending" && word != "nulls-last") {
        return Refuse(option, text, "after = may stand ascending or descending, nulls-first or nulls-last");
      }
    }
    columns.push_back(column);
    return Status::OK();
  }));
  return columns;
}

}  // namespace tailrace::cli
