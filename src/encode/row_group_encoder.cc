#include "encode/row_group_encoder.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>

#include "encode/adaptive_columns.h"
#include "encode/encoder_properties.h"
#include "encode/parquet_fields.h"
#include "encode/parquet_file.h"
#include "encode/slice_sink.h"
#include "encode/thrift_compact.h"

namespace tailrace {
namespace {

Status Unexpected(const std::string& what) { return MakeError(ErrorKind::kInternal, "Parquet encoder: " + what); }

// A page index of a column chunk: taken out of the metadata, since BuildTail gives it its place.
Result<std::string> TakeIndex(std::string_view file_tail, int64_t tail_offset, ThriftStruct* chunk, int16_t offset_id,
                              int16_t length_id) {
  const int64_t* offset = chunk->FindInt(offset_id);
  const int64_t* length = chunk->FindInt(length_id);
  if (offset == nullptr || length == nullptr) return std::string();
  const int64_t start = *offset - tail_offset;
  if (start < 0 || *length < 0 || start + *length > static_cast<int64_t>(file_tail.size())) {
    return Unexpected("a page index lies outside of the file's tail");
  }
  std::string bytes(file_tail.substr(start, *length));
  chunk->Remove(offset_id);
  chunk->Remove(length_id);
  return bytes;
}

class UnitEncoder : public RowGroupEncoder {
 public:
  // `two_before` is looked at by the first Write.
  UnitEncoder(const PreparedSchema* schema, const ParquetOptions& options, arrow::MemoryPool* pool,
              std::optional<RowGroupEntry> two_before)
      : schema_(schema), options_(options), pool_(pool), two_before_(std::move(two_before)) {}
  ~UnitEncoder() override {
    // An unused writer would write its pages when it is destroyed; it may throw on that.
    (void)CatchEncoder([this]() -> Status {
      writer_.reset();
      return Status::OK();
    });
  }

  Status Write(const arrow::RecordBatch& chunk) override {
    if (writer_ == nullptr) ARROW_RETURN_NOT_OK(Start(chunk));
    rows_ += chunk.num_rows();
    return CatchEncoder([&] { return FromEncoder(writer_->WriteRecordBatch(chunk)); });
  }

  Result<EncodedRowGroup> Finish() override {
    if (writer_ == nullptr) return Unexpected("a row group without rows");
    ARROW_RETURN_NOT_OK(CatchEncoder([this] { return FromEncoder(writer_->Close()); }));
    ByteSlices file = sink_->Take();
    ARROW_ASSIGN_OR_RAISE(ThriftStruct footer, ReadOwnFooter(file));
    ThriftList* groups = footer.FindList(file_metadata::kRowGroups);
    if (groups == nullptr || groups->values.size() != 1) return Unexpected("a unit without exactly one row group");
    auto* group = std::get_if<ThriftStruct>(&groups->values[0].data);
    if (group == nullptr) return Unexpected("a row group that is no structure");
    return Cut(std::move(file), group);
  }

 private:
  Status Start(const arrow::RecordBatch& first_chunk) {
    ARROW_ASSIGN_OR_RAISE(choices_,
                          ChooseColumns(first_chunk, *schema_, options_, two_before_ ? &*two_before_ : nullptr, pool_));
    two_before_.reset();
    ARROW_ASSIGN_OR_RAISE(auto properties, MakeWriterProperties(options_, schema_->leaves, choices_, pool_));
    // Buffers every column twice; a flat column needs not, see docs/adr/0009.
    return CatchEncoder([&]() -> Status {
      auto writer = parquet::arrow::FileWriter::Open(*schema_->encoded, pool_, sink_, std::move(properties));
      ARROW_RETURN_NOT_OK(FromEncoder(writer.status()));
      writer_ = *std::move(writer);
      return Status::OK();
    });
  }

  // The footer of what the writer has just written.
  Result<ThriftStruct> ReadOwnFooter(const ByteSlices& file) {
    ByteSlices rest = file;
    (void)rest.TakeFront(std::max<int64_t>(0, rest.size() - kFileTrailerBytes));
    ARROW_ASSIGN_OR_RAISE(const int64_t footer_bytes, FooterLength(rest.ToString(), file.size()));
    footer_begin_ = file.size() - kFileTrailerBytes - footer_bytes;
    rest = file;
    (void)rest.TakeFront(footer_begin_);
    return DecodeThrift(rest.TakeFront(footer_bytes).ToString());
  }

  Result<EncodedRowGroup> Cut(ByteSlices file, ThriftStruct* group) {
    ThriftList* columns = group->FindList(row_group::kColumns);
    const int64_t* rows = group->FindInt(row_group::kNumRows);
    if (columns == nullptr || rows == nullptr || *rows != rows_) return Unexpected("a row group with other rows");
    ARROW_ASSIGN_OR_RAISE(const int64_t data_end, FindDataEnd(*columns));

    EncodedRowGroup out;
    (void)file.TakeFront(kFileMagicBytes);
    out.bytes = file.TakeFront(data_end - kFileMagicBytes);
    const std::string tail = file.TakeFront(footer_begin_ - data_end).ToString();
    for (ThriftValue& column : columns->values) {
      auto* chunk = std::get_if<ThriftStruct>(&column.data);
      ColumnIndexBytes indexes;
      ARROW_ASSIGN_OR_RAISE(indexes.column_index, TakeIndex(tail, data_end, chunk, column_chunk::kColumnIndexOffset,
                                                            column_chunk::kColumnIndexLength));
      ARROW_ASSIGN_OR_RAISE(indexes.offset_index, TakeIndex(tail, data_end, chunk, column_chunk::kOffsetIndexOffset,
                                                            column_chunk::kOffsetIndexLength));
      out.entry.indexes.push_back(std::move(indexes));
    }
    out.entry.rows = rows_;
    out.entry.size_bytes = out.bytes.size();
    out.entry.metadata = EncodeThrift(*group);
    out.entry.choices = std::move(choices_);
    return out;
  }

  // Where the bytes of the row group end and its page indexes, if any, begin.
  Result<int64_t> FindDataEnd(const ThriftList& columns) const {
    int64_t end = footer_begin_;
    for (const ThriftValue& column : columns.values) {
      const auto* chunk = std::get_if<ThriftStruct>(&column.data);
      if (chunk == nullptr) return Unexpected("a column chunk that is no structure");
      for (int16_t id : {column_chunk::kColumnIndexOffset, column_chunk::kOffsetIndexOffset}) {
        const int64_t* offset = chunk->FindInt(id);
        if (offset != nullptr) end = std::min(end, *offset);
      }
    }
    if (end < kFileMagicBytes) return Unexpected("a page index before the first row group");
    return end;
  }

  const PreparedSchema* const schema_;
  const ParquetOptions options_;
  arrow::MemoryPool* const pool_;
  std::optional<RowGroupEntry> two_before_;
  const std::shared_ptr<SliceSink> sink_ = std::make_shared<SliceSink>();
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  std::vector<ColumnChoice> choices_;
  int64_t rows_ = 0;
  int64_t footer_begin_ = 0;
};

}  // namespace

std::unique_ptr<RowGroupEncoder> RowGroupEncoder::Make(const PreparedSchema& schema, const ParquetOptions& options,
                                                       arrow::MemoryPool* pool,
                                                       std::optional<RowGroupEntry> two_before) {
  return std::make_unique<UnitEncoder>(&schema, options, pool, std::move(two_before));
}

std::optional<RowGroupEntry> TwoBefore(const std::vector<RowGroupEntry>& row_groups) {
  if (row_groups.size() < 2) return std::nullopt;
  const RowGroupEntry& entry = row_groups[row_groups.size() - 2];
  // Only what ChooseColumns looks at.
  RowGroupEntry out;
  out.metadata = entry.metadata;
  out.choices = entry.choices;
  return out;
}

}  // namespace tailrace
