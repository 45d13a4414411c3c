// Walks over the slots of an array that are not null.
#pragma once

#include <cstdint>

#include <arrow/array/data.h>
#include <arrow/util/bit_run_reader.h>

namespace tailrace {

// Calls visit(first, count) for each run of slots of [offset, offset + rows) that are not null, in order; positions are
// those of the array. One call where there is no null.
template <typename Visit>
void VisitValidRuns(const arrow::ArrayData& data, int64_t offset, int64_t rows, Visit&& visit) {
  if (rows == 0) return;
  if (data.buffers.empty() || data.buffers[0] == nullptr || data.GetNullCount() == 0) {
    visit(offset, rows);
    return;
  }
  arrow::internal::SetBitRunReader reader(data.buffers[0]->data(), data.offset + offset, rows);
  for (auto run = reader.NextRun(); run.length > 0; run = reader.NextRun()) visit(offset + run.position, run.length);
}

}  // namespace tailrace
