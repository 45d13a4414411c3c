// The encodings of a row group, from its first chunk and the row group two before (docs/adr/0008), for each unit of
// columns by itself.
#pragma once

#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/choose_columns.h"
#include "encode/column_run.h"
#include "tailrace/column_choice.h"
#include "tailrace/options.h"
#include "tailrace/state.h"

namespace tailrace {

// What the choices for a row group rest on, the values of its first chunk apart.
struct ChoiceBasis {
  SampleScale scale;
  std::vector<ChunkFacts> before;  // of the row group two before, for each leaf column of the file; or none
};
// `two_before`: nullptr for the first two row groups. kBadState where it is not of this file. Says nothing with
// `adaptive` off.
Result<ChoiceBasis> MakeChoiceBasis(const arrow::RecordBatch& first_chunk, size_t leaf_columns,
                                    const ParquetOptions& options, const RowGroupEntry* two_before);

// One choice per leaf column of `columns`, which are those of `first_chunk`; none with `adaptive` off. A function of
// its arguments, whatever thread or process calls it, and for each column of its own values alone.
Result<std::vector<ColumnChoice>> ChooseColumns(const arrow::RecordBatch& first_chunk, const ColumnRun& columns,
                                                const ParquetOptions& options, const ChoiceBasis& basis,
                                                arrow::MemoryPool* pool);

}  // namespace tailrace
