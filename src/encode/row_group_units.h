// One row group while it is encoded, as units of columns that can be worked on at the same time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/division.h"
#include "encode/prepared_schema.h"
#include "encode/row_group_assembly.h"
#include "tailrace/options.h"
#include "tailrace/state.h"

namespace tailrace {

// Calls for different units may be made at the same time, those for one unit in order.
class RowGroupUnits {
 public:
  // `first_chunk` and `two_before` (nullptr for the first two row groups of a file) decide the encodings; no row is
  // written yet. `division` has all fields of the schema. `schema`, `options` and `pool` outlive it.
  static Result<std::unique_ptr<RowGroupUnits>> Make(const PreparedSchema* schema, const ParquetOptions* options,
                                                     arrow::MemoryPool* pool, const arrow::RecordBatch& first_chunk,
                                                     const RowGroupEntry* two_before, const Division& division);
  virtual ~RowGroupUnits() = default;

  virtual size_t size() const = 0;
  // `chunk` has all columns of the file and is not empty; every unit gets the same chunks.
  virtual Status Write(size_t unit, const arrow::RecordBatch& chunk) = 0;
  // REQUIRES: at least one chunk written by it.
  virtual Status Finish(size_t unit) = 0;
  // REQUIRES: every unit is finished.
  virtual Result<EncodedRowGroup> Assemble() = 0;
};

}  // namespace tailrace
