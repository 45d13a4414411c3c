#include "encode/batch_input.h"

#include <algorithm>

#include <arrow/array.h>
#include <arrow/c/bridge.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

#include "encode/recutter.h"

namespace tailrace {

Status ForEachBatch(arrow::RecordBatchReader* reader, const BatchFunction& function) {
  for (;;) {
    std::shared_ptr<arrow::RecordBatch> batch;
    ARROW_RETURN_NOT_OK(reader->ReadNext(&batch));
    if (batch == nullptr) return Status::OK();
    ARROW_RETURN_NOT_OK(function(*batch));
  }
}

Status ForEachBatch(const arrow::Table& table, const BatchFunction& function) {
  arrow::TableBatchReader reader(table);
  return ForEachBatch(&reader, function);
}

Status ForEachBatch(ArrowArrayStream* stream, const BatchFunction& function) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::RecordBatchReader> reader, arrow::ImportRecordBatchReader(stream));
  return ForEachBatch(reader.get(), function);
}

int64_t RowsOf(const arrow::RecordBatch& batch) { return batch.num_rows(); }

int64_t ReferencedBytesOf(const arrow::RecordBatch& batch) {
  int64_t bits = 0;
  for (const auto& column : batch.columns()) bits += ReferencedBits(*column, 0, column->length());
  return (bits + 7) / 8;
}

namespace {

template <typename Visit>
void VisitLeaves(const arrow::DataType& type, const Visit& visit) {
  if (type.num_fields() == 0) return visit(type);
  for (const auto& field : type.fields()) VisitLeaves(*field->type(), visit);
}

template <typename Visit>
void VisitLeaves(const arrow::Schema& schema, const Visit& visit) {
  for (const auto& field : schema.fields()) VisitLeaves(*field->type(), visit);
}

}  // namespace

int64_t WideningOf(const arrow::Schema& schema) {
  int64_t widening = 1;
  VisitLeaves(schema, [&](const arrow::DataType& type) {
    if (arrow::is_fixed_width(type.id()) && type.bit_width() >= 8 && type.bit_width() < 32) {
      widening = std::max<int64_t>(widening, 32 / type.bit_width());
    }
  });
  return widening;
}

int64_t LeafColumnsOf(const arrow::Schema& schema) {
  int64_t leaves = 0;
  VisitLeaves(schema, [&](const arrow::DataType&) { ++leaves; });
  return leaves;
}

}  // namespace tailrace
