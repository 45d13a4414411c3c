// Cuts rows anew into chunks whose borders depend on the rows alone, never on how they arrived: libparquet's page cuts
// and dictionary fallback follow the calls, so equal calls give equal bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

// Memory that `rows` of `array` refer to, in bits: for each slot one validity bit and its fixed-size part (value,
// offset or view), for each non-null slot its string bytes or children; 8 more for each leaf slot below a list (its
// levels). A sum over rows: f(a..c) = f(a..b) + f(b..c), equal for equal rows however they are stored.
int64_t ReferencedBits(const arrow::Array& array, int64_t offset, int64_t rows);

struct Chunk {
  std::shared_ptr<arrow::RecordBatch> batch;  // never empty
  int64_t referenced_bytes = 0;
  bool ends_row_group = false;
};

// A chunk ends after kChunkRows rows, at the first row where one column reaches kChunkColumnBytes or all reach
// kChunkBytes, or where the row group ends: at the first row where it reaches row_group_bytes, or at row_group_rows.
// Not thread-safe.
class Recutter {
 public:
  static constexpr int64_t kChunkRows = 16384;
  static constexpr int64_t kChunkColumnBytes = int64_t{1} << 20;
  static constexpr int64_t kChunkBytes = int64_t{16} << 20;

  Recutter(std::shared_ptr<arrow::Schema> schema, int64_t row_group_bytes, int64_t row_group_rows);
  ~Recutter();

  // The chunks that became full. Slices share memory; a chunk that spans batches is copied together.
  Result<std::vector<Chunk>> Push(std::shared_ptr<arrow::RecordBatch> batch);
  // The rest of the open row group as its last chunk; none where no row is held. A row group that was open ends here
  // even when no row is held: the caller ends it.
  Result<std::optional<Chunk>> Flush();
  // The rows that are held, as one batch, whose rows' memory it shares or copies together; nullptr where there are
  // none. They stay.
  Result<std::shared_ptr<arrow::RecordBatch>> Held();
  // Of the open row group, those held and those in chunks.
  int64_t open_rows() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tailrace
