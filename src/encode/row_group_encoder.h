// Encodes one row group as a relocatable unit: by its own small libparquet writer, as if it were a file alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

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
  // Its pages and the bytes that it leaves come from `pool`; `schema` and `pool` outlive it. `two_before`: the row
  // group two before this one, by which the encodings of columns are chosen; none for the first two.
  static std::unique_ptr<RowGroupEncoder> Make(const PreparedSchema& schema, const ParquetOptions& options,
                                               arrow::MemoryPool* pool, std::optional<RowGroupEntry> two_before);
  virtual ~RowGroupEncoder() = default;
  // REQUIRES: not empty, of schema.encoded.
  virtual Status Write(const arrow::RecordBatch& chunk) = 0;
  // REQUIRES: at least one chunk written.
  virtual Result<EncodedRowGroup> Finish() = 0;
};

// What the encoder of the row group behind `row_groups` is given.
std::optional<RowGroupEntry> TwoBefore(const std::vector<RowGroupEntry>& row_groups);

}  // namespace tailrace
