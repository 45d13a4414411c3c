// The list of row groups as packed bytes, column by column (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "tailrace/state.h"

namespace tailrace {

// REQUIRES: as many index entries in each row group as in the first.
std::string EncodeRowGroups(const std::vector<RowGroupEntry>& row_groups);
// kBadState beginning with `path`.
Result<std::vector<RowGroupEntry>> DecodeRowGroups(std::string_view packed, const std::string& path);

}  // namespace tailrace
