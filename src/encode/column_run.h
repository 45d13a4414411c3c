// Columns of a file that follow one another.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <arrow/type_fwd.h>

#include "encode/leaf_columns.h"
#include "encode/prepared_schema.h"

namespace tailrace {

// Whole top-level fields, and the leaf columns below them.
struct ColumnRun {
  std::shared_ptr<arrow::Schema> schema;  // of these fields alone
  int first_field = 0;                    // in the file
  size_t first_leaf = 0;                  // in the file
  std::vector<LeafColumn> leaves;         // `field` is counted from first_field
};

ColumnRun WholeRun(const PreparedSchema& schema);
// Its next `fields` fields, from the one at `first_field` on, which is counted as those of `run` are.
ColumnRun PartOf(const ColumnRun& run, int first_field, int fields);
// The columns of `run` alone, of a chunk that has all of the file.
std::shared_ptr<arrow::RecordBatch> ColumnsOf(const arrow::RecordBatch& chunk, const ColumnRun& run);

}  // namespace tailrace
