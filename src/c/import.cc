#include "c/import.h"

#include <utility>

#include <arrow/array/array_nested.h>
#include <arrow/c/bridge.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

namespace tailrace::c {

Result<std::shared_ptr<arrow::Schema>> ImportSchema(const Taken<ArrowSchema>& schema) {
  if (!schema.present()) return MakeError(ErrorKind::kInvalid, "the schema is NULL or was released before");
  return arrow::ImportSchema(schema.get());
}

Result<std::shared_ptr<arrow::RecordBatch>> ImportBatch(const Taken<ArrowArray>& batch, const Taken<ArrowSchema>& type,
                                                        const std::shared_ptr<arrow::Schema>& schema) {
  if (!batch.present()) return MakeError(ErrorKind::kInvalid, "the batch is NULL or was released before");
  std::shared_ptr<arrow::Schema> of = schema;
  if (type.get() != nullptr) {
    ARROW_ASSIGN_OR_RAISE(of, ImportSchema(type));
  }
  // As a struct and not as a batch, which Arrow does not import where it begins behind its buffers' first row.
  ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<arrow::Array> rows,
                        arrow::ImportArray(batch.get(), arrow::struct_(of->fields())));
  if (rows->null_count() != 0) {
    return MakeError(ErrorKind::kInvalid, "the batch has nulls of its own: only its columns may have nulls");
  }
  const auto& columns = static_cast<const arrow::StructArray&>(*rows);
  arrow::ArrayVector arrays;
  arrays.reserve(columns.num_fields());
  for (int i = 0; i < columns.num_fields(); ++i) arrays.push_back(columns.field(i));
  return arrow::RecordBatch::Make(std::move(of), rows->length(), std::move(arrays));
}

Status ExportSchema(const arrow::Schema& schema, ArrowSchema* out) { return arrow::ExportSchema(schema, out); }

}  // namespace tailrace::c
