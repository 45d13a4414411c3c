// What single columns have different, as lists (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/options.h"

namespace tailrace {

using arrow::Result;

std::string EncodeColumnOptions(const std::vector<ColumnOptions>& columns);
std::string EncodeSortingColumns(const std::vector<SortingColumn>& columns);
// kBadState beginning with `path`.
Result<std::vector<ColumnOptions>> DecodeColumnOptions(std::string_view bytes, const std::string& path);
Result<std::vector<SortingColumn>> DecodeSortingColumns(std::string_view bytes, const std::string& path);

}  // namespace tailrace
