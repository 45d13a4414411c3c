// How the column chunks of row groups are encoded, and why, as columns (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <vector>

#include "state/wire.h"
#include "tailrace/error.h"
#include "tailrace/state.h"

namespace tailrace {

// The choices of all row groups, which have equally many each.
void PutChoices(const std::vector<RowGroupEntry>& row_groups, std::string* out);
// Reads as many choices of each row group as it has room for. kBadState or kStateTooNew beginning with `path`.
Status ReadChoices(WireReader* wire, const std::string& path, std::vector<RowGroupEntry>* row_groups);

}  // namespace tailrace
