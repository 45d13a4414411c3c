// The frame of a Parquet file: "PAR1", data, footer, length of the footer, "PAR1".
#pragma once

#include <cstdint>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

inline constexpr std::string_view kFileMagic = "PAR1";
inline constexpr int64_t kFileMagicBytes = 4;
inline constexpr int64_t kFileTrailerBytes = 8;  // length and magic behind the footer
// The format has a signed 32-bit length in most readers.
inline constexpr int64_t kMaxFooterBytes = (int64_t{1} << 31) - 1;

// The length of the footer, from the last bytes of a file. kInvalid where the file is no Parquet file, is encrypted, or
// the length does not fit into it.
Result<int64_t> FooterLength(std::string_view last_bytes, int64_t file_bytes);

}  // namespace tailrace
