// Options of stores, from C.
#pragma once

#include <arrow/result.h>

#include "tailrace/store.h"
#include "tailrace/tailrace.h"

namespace tailrace::c {

using arrow::Result;

// nullptr gives the defaults. kInvalid names the field. Takes the context of a credentials callback over, also when it
// fails.
Result<StoreOptions> ReadStoreOptions(const tailrace_store_options* given);

// Fills as much of `out` as the caller's struct has.
Status WriteLimits(const StoreLimits& limits, tailrace_store_limits* out);

}  // namespace tailrace::c
