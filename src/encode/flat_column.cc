#include "encode/flat_column.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/schema.h>
#include <parquet/column_writer.h>
#include <parquet/file_writer.h>
#include <parquet/schema.h>

#include "encode/slice_sink.h"

namespace tailrace {
namespace {

class FlatColumn : public ColumnsWriter {
 public:
  // May throw, as all of libparquet.
  FlatColumn(const arrow::Schema& schema, const std::shared_ptr<parquet::SchemaDescriptor>& descriptor,
             std::shared_ptr<parquet::WriterProperties> properties, arrow::MemoryPool* pool)
      : nullable_(schema.field(0)->nullable()),
        sink_(std::make_shared<SliceSink>(pool)),
        arrow_properties_(parquet::default_arrow_writer_properties()),
        context_(pool, arrow_properties_.get()),
        file_(parquet::ParquetFileWriter::Open(
            sink_, std::static_pointer_cast<parquet::schema::GroupNode>(descriptor->schema_root()),
            std::move(properties))),
        column_(file_->AppendRowGroup()->NextColumn()) {}
  ~FlatColumn() override {
    // An unused writer would write its pages when it is destroyed; it may throw on that.
    (void)CatchEncoder([this]() -> Status {
      file_.reset();
      return Status::OK();
    });
  }

  Status Write(const arrow::RecordBatch& chunk) override {
    rows_ += chunk.num_rows();
    std::shared_ptr<arrow::Array> values = chunk.column(0);
    while (values->type_id() == arrow::Type::EXTENSION) {
      values = static_cast<const arrow::ExtensionArray&>(*values).storage();
    }
    const int16_t* levels = nullable_ ? LevelsOf(*values) : nullptr;
    return CatchEncoder([&] {
      return FromEncoder(column_->WriteArrow(levels, nullptr, values->length(), *values, &context_, nullable_));
    });
  }

  Result<EncodedColumns> Finish() override {
    ARROW_RETURN_NOT_OK(CatchEncoder([this]() -> Status {
      file_->Close();
      return Status::OK();
    }));
    ARROW_ASSIGN_OR_RAISE(ByteSlices file, sink_->Take());
    return TakeApart(std::move(file), rows_, 1);
  }

 private:
  // 1 for each value that is there, 0 for each that is null.
  const int16_t* LevelsOf(const arrow::Array& values) {
    levels_.assign(static_cast<size_t>(values.length()), 1);
    if (values.null_count() > 0) {
      for (int64_t i = 0; i < values.length(); ++i) levels_[static_cast<size_t>(i)] = values.IsValid(i) ? 1 : 0;
    }
    return levels_.data();
  }

  const bool nullable_;
  const std::shared_ptr<SliceSink> sink_;
  const std::shared_ptr<parquet::ArrowWriterProperties> arrow_properties_;
  parquet::ArrowWriteContext context_;
  std::vector<int16_t> levels_;
  int64_t rows_ = 0;
  std::unique_ptr<parquet::ParquetFileWriter> file_;
  parquet::ColumnWriter* const column_;  // of file_
};

}  // namespace

Result<std::unique_ptr<ColumnsWriter>> MakeFlatColumn(const ColumnRun& column,
                                                      std::shared_ptr<parquet::WriterProperties> properties,
                                                      arrow::MemoryPool* pool) {
  return CatchEncoder([&]() -> Result<std::unique_ptr<ColumnsWriter>> {
    std::shared_ptr<parquet::SchemaDescriptor> descriptor;
    ARROW_RETURN_NOT_OK(FromEncoder(parquet::arrow::ToParquetSchema(
        column.schema.get(), *properties, *parquet::default_arrow_writer_properties(), &descriptor)));
    return std::make_unique<FlatColumn>(*column.schema, descriptor, std::move(properties), pool);
  });
}

}  // namespace tailrace
