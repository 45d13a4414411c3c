// Which bytes of a Parquet file nothing points to. A file whose end was laid out around parts that a lost process left
// (upload/end_layout.h) has such bytes between its row groups and its indexes.
#pragma once

#include <cstdint>
#include <vector>

#include "encode/thrift_compact.h"
#include "tailrace/inspect.h"

namespace tailrace {

// Runs of bytes between the magic at the begin and the footer that belong to no page, bloom filter or index, in order.
// `footer` is the file's FileMetaData, `footer_offset` where it begins.
std::vector<ByteRange> FillerOf(const ThriftStruct& footer, int64_t footer_offset);

}  // namespace tailrace
