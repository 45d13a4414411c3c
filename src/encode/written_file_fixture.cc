#include "encode/written_file_fixture.h"

#include <utility>

#include <arrow/array/array_base.h>
#include <arrow/io/memory.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/page_index.h>
#include <parquet/statistics.h>

#include "encode/batch_adapter.h"
#include "encode/encoder_properties.h"
#include "encode/recutter.h"
#include "encode/row_group_encoder.h"

namespace tailrace {
namespace {

class FileWriter {
 public:
  static Result<FileWriter> Make(const std::shared_ptr<arrow::Schema>& schema, const ParquetOptions& options,
                                 std::function<Division()> division) {
    ARROW_ASSIGN_OR_RAISE(PreparedSchema prepared, PrepareSchema(schema, options));
    return FileWriter(std::move(prepared), options, std::move(division));
  }

  Status Write(const arrow::RecordBatch& batch) {
    ARROW_ASSIGN_OR_RAISE(auto adapted, AdaptBatch(batch, schema_, rows_));
    rows_ += batch.num_rows();
    ARROW_ASSIGN_OR_RAISE(auto chunks, recutter_->Push(std::move(adapted)));
    for (const Chunk& chunk : chunks) ARROW_RETURN_NOT_OK(Encode(chunk));
    return Status::OK();
  }
  Status Flush() {
    ARROW_ASSIGN_OR_RAISE(auto chunk, recutter_->Flush());
    if (chunk) return Encode(*chunk);
    return EndGroup();
  }
  Result<WrittenFile> Finish() {
    ARROW_RETURN_NOT_OK(Flush());
    content_.digest = data_.crc64();
    ARROW_ASSIGN_OR_RAISE(FileTail tail, BuildTail(content_, FileEnd::kClose));
    ByteSlices file = FileHead();
    file.Append(data_);
    file.Append(tail.bytes);
    return WrittenFile{file.ToString(), std::move(content_), std::move(tail.footer)};
  }
  int64_t rows() const { return rows_; }

 private:
  FileWriter(PreparedSchema schema, const ParquetOptions& options, std::function<Division()> division)
      : schema_(std::move(schema)),
        options_(options),
        division_(std::move(division)),
        recutter_(std::make_unique<Recutter>(schema_.encoded, options.row_group_bytes, options.row_group_rows)) {
    content_.schema = schema_.schema_ipc;
    content_.footer_template = schema_.footer_template;
  }

  Status Encode(const Chunk& chunk) {
    if (encoder_ == nullptr) {
      encoder_ = RowGroupEncoder::Make(schema_, options_, arrow::default_memory_pool(), TwoBefore(content_.row_groups),
                                       division_ ? division_() : Division());
    }
    ARROW_RETURN_NOT_OK(encoder_->Write(*chunk.batch));
    return chunk.ends_row_group ? EndGroup() : Status::OK();
  }
  Status EndGroup() {
    if (encoder_ == nullptr) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(EncodedRowGroup group, std::exchange(encoder_, nullptr)->Finish());
    data_.Append(group.bytes);
    content_.row_groups.push_back(std::move(group.entry));
    return Status::OK();
  }

  PreparedSchema schema_;
  ParquetOptions options_;
  std::function<Division()> division_;
  std::unique_ptr<Recutter> recutter_;
  std::unique_ptr<RowGroupEncoder> encoder_;
  ParquetContent content_;
  ByteSlices data_;
  int64_t rows_ = 0;
};

std::shared_ptr<arrow::io::BufferReader> Open(const std::string& file) {
  return std::make_shared<arrow::io::BufferReader>(std::make_shared<arrow::Buffer>(std::string_view(file)));
}

}  // namespace

Result<WrittenFile> WriteBatches(const std::shared_ptr<arrow::Schema>& schema,
                                 const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                                 const ParquetOptions& options, std::vector<int64_t> flush_at,
                                 std::function<Division()> division) {
  ARROW_ASSIGN_OR_RAISE(FileWriter writer, FileWriter::Make(schema, options, std::move(division)));
  size_t next = 0;
  for (const auto& batch : batches) {
    int64_t at = 0;
    while (next < flush_at.size() && flush_at[next] < writer.rows() + batch->num_rows() - at) {
      const int64_t rows = flush_at[next++] - writer.rows();
      ARROW_RETURN_NOT_OK(writer.Write(*batch->Slice(at, rows)));
      ARROW_RETURN_NOT_OK(writer.Flush());
      at += rows;
    }
    ARROW_RETURN_NOT_OK(writer.Write(*batch->Slice(at)));
  }
  return writer.Finish();
}

Result<WrittenFile> WriteArray(const std::shared_ptr<arrow::Array>& array, const ParquetOptions& options) {
  const auto schema = arrow::schema({arrow::field("c", array->type())});
  return WriteBatches(schema, {arrow::RecordBatch::Make(schema, array->length(), {array})}, options);
}

Result<std::shared_ptr<arrow::RecordBatch>> ReadBack(const std::string& file) {
  return CatchEncoder([&]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(Open(file)));
    parquet::ArrowReaderProperties properties;
    properties.set_arrow_extensions_enabled(true);
    builder.properties(properties);
    ARROW_ASSIGN_OR_RAISE(auto reader, builder.Build());
    ARROW_ASSIGN_OR_RAISE(auto table, reader->ReadTable());
    ARROW_RETURN_NOT_OK(table->ValidateFull());
    ARROW_ASSIGN_OR_RAISE(auto batch, table->CombineChunksToBatch());
    return batch->ReplaceSchemaMetadata(table->schema()->metadata());
  });
}

Result<std::shared_ptr<arrow::Array>> ReadBackArray(const std::string& file) {
  ARROW_ASSIGN_OR_RAISE(auto batch, ReadBack(file));
  return batch->GetColumnByName("c");
}

Result<PageIndexes> ReadPageIndexes(const std::string& file, int row_group, int column) {
  return CatchEncoder([&]() -> Result<PageIndexes> {
    auto reader = parquet::ParquetFileReader::Open(Open(file));
    auto indexes = reader->GetPageIndexReader()->RowGroup(row_group);
    if (indexes == nullptr) return Status::Invalid("the row group has no page index");
    auto offsets = indexes->GetOffsetIndex(column);
    auto bounds = indexes->GetColumnIndex(column);
    if (offsets == nullptr) return Status::Invalid("the column has no offset index");
    PageIndexes out;
    for (const auto& page : offsets->page_locations()) {
      out.offsets.push_back(page.offset);
      out.first_rows.push_back(page.first_row_index);
      out.sizes.push_back(page.compressed_page_size);
    }
    if (bounds == nullptr) return out;
    out.min_values = bounds->encoded_min_values();
    out.max_values = bounds->encoded_max_values();
    return out;
  });
}

Result<ChunkBounds> ReadChunkBounds(const std::string& file, int row_group, int column) {
  return CatchEncoder([&]() -> Result<ChunkBounds> {
    auto reader = parquet::ParquetFileReader::Open(Open(file));
    auto statistics = reader->metadata()->RowGroup(row_group)->ColumnChunk(column)->statistics();
    if (statistics == nullptr) return Status::Invalid("the column chunk has no statistics");
    ChunkBounds out;
    out.has_min_max = statistics->HasMinMax();
    out.min = out.has_min_max ? statistics->EncodeMin() : "";
    out.max = out.has_min_max ? statistics->EncodeMax() : "";
    out.null_count = statistics->HasNullCount() ? statistics->null_count() : -1;
    return out;
  });
}

}  // namespace tailrace
