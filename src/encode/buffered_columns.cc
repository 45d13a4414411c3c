#include "encode/buffered_columns.h"

#include <utility>

#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>

#include "encode/slice_sink.h"

namespace tailrace {
namespace {

class BufferedColumns : public ColumnsWriter {
 public:
  BufferedColumns(std::unique_ptr<parquet::arrow::FileWriter> writer, std::shared_ptr<SliceSink> sink, size_t leaves)
      : sink_(std::move(sink)), leaves_(leaves), writer_(std::move(writer)) {}
  ~BufferedColumns() override {
    // An unused writer would write its pages when it is destroyed; it may throw on that.
    (void)CatchEncoder([this]() -> Status {
      writer_.reset();
      return Status::OK();
    });
  }

  Status Write(const arrow::RecordBatch& chunk) override {
    rows_ += chunk.num_rows();
    return CatchEncoder([&] { return FromEncoder(writer_->WriteRecordBatch(chunk)); });
  }

  Result<EncodedColumns> Finish() override {
    ARROW_RETURN_NOT_OK(CatchEncoder([this] { return FromEncoder(writer_->Close()); }));
    ARROW_ASSIGN_OR_RAISE(ByteSlices file, sink_->Take());
    return TakeApart(std::move(file), rows_, leaves_);
  }

 private:
  const std::shared_ptr<SliceSink> sink_;
  const size_t leaves_;
  int64_t rows_ = 0;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

}  // namespace

Result<std::unique_ptr<ColumnsWriter>> MakeBufferedColumns(const ColumnRun& columns,
                                                           std::shared_ptr<parquet::WriterProperties> properties,
                                                           arrow::MemoryPool* pool) {
  return CatchEncoder([&]() -> Result<std::unique_ptr<ColumnsWriter>> {
    auto sink = std::make_shared<SliceSink>(pool);
    auto writer = parquet::arrow::FileWriter::Open(*columns.schema, pool, sink, std::move(properties));
    ARROW_RETURN_NOT_OK(FromEncoder(writer.status()));
    return std::make_unique<BufferedColumns>(*std::move(writer), std::move(sink), columns.leaves.size());
  });
}

}  // namespace tailrace
