// How large bloom filters are.
#pragma once

#include <cstdint>

#include "tailrace/options.h"

namespace tailrace {

// Those of one row group: in memory while it is open, and at most in the file.
int64_t BloomFilterBytes(const ParquetOptions& options);

}  // namespace tailrace
