// Encodes some columns of a row group by a small libparquet writer of their own (docs/adr/0009).
#pragma once

#include <memory>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/column_run.h"
#include "encode/unit_file.h"
#include "tailrace/column_choice.h"
#include "tailrace/error.h"
#include "tailrace/options.h"

namespace tailrace {

// Not thread-safe. Used for one row group, then thrown away.
class ColumnsWriter {
 public:
  // `columns` are written as `choices` say: one for each leaf column, or none. The pages come from `pool`, which
  // outlives them. A single flat column takes the memory of its pages alone; others write into buffers that grow by
  // doubling. The bytes are the same.
  static Result<std::unique_ptr<ColumnsWriter>> Make(const ColumnRun& columns, const std::vector<ColumnChoice>& choices,
                                                     const ParquetOptions& options, arrow::MemoryPool* pool);
  virtual ~ColumnsWriter() = default;
  // `chunk` has these columns alone and is not empty.
  virtual Status Write(const arrow::RecordBatch& chunk) = 0;
  // REQUIRES: at least one chunk written.
  virtual Result<EncodedColumns> Finish() = 0;
};

// A column without structure: it needs no levels but whether a value is there.
bool IsFlat(const arrow::Field& field);

}  // namespace tailrace
