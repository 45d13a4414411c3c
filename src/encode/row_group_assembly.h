// Puts the columns of a row group together: as if one writer had encoded them all.
#pragma once

#include <vector>

#include <arrow/result.h>

#include "encode/leaf_columns.h"
#include "encode/unit_file.h"
#include "tailrace/bytes.h"
#include "tailrace/options.h"
#include "tailrace/state.h"

namespace tailrace {

struct EncodedRowGroup {
  ByteSlices bytes;  // pages of all columns, then their bloom filters: what lies behind the leading magic of a file
  RowGroupEntry entry;
};

// `parts` have the columns of the file in order, `leaves` are those of the file. The result does not depend on how
// columns were divided into parts. The entry has no choices.
Result<EncodedRowGroup> AssembleRowGroup(std::vector<EncodedColumns> parts, const std::vector<LeafColumn>& leaves,
                                         const ParquetOptions& options);

}  // namespace tailrace
