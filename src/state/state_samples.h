// Values for the tests of the codec.
#pragma once

#include <string>
#include <string_view>

#include "tailrace/state.h"

namespace tailrace {

// The state of the worked example in docs/formats/writer-state.md.
WriterState SmallState();
// Of a file without rows: nothing stored, only the head waits.
WriterState EmptyState();
// SmallState(), with the rows of an open row group.
WriterState CarryingState();
// Row groups that differ a little from one another, with page indexes of every column.
WriterState LargeState(int row_groups, int columns);
// Cuts `data`, the bytes behind the head, anew into parts, and sets the digest. The row groups' sizes are the caller's.
void SetBytes(std::string_view data, WriterState* state);

// The value of the worked example in docs/formats/pending-commit.md.
PendingCommit SmallInlinePending();
PendingCommit SmallUploadPending();
// Of SmallState(), with an end that was laid out around a stray part.
PendingCommit PendingAroundStray();

// The body of a value in its envelope, for tests that build bodies by hand. `version` as the header names it.
std::string WrapWithVersion(BlobKind kind, std::string_view body, uint32_t version);

}  // namespace tailrace
