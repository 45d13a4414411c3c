// Checks an incoming batch against the schema of the file and makes it what the encoder takes.
#pragma once

#include <memory>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/prepared_schema.h"

namespace tailrace {

// The batch with the types of `schema.encoded`, sharing memory wherever no conversion is needed: dictionaries are
// decoded, a column of type null becomes nulls, string and binary kinds are cast to the file's kind; metadata and
// nullability may differ. Lists that hide values under null slots are compacted, so that bytes depend on rows alone.
// kInvalid naming the column (and the row, counted from `first_row`) for: a missing, additional or retyped column
// (also nested), a null in a non-null field, a string that is not UTF-8, a value that Parquet would store as another,
// offsets or indices outside of the batch's memory. kLimit for a single row too large for a page (row_size.h), and for
// a batch whose values do not fit into the offsets of the file's kind: smaller batches do.
Result<std::shared_ptr<arrow::RecordBatch>> AdaptBatch(const arrow::RecordBatch& batch, const PreparedSchema& schema,
                                                       int64_t first_row);
// Only the checks of names and types, for a source whose schema is known ahead.
Status CheckSchemaFits(const arrow::Schema& batch_schema, const PreparedSchema& schema);

}  // namespace tailrace
