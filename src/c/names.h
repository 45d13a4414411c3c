// The enumerations of the C interface and those of the library, which have the same meanings but not the same numbers:
// the C numbers are never renumbered.
#pragma once

#include "tailrace/error.h"
#include "tailrace/tailrace.h"

namespace tailrace::c {

tailrace_kind KindToC(ErrorKind kind);
tailrace_outcome OutcomeToC(Outcome outcome);
// TAILRACE_OK and unknown numbers are no kinds of errors: kInternal.
ErrorKind KindFromC(tailrace_kind kind);

}  // namespace tailrace::c
