// Encodes one row group as a relocatable unit, in the caller's thread: by small libparquet writers, as if it were a
// file alone.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/division.h"
#include "encode/prepared_schema.h"
#include "encode/row_group_assembly.h"
#include "tailrace/options.h"
#include "tailrace/state.h"

namespace tailrace {

// Not thread-safe. Used for one row group, then thrown away.
class RowGroupEncoder {
 public:
  // Its pages and the bytes that it leaves come from `pool`; `schema` and `pool` outlive it. `two_before`: the row
  // group two before this one, by which the encodings of columns are chosen; none for the first two. `division` of
  // the columns, which changes no byte; by default they are one unit, with writers as the first chunk asks for.
  static std::unique_ptr<RowGroupEncoder> Make(const PreparedSchema& schema, const ParquetOptions& options,
                                               arrow::MemoryPool* pool, std::optional<RowGroupEntry> two_before,
                                               Division division = {});
  virtual ~RowGroupEncoder() = default;
  // REQUIRES: not empty, of schema.encoded.
  virtual Status Write(const arrow::RecordBatch& chunk) = 0;
  // REQUIRES: at least one chunk written.
  virtual Result<EncodedRowGroup> Finish() = 0;
};

// What the encoder of the row group behind `row_groups` is given.
std::optional<RowGroupEntry> TwoBefore(const std::vector<RowGroupEntry>& row_groups);

}  // namespace tailrace
