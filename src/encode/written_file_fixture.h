// Whole files, written by the parts of this module in one thread, and read back by libparquet.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/division.h"
#include "encode/file_tail.h"
#include "encode/prepared_schema.h"
#include "tailrace/options.h"

namespace tailrace {

struct WrittenFile {
  std::string bytes;
  ParquetContent content;
  std::string footer;
};

// Adapts, re-cuts and encodes the batches. After the rows of `flush_at` the row group ends.
// `division` is asked for each row group.
Result<WrittenFile> WriteBatches(const std::shared_ptr<arrow::Schema>& schema,
                                 const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                                 const ParquetOptions& options = {}, std::vector<int64_t> flush_at = {},
                                 std::function<Division()> division = nullptr);
// One row group of one batch.
Result<WrittenFile> WriteArray(const std::shared_ptr<arrow::Array>& array, const ParquetOptions& options = {});

// All rows as one batch, with the stored Arrow schema.
Result<std::shared_ptr<arrow::RecordBatch>> ReadBack(const std::string& file);
// With the extension types that Arrow knows, as the type of the column "c".
Result<std::shared_ptr<arrow::Array>> ReadBackArray(const std::string& file);

// What libparquet reads from the page indexes of one column chunk.
struct PageIndexes {
  std::vector<int64_t> offsets;
  std::vector<int64_t> first_rows;
  std::vector<int64_t> sizes;           // compressed, header included
  std::vector<std::string> min_values;  // empty where there is no column index
  std::vector<std::string> max_values;
};
Result<PageIndexes> ReadPageIndexes(const std::string& file, int row_group, int column);
// Encoded minimum and maximum of a column chunk.
struct ChunkBounds {
  bool has_min_max = false;
  std::string min;
  std::string max;
  int64_t null_count = -1;
};
Result<ChunkBounds> ReadChunkBounds(const std::string& file, int row_group, int column);

}  // namespace tailrace
