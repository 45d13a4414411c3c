// The options that decide the bytes of the file and how it appears; they travel in the state.
#pragma once

#include <string>

#include <arrow/result.h>
#include <CLI/CLI.hpp>

#include "cli/parquet_flags.h"
#include "tailrace/error.h"
#include "tailrace/options.h"

namespace tailrace::cli {

// Filled by CLI11 as text, so that all errors are worded in one place.
class FileFlags {
 public:
  // `command` keeps pointers to this.
  void AddTo(CLI::App* command);
  // kInvalid names option and limit.
  arrow::Result<FileOptions> Parse() const;

 private:
  ParquetFlags parquet_;
  std::string part_size_;
  std::string expected_;
  bool growing_parts_ = false;
  bool require_atomic_ = false;
  std::string if_exists_ = "overwrite";
  std::string small_files_ = "inline";
  std::string carry_max_;
};

}  // namespace tailrace::cli
