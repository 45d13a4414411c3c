// The end of a file whose state carries rows: they become its last row group.
#pragma once

#include <arrow/result.h>

#include "tailrace/state.h"

namespace tailrace {

// The state that a flush instead of a carry had given, but for `progress.unsent`, which may be longer than a part, and
// for an entry of the footer template that tells the carried rows from others (ContentId): encoded by another version
// of the library they may be other bytes. Pure but for the memory it takes: the rows' row group, encoded, and one chunk
// of them. kBadState where the rows are damaged.
arrow::Result<WriterState> EncodeCarriedRows(const WriterState& state);

}  // namespace tailrace
