// The largest row that a Parquet page can hold.
#pragma once

#include <cstdint>

#include <arrow/type_fwd.h>

#include "tailrace/error.h"

namespace tailrace {

inline constexpr int64_t kMaxPageBytes = int64_t{16} << 20;  // of ParquetOptions::page_bytes

// A page holds whole rows, and its sizes are signed 32-bit numbers. The rest is for the rows of the same page before it
// (an open page and two chunks of the re-cutter at most), and for what a codec may add.
inline constexpr int64_t kMaxRowBytes = (int64_t{1} << 31) - (int64_t{4} << 20) - kMaxPageBytes;

// That no row of an adapted array needs more than kMaxRowBytes in any of its Parquet columns, levels included. Fails
// with a Misfit of kind kLimit.
Status CheckRowSizes(const arrow::ArrayData& data, int64_t max_row_bytes = kMaxRowBytes);

}  // namespace tailrace
