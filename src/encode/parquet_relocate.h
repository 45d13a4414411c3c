// Moves the metadata of a row group to another place in a file: shifts every absolute offset in it.
#pragma once

#include <cstdint>

#include "encode/thrift_compact.h"

namespace tailrace {

// A RowGroup. An offset of 0 means "not known" to readers and stays. kInvalid where the tree is no RowGroup or an
// offset leaves the range of a file.
Status ShiftRowGroup(ThriftStruct* row_group, int64_t by_bytes);
// The bloom filters of a RowGroup alone.
Status ShiftBloomFilters(ThriftStruct* row_group, int64_t by_bytes);
// An OffsetIndex: the place of each page.
Status ShiftOffsetIndex(ThriftStruct* offset_index, int64_t by_bytes);

}  // namespace tailrace
