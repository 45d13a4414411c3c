// How the columns of a row group are divided. It changes no byte of the row group, so it may follow the number of
// threads and guesses.
#pragma once

#include <cstdint>
#include <vector>

#include <arrow/type_fwd.h>

#include "encode/prepared_schema.h"

namespace tailrace {

// Columns that are encoded by one thread at a time, by one or more writers (columns_writer.h).
struct UnitFields {
  std::vector<int> field_counts;  // of each writer: the next fields of the file
  int64_t weight = 0;             // expected work, against other units
  friend bool operator==(const UnitFields&, const UnitFields&) = default;
};
using Division = std::vector<UnitFields>;

// At most `most_units` units of about equal work, fewer where that is little. Judged by the rows of one chunk: a flat
// column that has more than a little in it gets a writer of its own, and others that are side by side share one.
Division DivideFields(const arrow::RecordBatch& chunk, const PreparedSchema& schema, int most_units);

// The part of it that is arithmetic: of each field the expected work, not negative, and whether it should have a writer
// of its own.
struct FieldWeight {
  int64_t weight = 0;
  bool alone = false;
};
Division DivideWeights(const std::vector<FieldWeight>& fields, int most_units);

}  // namespace tailrace
