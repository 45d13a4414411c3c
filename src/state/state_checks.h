// What must hold within both values, checked before they are written and after they are read.
#pragma once

#include "tailrace/state.h"

namespace tailrace {

// kBadState beginning with the name of the field. Never aborts, whatever the numbers are.
Status CheckWriterState(const WriterState& state);
Status CheckPendingCommit(const PendingCommit& pending);

}  // namespace tailrace
