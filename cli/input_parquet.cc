#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <numeric>

#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "cli/input.h"

namespace tailrace::cli {

namespace {

class ParquetInput : public BatchInput {
 public:
  ParquetInput(std::shared_ptr<InputFd> fd, std::unique_ptr<parquet::arrow::FileReader> file,
               std::shared_ptr<arrow::Schema> schema, std::shared_ptr<std::atomic<int64_t>> bytes_read,
               InputWatch* watch)
      : fd_(std::move(fd)),
        file_(std::move(file)),
        schema_(std::move(schema)),
        bytes_read_(std::move(bytes_read)),
        watch_(watch) {}

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    ARROW_RETURN_NOT_OK(watch_->CheckStop());
    if (!batches_) ARROW_RETURN_NOT_OK(InputError(Begin(), fd_->name()));
    std::shared_ptr<arrow::RecordBatch> batch;
    ARROW_RETURN_NOT_OK(InputError(batches_->ReadNext(&batch), fd_->name()));
    return batch;
  }

  // Whole row groups need not be read.
  Result<int64_t> SkipCheaply(int64_t rows) override {
    if (batches_) return 0;
    const auto metadata = file_->parquet_reader()->metadata();
    int64_t skipped = 0;
    while (first_row_group_ < metadata->num_row_groups()) {
      const int64_t next = metadata->RowGroup(first_row_group_)->num_rows();
      if (skipped + next > rows) break;
      skipped += next;
      ++first_row_group_;
    }
    return skipped;
  }

  int64_t bytes_read() const override { return bytes_read_->load(); }
  std::optional<int64_t> total_bytes() const override { return fd_->size(); }
  std::string Origin() const override { return fd_->name(); }

 private:
  Status Begin() {
    std::vector<int> row_groups(static_cast<size_t>(file_->num_row_groups() - first_row_group_));
    std::iota(row_groups.begin(), row_groups.end(), first_row_group_);
    BEGIN_PARQUET_CATCH_EXCEPTIONS
    return file_->GetRecordBatchReader(row_groups).Value(&batches_);
    END_PARQUET_CATCH_EXCEPTIONS
  }

  const std::shared_ptr<InputFd> fd_;
  const std::unique_ptr<parquet::arrow::FileReader> file_;
  const std::shared_ptr<arrow::Schema> schema_;
  const std::shared_ptr<std::atomic<int64_t>> bytes_read_;
  InputWatch* const watch_;
  int first_row_group_ = 0;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
};

Result<std::unique_ptr<parquet::arrow::FileReader>> OpenReader(std::shared_ptr<arrow::io::RandomAccessFile> file) {
  // Pages are read as they are needed: a whole row group may be far more than the memory budget.
  parquet::ReaderProperties properties = parquet::default_reader_properties();
  properties.enable_buffered_stream();
  parquet::ArrowReaderProperties arrow_properties = parquet::default_arrow_reader_properties();
  arrow_properties.set_pre_buffer(false);
  BEGIN_PARQUET_CATCH_EXCEPTIONS
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(std::move(file), properties));
  builder.properties(arrow_properties);
  return builder.Build();
  END_PARQUET_CATCH_EXCEPTIONS
}

}  // namespace

Result<std::unique_ptr<BatchInput>> OpenParquet(std::shared_ptr<InputFd> fd, InputWatch* watch) {
  auto bytes_read = std::make_shared<std::atomic<int64_t>>(0);
  ARROW_ASSIGN_OR_RAISE(auto file, MakeCountingFile(fd, bytes_read));
  char ends[8] = {};
  ARROW_ASSIGN_OR_RAISE(const int64_t head, file->ReadAt(0, 4, ends));
  if (head < 4 || std::string_view(ends, 4) != "PAR1") {
    return MakeError(ErrorKind::kInvalid, fd->name() + ": is no Parquet file: it does not begin with PAR1");
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t tail, file->ReadAt(std::max<int64_t>(4, fd->size() - 4), 4, ends + 4));
  if (tail < 4 || std::string_view(ends + 4, 4) != "PAR1") {
    return MakeError(ErrorKind::kInvalid, fd->name() +
                                              ": the Parquet file was cut short or is still being written: it "
                                              "does not end with its footer");
  }
  auto reader = OpenReader(std::move(file));
  if (!reader.ok()) return InputError(reader.status(), fd->name());
  std::shared_ptr<arrow::Schema> schema;
  ARROW_RETURN_NOT_OK(InputError((*reader)->GetSchema(&schema), fd->name()));
  return std::make_unique<ParquetInput>(std::move(fd), *std::move(reader), std::move(schema), std::move(bytes_read),
                                        watch);
}

}  // namespace tailrace::cli
