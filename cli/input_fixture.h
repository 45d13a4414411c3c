// What the tests of inputs share.
#pragma once

#include <parquet/arrow/writer.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/input.h"

namespace tailrace::cli {

// Inputs in a folder of the test's own.
class InputTest : public testing::Test {
 protected:
  InputTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tailrace-input-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~InputTest() override { std::filesystem::remove_all(folder_); }

  std::string File(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ + "/" + name;
    // Some file systems flush a file that is cut and written again, which takes its time.
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  static std::shared_ptr<arrow::RecordBatch> Batch(int64_t rows) {
    arrow::Int64Builder builder;
    for (int64_t i = 0; i < rows; ++i) EXPECT_TRUE(builder.Append(i).ok());
    return arrow::RecordBatch::Make(arrow::schema({arrow::field("n", arrow::int64())}), rows,
                                    {builder.Finish().ValueOrDie()});
  }

  static std::string Ipc(bool stream, int batches, bool close) {
    auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
    const auto batch = Batch(100);
    auto writer = (stream ? arrow::ipc::MakeStreamWriter(sink, batch->schema())
                          : arrow::ipc::MakeFileWriter(sink, batch->schema()))
                      .ValueOrDie();
    for (int i = 0; i < batches; ++i) EXPECT_TRUE(writer->WriteRecordBatch(*batch).ok());
    if (close) {
      EXPECT_TRUE(writer->Close().ok());
    }
    return sink->Finish().ValueOrDie()->ToString();
  }

  // One row group of each length.
  std::string Parquet(const std::string& name, const std::vector<int64_t>& row_groups) {
    const std::string path = folder_ + "/" + name;
    auto sink = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    const auto schema = Batch(0)->schema();
    auto writer = parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(), sink).ValueOrDie();
    for (const int64_t rows : row_groups) {
      const auto table = arrow::Table::FromRecordBatches({Batch(rows)}).ValueOrDie();
      EXPECT_TRUE(writer->WriteTable(*table, rows).ok());
    }
    EXPECT_TRUE(writer->Close().ok());
    return path;
  }

  // All rows, or the first error.
  Result<int64_t> CountRows(const std::vector<std::string>& paths, InputSettings settings = {}) {
    ARROW_ASSIGN_OR_RAISE(auto input, OpenInputs(paths, settings, &watch_));
    int64_t rows = 0;
    last_ = nullptr;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, input->Next());
      if (!batch) return rows;
      rows += batch->num_rows();
      last_ = batch;
    }
  }

  void ExpectInvalid(const Result<int64_t>& rows, const std::string& text) {
    ASSERT_FALSE(rows.ok()) << *rows;
    EXPECT_EQ(KindOf(rows.status()), ErrorKind::kInvalid);
    EXPECT_THAT(rows.status().message(), testing::HasSubstr(text));
  }

  StopSignal stop_;
  InputWatch watch_{&stop_};
  std::string folder_;
  std::shared_ptr<arrow::RecordBatch> last_;
};

}  // namespace tailrace::cli
