// Encodes one row group as a relocatable unit: by its own small libparquet writer, as if it were a file alone.
#pragma once

#include <cstdint>
#include <memory>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/prepared_schema.h"
#include "tailrace/bytes.h"
#include "tailrace/options.h"
#include "tailrace/state.h"

namespace tailrace {

struct EncodedRowGroup {
  ByteSlices bytes;  // pages of all columns, what lies behind the leading magic of a file
  RowGroupEntry entry;
};

// Not thread-safe. Used for one row group, then thrown away.
class RowGroupEncoder {
 public:
  // Its pages and the bytes that it leaves come from `pool`, which outlives both.
  static Result<std::unique_ptr<RowGroupEncoder>> Make(const PreparedSchema& schema, const ParquetOptions& options,
                                                       arrow::MemoryPool* pool);
  virtual ~RowGroupEncoder() = default;
  // REQUIRES: not empty, of schema.encoded.
  virtual Status Write(const arrow::RecordBatch& chunk) = 0;
  // REQUIRES: at least one chunk written.
  virtual Result<EncodedRowGroup> Finish() = 0;
};

}  // namespace tailrace
