// How long the parts of a new file are to be: decided once, when it is opened (docs/adr/0010).
#pragma once

#include <cstdint>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/object.h"
#include "tailrace/store_limits.h"

namespace tailrace {

using arrow::Result;

struct PartPlanQuestion {
  int64_t part_size_bytes = 0;  // FileOptions::part_size_bytes; within the store's limits and the memory's
  int64_t expected_bytes = 0;   // FileOptions::expected_bytes
  bool growing_parts = false;   // FileOptions::growing_parts
  StoreLimits limits;
  int64_t memory_part_bytes = 0;  // the longest part that the memory budget has room for
  int64_t margin_bytes = 0;       // how much early rows may be refused before the last part number is used up
};

// A function whose parts are between part_size_bytes and what store and memory take, and all of one length where the
// store wants it. Where a size is expected, its first `max_parts` parts hold a file of it and, if they can, half as
// much again. kLimit where the store cannot take such a file, kInvalid where the memory budget is too small for its
// parts, or the options contradict the store.
Result<PartLengths> PlanParts(const PartPlanQuestion& question);

}  // namespace tailrace
