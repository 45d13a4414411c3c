#include "encode/column_run.h"

#include <algorithm>
#include <utility>

#include <arrow/record_batch.h>
#include <arrow/type.h>

namespace tailrace {

ColumnRun WholeRun(const PreparedSchema& schema) { return {.schema = schema.encoded, .leaves = schema.leaves}; }

ColumnRun PartOf(const ColumnRun& run, int first_field, int fields) {
  if (fields == run.schema->num_fields()) return run;
  const int begin = first_field - run.first_field;
  const arrow::FieldVector& all = run.schema->fields();
  const auto before = [](const LeafColumn& leaf, int field) { return leaf.field < field; };
  const auto leaf = std::lower_bound(run.leaves.begin(), run.leaves.end(), begin, before);
  ColumnRun part{.schema = arrow::schema(arrow::FieldVector(all.begin() + begin, all.begin() + begin + fields)),
                 .first_field = first_field,
                 .first_leaf = run.first_leaf + static_cast<size_t>(leaf - run.leaves.begin())};
  part.leaves.assign(leaf, std::lower_bound(leaf, run.leaves.end(), begin + fields, before));
  for (LeafColumn& moved : part.leaves) moved.field -= begin;
  return part;
}

std::shared_ptr<arrow::RecordBatch> ColumnsOf(const arrow::RecordBatch& chunk, const ColumnRun& run) {
  arrow::ArrayVector columns;
  for (int i = 0; i < run.schema->num_fields(); ++i) columns.push_back(chunk.column(run.first_field + i));
  return arrow::RecordBatch::Make(run.schema, chunk.num_rows(), std::move(columns));
}

}  // namespace tailrace
