// The shapes in which Arrow data comes in, as a sequence of batches.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "tailrace/error.h"

struct ArrowArrayStream;

namespace tailrace {

using arrow::Result;

using BatchFunction = std::function<Status(const arrow::RecordBatch&)>;

// Calls `function` for each batch in order, and stops at the first error, which it returns.
Status ForEachBatch(const arrow::Table& table, const BatchFunction& function);
Status ForEachBatch(arrow::RecordBatchReader* reader, const BatchFunction& function);
// Takes the stream over and releases it, also on error.
Status ForEachBatch(ArrowArrayStream* stream, const BatchFunction& function);

int64_t RowsOf(const arrow::RecordBatch& batch);
// ReferencedBits of all columns, in whole bytes.
int64_t ReferencedBytesOf(const arrow::RecordBatch& batch);

// The most that a column of the schema can grow by encoding: Parquet has no integers below 32 bits. At least 1.
int64_t WideningOf(const arrow::Schema& schema);
int64_t LeafColumnsOf(const arrow::Schema& schema);

}  // namespace tailrace
