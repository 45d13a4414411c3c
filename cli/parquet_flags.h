// How the file is encoded: the options of `write` behind ParquetOptions.
#pragma once

#include <string>
#include <vector>

#include <arrow/result.h>
#include <CLI/CLI.hpp>

#include "tailrace/error.h"
#include "tailrace/options.h"

namespace tailrace::cli {

// Filled by CLI11 as text, so that all errors are worded in one place. Columns are named by their dotted path in the
// Parquet schema; whether the file has them is for the library to say.
class ParquetFlags {
 public:
  // `command` keeps pointers to this.
  void AddTo(CLI::App* command);
  // kInvalid names option, value and what is allowed.
  arrow::Result<ParquetOptions> Parse() const;

 private:
  void AddFormat(CLI::App* command);
  void AddColumns(CLI::App* command);
  arrow::Status ParseCodec(ParquetOptions* parquet) const;
  arrow::Status ParseRowGroups(ParquetOptions* parquet) const;
  arrow::Status ParseEncodings(ParquetOptions* parquet) const;
  arrow::Status ParseFormat(ParquetOptions* parquet) const;

  std::string row_group_bytes_;
  std::string row_group_rows_;
  std::string codec_ = "zstd";
  std::string level_;
  std::string adaptive_ = "on";
  std::string encodings_;
  std::string dictionary_ = "on";
  std::vector<std::string> dictionary_columns_;
  std::vector<std::string> bloom_filters_;
  std::vector<std::string> sorting_columns_;
  std::string page_bytes_;
  std::string parquet_version_;
  std::string data_page_version_;
  std::string text_not_utf8_;
  bool no_statistics_ = false;
  bool no_page_index_ = false;
  std::vector<std::string> metadata_;
};

}  // namespace tailrace::cli
