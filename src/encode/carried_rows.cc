#include "encode/carried_rows.h"

#include <utility>
#include <vector>

#include <arrow/array/array_base.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <arrow/extension_type.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

#include "encode/array_adapter.h"
#include "encode/map_type.h"
#include "encode/misfit.h"
#include "encode/recutter.h"
#include "state/packed_bytes.h"

namespace tailrace {
namespace {

// A map is three levels to IPC and two to us; more than any type that passes EncodedSchema has.
constexpr int kMaxIpcDepth = 256;
// Nothing but a compressed body, which Pack never writes, needs memory to be read.
constexpr int64_t kMaxReadBytes = 1 << 16;

// IPC stores all of a view's buffers whatever the slice. Extensions are put around their storage again by the schema.
std::shared_ptr<arrow::DataType> StoredInstead(const std::shared_ptr<arrow::DataType>& type) {
  switch (type->id()) {
    case arrow::Type::STRING_VIEW:
      return arrow::utf8();
    case arrow::Type::BINARY_VIEW:
      return arrow::binary();
    case arrow::Type::EXTENSION:
      return MapType(arrow::internal::checked_cast<const arrow::ExtensionType&>(*type).storage_type(), StoredInstead);
    default:
      return nullptr;
  }
}

Result<std::shared_ptr<arrow::RecordBatch>> ConvertColumns(const arrow::RecordBatch& from,
                                                           const std::shared_ptr<arrow::Schema>& to) {
  std::vector<std::shared_ptr<arrow::ArrayData>> columns;
  for (int i = 0; i < from.num_columns(); ++i) {
    const arrow::Field& field = *to->field(i);
    auto column = AdaptArray(from.column_data(i), field, Validity());
    if (!column.ok()) return DescribeMisfit(column.status(), field.name(), 0);
    columns.push_back(*std::move(column));
  }
  return arrow::RecordBatch::Make(to, from.num_rows(), std::move(columns));
}

// In buffers of their own. IPC pads each with what lies behind, which is of other rows.
Result<std::shared_ptr<arrow::RecordBatch>> CopyAlone(const arrow::RecordBatch& rows, arrow::MemoryPool* pool) {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (const auto& column : rows.columns()) {
    ARROW_ASSIGN_OR_RAISE(auto copy, arrow::Concatenate({column}, pool));
    columns.push_back(std::move(copy));
  }
  return arrow::RecordBatch::Make(rows.schema(), rows.num_rows(), std::move(columns));
}

Status Bad(const std::string& what) { return MakeError(ErrorKind::kBadState, "carried: " + what); }

Result<std::shared_ptr<arrow::RecordBatch>> ReadMessage(std::string message,
                                                        const std::shared_ptr<arrow::Schema>& schema) {
  arrow::io::BufferReader reader(arrow::Buffer::FromString(std::move(message)));
  arrow::CappedMemoryPool pool(arrow::system_memory_pool(), kMaxReadBytes);
  arrow::ipc::IpcReadOptions options;
  options.max_recursion_depth = kMaxIpcDepth;
  options.memory_pool = &pool;
  options.use_threads = false;
  ARROW_ASSIGN_OR_RAISE(auto batch, arrow::ipc::ReadRecordBatch(schema, nullptr, options, &reader));
  ARROW_RETURN_NOT_OK(batch->ValidateFull());
  return batch;
}

}  // namespace

CarriedCodec::CarriedCodec(std::shared_ptr<arrow::Schema> encoded)
    : encoded_(std::move(encoded)), stored_(MapTypes(*encoded_, StoredInstead)) {}

Result<std::string> CarriedCodec::Pack(const arrow::RecordBatch& rows, arrow::MemoryPool* pool) const {
  ARROW_ASSIGN_OR_RAISE(const auto converted, ConvertColumns(rows, stored_));
  ARROW_ASSIGN_OR_RAISE(const auto stored, CopyAlone(*converted, pool));
  arrow::ipc::IpcWriteOptions options;
  options.max_recursion_depth = kMaxIpcDepth;
  options.memory_pool = pool;
  options.use_threads = false;
  ARROW_ASSIGN_OR_RAISE(const auto message, arrow::ipc::SerializeRecordBatch(*stored, options));
  return PackBytes(std::string_view(*message));
}

Result<std::shared_ptr<arrow::RecordBatch>> CarriedCodec::Unpack(const CarriedChunk& chunk) const {
  ARROW_ASSIGN_OR_RAISE(std::string message, UnpackBytes(chunk.bytes, "carried"));
  const auto stored = ReadMessage(std::move(message), stored_);
  if (!stored.ok()) return Bad("no batch of the schema: " + stored.status().message());
  if ((*stored)->num_rows() != chunk.rows) {
    return Bad("a chunk of " + std::to_string(chunk.rows) + " rows holds " + std::to_string((*stored)->num_rows()));
  }
  auto rows = ConvertColumns(**stored, encoded_);
  if (!rows.ok()) return Bad(rows.status().message());
  return rows;
}

Status CheckCarriedRows(const CarriedRows& carried, const PreparedSchema& schema, const ParquetOptions& options) {
  const CarriedCodec codec(schema.encoded);
  int64_t bits = 0;
  for (const CarriedChunk& chunk : carried.chunks) {
    ARROW_ASSIGN_OR_RAISE(const auto rows, codec.Unpack(chunk));
    for (const auto& column : rows->columns()) bits += ReferencedBits(*column, 0, rows->num_rows());
  }
  if (carried.rows() < options.row_group_rows && bits / 8 < options.row_group_bytes) return Status::OK();
  return Bad(std::to_string(carried.rows()) + " rows of " + std::to_string(bits / 8) +
             " bytes, more than an open row group has");
}

}  // namespace tailrace
