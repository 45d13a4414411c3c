// The lines of JSON lines, before Arrow's reader sees them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/row_blocks.h"

namespace tailrace::cli {

// Each line is a row: a line end inside text is written \n. Blank lines are none. Not thread-safe.
class JsonLineScanner final : public RowScanner {
 public:
  void Feed(std::string_view bytes) override;
  int64_t last_row_end() const override { return last_row_end_; }
  int64_t rows() const override { return rows_; }
  std::string Unfinished() const override { return {}; }

 private:
  bool blank_ = true;  // so far, of the line that is read
  int64_t fed_ = 0;
  int64_t last_row_end_ = 0;
  int64_t rows_ = 0;
};

// A place in a block.
struct LineFault {
  int64_t line = 0;  // from 1, blank ones not counted
  std::string what;
};

// What Arrow's reader would take otherwise than it is meant, or not survive: a line that is no object. nullopt where
// all are fine. `rows` gets the number of lines.
std::optional<LineFault> CheckLines(std::string_view block, int64_t* rows);
// A whole number that no int64 holds, which a reader that infers types would round without a word.
std::optional<LineFault> FindUnfitNumber(std::string_view block);

}  // namespace tailrace::cli
