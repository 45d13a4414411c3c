// Sizes, intervals and numbers as people write them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace::cli {

using arrow::Result;

// "16MiB", "1GB", "1.5 GiB", "4096": bytes. kInvalid naming `option` for anything else, for zero and below, and
// for more than an int64 holds.
Result<int64_t> ParseSize(std::string_view option, std::string_view text);

// A whole number within [min, max], which the message names.
Result<int64_t> ParseCount(std::string_view option, std::string_view text, int64_t min, int64_t max);

// When a checkpoint is taken. Exactly one is set.
struct CheckpointEvery {
  int64_t rows = 0;
  int64_t input_bytes = 0;
  std::chrono::milliseconds time{0};
  friend bool operator==(const CheckpointEvery&, const CheckpointEvery&) = default;
};
// "50000rows", "64MiB", "10s" (also ms, min, h).
Result<CheckpointEvery> ParseCheckpointEvery(std::string_view option, std::string_view text);

// "6.9 MiB".
std::string SizeText(int64_t bytes);
// "336,776".
std::string CountText(int64_t count);
// CountText with its word: "1 row", "336,776 rows".
std::string RowsText(int64_t rows);

}  // namespace tailrace::cli
