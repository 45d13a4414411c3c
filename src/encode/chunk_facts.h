// What the metadata of finished column chunks tells about their values.
#pragma once

#include <cstdint>
#include <vector>

#include <arrow/result.h>

#include "encode/choose_columns.h"
#include "encode/thrift_compact.h"
#include "tailrace/state.h"

namespace tailrace {

using arrow::Result;

// Of each column chunk of `entry`, in order; none where its encodings were not chosen. kBadState where its metadata and
// choices do not fit each other.
Result<std::vector<ChunkFacts>> ReadChunkFacts(const RowGroupEntry& entry);

// Whether a column chunk (thrift ColumnMetaData) that began with a dictionary has pages without.
bool DictionaryGaveWay(const ThriftStruct& column_metadata);

}  // namespace tailrace
