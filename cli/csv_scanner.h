// Finds where rows of CSV end, by the same rules as Arrow's parser: a quote opens only at the start of a field,
// a doubled quote inside is a quote, and line ends are \n, \r and \r\n.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/row_blocks.h"

namespace tailrace::cli {

// Lines without a byte are rows, too. Not thread-safe.
class CsvScanner final : public RowScanner {
 public:
  void Feed(std::string_view bytes) override;
  // A \r that could have been half a line end is a whole one.
  void FeedEnd() override;

  // 0 before the first row ended.
  int64_t first_row_end() const { return first_row_end_; }
  int64_t last_row_end() const override { return last_row_end_; }
  int64_t rows() const override { return rows_; }
  std::string Unfinished() const override { return in_quotes() ? "ends inside quotes" : ""; }
  bool in_quotes() const { return state_ == State::kQuoted; }

 private:
  enum class State : uint8_t { kFieldStart, kPlain, kQuoted, kQuoteInQuoted };

  void EndRow(int64_t place);

  State state_ = State::kFieldStart;
  bool after_cr_ = false;
  int64_t fed_ = 0;
  int64_t first_row_end_ = 0;
  int64_t last_row_end_ = 0;
  int64_t rows_ = 0;
};

// The fields of one row, line end allowed, quotes resolved.
std::vector<std::string> SplitCsvRow(std::string_view row);

}  // namespace tailrace::cli
