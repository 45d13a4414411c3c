#include "writer/room.h"

#include <algorithm>
#include <limits>
#include <string>

#include "encode/bloom_filters.h"
#include "upload/part_plan.h"

namespace tailrace {

namespace {

// Page headers, dictionary pages that were given up, levels: what a column chunk can take beyond its values. Guesses,
// on the safe side of what libparquet 26 was seen to write.
constexpr int64_t kChunkOverheadBytes = 4096;
// A row group's metadata and page indexes per column chunk, with bounds of moderate length.
constexpr int64_t kChunkTailBytes = 512;

constexpr int64_t kMaxRowGroupBytes = int64_t{1} << 30;  // keeps pages and column chunks far from 2^31
constexpr int64_t kMaxInlineBytes = int64_t{64} << 20;   // travels in a PendingCommit
constexpr int64_t kMaxCarryBytes = int64_t{1} << 30;     // travels in every state
constexpr int kMaxPartsInFlight = 256;

std::string Number(int64_t value) { return std::to_string(value); }

std::string LengthsText(const PartLengths& lengths) {
  const std::string first = "part_size_bytes = " + Number(lengths.part_size_bytes);
  return lengths.grows() ? first + " growing to " + Number(lengths.largest_bytes) : first;
}

// What makes the parts of another file longer.
std::string LongerParts(const RoomQuestion& q) {
  if (q.part_lengths.grows()) return "more memory_budget_bytes, part_size_bytes or expected_bytes";
  const std::string longer = "expected_bytes or a larger part_size_bytes";
  return q.limits.equal_parts ? longer : longer + ", or growing_parts";
}

// A filter is as large as it was asked for while its row group is open.
int64_t FilterBytes(const FileOptions& file) { return BloomFilterBytes(file.parquet); }
int64_t CarriedBytes(const FileOptions& file) {
  return file.checkpoint_mode == CheckpointMode::kCarry ? file.carry_max_bytes : 0;
}

// What the memory budget has to hold beside parts.
int64_t BytesBesideParts(const FileOptions& file) {
  return file.parquet.row_group_bytes + FilterBytes(file) + CarriedBytes(file);
}

// One row group is encoded while less than a part waits to be filled and one is being stored. More is faster, less
// could not make progress without going over.
Status CheckMemory(int64_t part_bytes, const std::string& of, const FileOptions& file, const RuntimeOptions& runtime) {
  const int64_t needed = BytesBesideParts(file) + 2 * part_bytes;
  if (runtime.memory_budget_bytes >= needed) return Status::OK();
  const int64_t filters = FilterBytes(file);
  const int64_t carried = CarriedBytes(file);
  return MakeError(ErrorKind::kInvalid, "memory_budget_bytes = " + Number(runtime.memory_budget_bytes) +
                                            " cannot hold row_group_bytes = " + Number(file.parquet.row_group_bytes) +
                                            " and two parts of " + of + Number(part_bytes) +
                                            (filters > 0 ? " and bloom filters of " + Number(filters) : "") +
                                            (carried > 0 ? " and carry_max_bytes = " + Number(carried) : "") +
                                            ": it must be at least " + Number(needed));
}

Status OutOfRange(const std::string& option, int64_t value, int64_t low, int64_t high) {
  return MakeError(ErrorKind::kInvalid,
                   option + " is " + Number(value) + "; it must be from " + Number(low) + " to " + Number(high));
}

}  // namespace

Status CheckRoom(const RoomQuestion& q) {
  const int64_t unclosed = q.open_bytes + q.more_bytes;
  const ParquetOptions& parquet = q.options.parquet;
  const int64_t new_groups = 1 + unclosed / parquet.row_group_bytes + q.more_rows / parquet.row_group_rows;
  const int64_t row_groups = q.closed_row_groups + new_groups;
  if (row_groups > kMaxRowGroups) {
    return MakeError(ErrorKind::kLimit,
                     "the file would get more than " + Number(kMaxRowGroups) +
                         " row groups, which Parquet cannot hold; finish it here, or take fewer checkpoints, "
                         "or raise row_group_rows or row_group_bytes");
  }
  const int64_t tail = q.tail_bytes_bound + new_groups * q.leaf_columns * kChunkTailBytes + unclosed / 64;
  if (tail > std::numeric_limits<int32_t>::max()) {
    return MakeError(ErrorKind::kLimit,
                     "the footer would pass 2147483647 bytes, which Parquet cannot hold; finish the file here, "
                     "or raise row_group_rows or row_group_bytes");
  }
  const int64_t group_overhead = q.leaf_columns * kChunkOverheadBytes + BloomFilterBytes(parquet);
  const int64_t total = 4 + q.closed_bytes + unclosed * q.widening + unclosed / 64 + new_groups * group_overhead + tail;
  if (total > q.limits.max_object_bytes) {
    return MakeError(ErrorKind::kLimit,
                     "the object could pass " + Number(q.limits.max_object_bytes) +
                         " bytes, the largest the store takes (max_object_bytes); finish it here and go on in another");
  }
  if (q.part_lengths.PartsFor(total) > q.limits.max_parts) {
    return MakeError(ErrorKind::kLimit, "the object could need more than " + Number(q.limits.max_parts) + " parts of " +
                                            LengthsText(q.part_lengths) + ", the most the store takes (max_parts); " +
                                            "finish it here, and give the next " + LongerParts(q));
  }
  return Status::OK();
}

Status CheckOptions(const FileOptions& file, const RuntimeOptions& runtime, const StoreLimits& limits) {
  const ParquetOptions& parquet = file.parquet;
  if (file.part_size_bytes < limits.min_part_bytes || file.part_size_bytes > limits.max_part_bytes) {
    return OutOfRange("part_size_bytes", file.part_size_bytes, limits.min_part_bytes, limits.max_part_bytes);
  }
  if (parquet.row_group_bytes < 1 || parquet.row_group_bytes > kMaxRowGroupBytes) {
    return OutOfRange("row_group_bytes", parquet.row_group_bytes, 1, kMaxRowGroupBytes);
  }
  if (parquet.row_group_rows < 1) {
    return MakeError(ErrorKind::kInvalid,
                     "row_group_rows is " + Number(parquet.row_group_rows) + "; it must be at least 1");
  }
  if (file.overwrite == OverwritePolicy::kFailIfExistsAtomically && !limits.conditional_put) {
    return MakeError(ErrorKind::kInvalid,
                     "overwrite = fail_if_exists_atomically: this store is not known to honour conditions, and a look "
                     "before the commit is not atomic; a profile of it may tell otherwise (conditional_put)");
  }
  const int64_t max_inline = std::min(limits.max_put_bytes, kMaxInlineBytes);
  if (file.inline_max_bytes < 0 || file.inline_max_bytes > max_inline) {
    return OutOfRange("inline_max_bytes", file.inline_max_bytes, 0, max_inline);
  }
  if (file.carry_max_bytes < 1 || file.carry_max_bytes > kMaxCarryBytes) {
    return OutOfRange("carry_max_bytes", file.carry_max_bytes, 1, kMaxCarryBytes);
  }
  if (runtime.parts_in_flight < 1 || runtime.parts_in_flight > kMaxPartsInFlight) {
    return OutOfRange("parts_in_flight", runtime.parts_in_flight, 1, kMaxPartsInFlight);
  }
  if (runtime.encode_threads < 0 || runtime.encode_threads > kMaxEncodeThreads) {
    return OutOfRange("encode_threads", runtime.encode_threads, 0, kMaxEncodeThreads);
  }
  return CheckMemory(file.part_size_bytes, "part_size_bytes = ", file, runtime);
}

Result<PartLengths> PlanPartsOf(const FileOptions& file, const RuntimeOptions& runtime, const StoreLimits& limits) {
  if (file.expected_bytes < 0) return OutOfRange("expected_bytes", file.expected_bytes, 0, limits.max_object_bytes);
  return PlanParts({.part_size_bytes = file.part_size_bytes,
                    .expected_bytes = file.expected_bytes,
                    .growing_parts = file.growing_parts,
                    .limits = limits,
                    .memory_part_bytes = (runtime.memory_budget_bytes - BytesBesideParts(file)) / 2,
                    .margin_bytes = 2 * file.parquet.row_group_bytes});
}

Status CheckMemoryFor(const PartLengths& lengths, const FileOptions& file, const RuntimeOptions& runtime) {
  return CheckMemory(lengths.LongestBytes(), "the longest length, ", file, runtime);
}

int64_t RoomOf(const PartLengths& lengths, const StoreLimits& limits) {
  return std::min(limits.max_object_bytes, lengths.BytesOf(limits.max_parts));
}

}  // namespace tailrace
