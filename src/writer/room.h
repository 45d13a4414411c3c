// Is there room for more rows? Asked before rows are taken, while the part numbers that the rest of the file needs are
// still free, so that a write that meets a limit can still be finished (promise P8).
#pragma once

#include <cstdint>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/object.h"
#include "tailrace/options.h"
#include "tailrace/store.h"

namespace tailrace {

using arrow::Result;

// Row groups that a Parquet file can have: RowGroup.ordinal is an i16.
inline constexpr int64_t kMaxRowGroups = 32767;
inline constexpr int kMaxEncodeThreads = 256;

struct RoomQuestion {
  StoreLimits limits;
  FileOptions options;
  PartLengths part_lengths;  // of the file
  int64_t closed_row_groups = 0;
  int64_t closed_bytes = 0;      // encoded
  int64_t tail_bytes_bound = 0;  // of what is closed
  int64_t open_bytes = 0;        // referenced, of rows taken but not in a closed row group
  int64_t more_bytes = 0;        // referenced, of the rows that are offered
  int64_t more_rows = 0;
  int64_t leaf_columns = 0;
  int64_t widening = 1;  // the most that encoding without a codec can multiply referenced bytes by
};

// kLimit naming the limit, its value and the setting that moves it. Errs on the side of refusing early, by at most
// about one row group.
Status CheckRoom(const RoomQuestion& question);

// Do the options fit together and to the store? kInvalid or kLimit naming both numbers.
Status CheckOptions(const FileOptions& file, const RuntimeOptions& runtime, const StoreLimits& limits);
// Of a new file with such options: how long its parts are to be (part_plan.h). REQUIRES: CheckOptions.
Result<PartLengths> PlanPartsOf(const FileOptions& file, const RuntimeOptions& runtime, const StoreLimits& limits);
// Is there memory for the longest part of a file that was begun elsewhere? kInvalid naming both numbers.
Status CheckMemoryFor(const PartLengths& lengths, const FileOptions& file, const RuntimeOptions& runtime);
// How large a file of such parts can get.
int64_t RoomOf(const PartLengths& lengths, const StoreLimits& limits);

}  // namespace tailrace
