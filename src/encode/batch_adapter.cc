#include "encode/batch_adapter.h"

#include <utility>
#include <vector>

#include <arrow/array/data.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/align_util.h>

#include "encode/array_adapter.h"
#include "encode/misfit.h"
#include "encode/row_size.h"
#include "encode/type_fit.h"

namespace tailrace {

namespace {

// A copy where buffers begin at addresses that their values must not have, as those of messages may.
Result<std::shared_ptr<arrow::ArrayData>> Aligned(const std::shared_ptr<arrow::ArrayData>& data) {
  if (arrow::util::CheckAlignment(*data, arrow::util::kValueAlignment)) return data;
  return arrow::util::EnsureAlignment(data, arrow::util::kValueAlignment, arrow::default_memory_pool());
}

}  // namespace

Status CheckSchemaFits(const arrow::Schema& batch_schema, const PreparedSchema& schema) {
  if (&batch_schema == schema.input.get()) return Status::OK();
  return CheckFieldsFit(batch_schema.fields(), schema.encoded->fields(), "");
}

Result<std::shared_ptr<arrow::RecordBatch>> AdaptBatch(const arrow::RecordBatch& batch, const PreparedSchema& schema,
                                                       int64_t first_row) {
  ARROW_RETURN_NOT_OK(CheckSchemaFits(*batch.schema(), schema));
  // Sizes of buffers only; what they hold is checked column by column.
  const Status valid = batch.Validate();
  if (!valid.ok()) return MakeError(ErrorKind::kInvalid, "the batch is damaged: " + valid.message());
  std::vector<std::shared_ptr<arrow::ArrayData>> columns;
  for (int i = 0; i < batch.num_columns(); ++i) {
    const arrow::Field& field = *schema.encoded->field(i);
    ARROW_ASSIGN_OR_RAISE(const auto data, Aligned(batch.column_data(i)));
    auto column = AdaptArray(data, field, Validity());
    Status status = column.status();
    if (status.ok()) status = CheckRowSizes(**column);
    if (!status.ok()) return DescribeMisfit(status, field.name(), first_row);
    columns.push_back(*std::move(column));
  }
  return arrow::RecordBatch::Make(schema.encoded, batch.num_rows(), std::move(columns));
}

}  // namespace tailrace
