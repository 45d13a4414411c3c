// The options that decide the bytes of the file and how it appears; they travel in the state.
#pragma once

#include <string>
#include <vector>

#include <arrow/result.h>
#include <CLI/CLI.hpp>

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
  arrow::Status ParseCodec(ParquetOptions* parquet) const;
  arrow::Status ParseMetadata(ParquetOptions* parquet) const;

  std::string part_size_;
  std::string row_group_bytes_;
  std::string row_group_rows_;
  std::string codec_ = "zstd";
  std::string level_;
  bool no_statistics_ = false;
  bool no_page_index_ = false;
  std::vector<std::string> metadata_;
  bool require_atomic_ = false;
  std::string if_exists_ = "overwrite";
  std::string small_files_ = "inline";
};

}  // namespace tailrace::cli
