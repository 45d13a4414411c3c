// ReferencedBits of recutter.h over array data, without making arrays of it.
#pragma once

#include <cstdint>

#include <arrow/type_fwd.h>

namespace tailrace {

// REQUIRES: a type of PreparedSchema::encoded; 0 <= offset, offset + rows <= data.length.
int64_t ReferencedBits(const arrow::ArrayData& data, int64_t offset, int64_t rows);

}  // namespace tailrace
