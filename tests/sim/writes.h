// Small whole writes for tests: rows that can be told apart, writers over any store, and what a finished object holds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "tailrace/commit.h"
#include "tailrace/writer.h"
#include "testing/memory_store.h"
#include "testing/status_macros.h"

namespace tailrace::sim {

// Ends the test program where a step that is only preparation fails.
inline void MustBeOk(const Status& status) {
  if (!status.ok()) status.Abort();
}

// Row i is a function of i alone: an int64 counter, a float64, a string of 0 to 40 bytes with nulls, a list of structs.
// Text and doubles do not compress, so that part borders come often.
std::shared_ptr<arrow::Schema> RowSchema();
std::shared_ptr<arrow::RecordBatch> Rows(int64_t begin, int64_t end);

// Options under which a few thousand rows make several parts and row groups.
FileOptions SmallFile();
// Runs everything inside the call; nothing is left to timing.
RuntimeOptions Inline();

// The counters of all rows of the object, in order, read by libparquet; any damage is an error.
Result<std::vector<int64_t>> CountersOf(const std::string& bytes);
// 0, 1, ... n-1
std::vector<int64_t> Counted(int64_t n);

// Writes rows [writer->rows(), end) in batches of `batch_rows`.
Status WriteUpTo(ParquetStreamWriter* writer, int64_t end, int64_t batch_rows);

// The bytes that an uninterrupted writer with flushes at these rows publishes.
Result<std::string> UninterruptedBytes(const std::vector<int64_t>& checkpoints, int64_t rows, FileOptions options,
                                       const RuntimeOptions& runtime = Inline());

}  // namespace tailrace::sim
