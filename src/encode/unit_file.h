// The file that a small libparquet writer of one row group leaves behind, taken apart.
#pragma once

#include <cstdint>
#include <vector>

#include <arrow/result.h>

#include "encode/thrift_compact.h"
#include "tailrace/bytes.h"
#include "tailrace/state.h"

namespace tailrace {

using arrow::Result;

// Some columns of a row group. The offsets in it are those of a file that holds, behind its leading magic, the pages
// and then the filters of these columns alone.
struct EncodedColumns {
  ByteSlices pages;    // of one column after the other
  ByteSlices filters;  // bloom filters, likewise
  ThriftStruct row_group;
  std::vector<ColumnIndexBytes> indexes;
};

// kInternal where `file` has not exactly one row group of `rows` rows and `columns` leaf columns.
Result<EncodedColumns> TakeApart(ByteSlices file, int64_t rows, size_t columns);

}  // namespace tailrace
