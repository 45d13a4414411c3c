// Lists in a form in which every value belongs to a list that is there.
#pragma once

#include <cstdint>
#include <memory>

#include <arrow/array/data.h>
#include <arrow/result.h>

#include "encode/validity.h"

namespace tailrace {

// The lists of some slots, one behind the other: slot i has values [offset i, offset i + 1), from 0 to the last value.
struct ListSlots {
  std::shared_ptr<arrow::Buffer> offsets;  // 32 or 64 bits
  std::shared_ptr<arrow::ArrayData> values;
  int64_t slots = 0;
  bool wide = false;

  // The slot that value number `value` belongs to.
  int64_t SlotOf(int64_t value) const;
};

// Of a list, large list, map, list view or large list view. Slots that are not of `valid` become empty: libparquet
// refuses values under null slots, and the bytes of a file must not depend on them. Shares the values where they are
// one run. `wide` asks for 64-bit offsets. Fails with a Misfit where lists lie outside of the batch's memory, or where
// overlapping views together pass what 32-bit offsets hold.
Result<ListSlots> CompactLists(const arrow::ArrayData& data, const Validity& valid, bool wide);

}  // namespace tailrace
