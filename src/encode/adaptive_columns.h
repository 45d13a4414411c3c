// The encodings of a row group, from its first chunk and the row group two before (docs/adr/0008).
#pragma once

#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/prepared_schema.h"
#include "tailrace/column_choice.h"
#include "tailrace/options.h"
#include "tailrace/state.h"

namespace tailrace {

// One choice per leaf column; none with `adaptive` off. `two_before`: nullptr for the first two row groups. A function
// of its arguments, whatever thread or process calls it.
Result<std::vector<ColumnChoice>> ChooseColumns(const arrow::RecordBatch& first_chunk, const PreparedSchema& schema,
                                                const ParquetOptions& options, const RowGroupEntry* two_before,
                                                arrow::MemoryPool* pool);

}  // namespace tailrace
