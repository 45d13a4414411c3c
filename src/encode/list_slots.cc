#include "encode/list_slots.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <arrow/array/array_base.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>
#include <arrow/buffer_builder.h>
#include <arrow/memory_pool.h>
#include <arrow/type.h>

#include "encode/misfit.h"

namespace tailrace {
namespace {

struct Range {
  int64_t begin = 0;
  int64_t end = 0;
};

// The values of each slot, wherever they are.
class ListSource {
 public:
  explicit ListSource(const arrow::ArrayData& data) {
    switch (data.type->id()) {
      case arrow::Type::LARGE_LIST_VIEW:
        wide_sizes_ = data.GetValues<int64_t>(2);
        [[fallthrough]];
      case arrow::Type::LARGE_LIST:
        wide_ = data.GetValues<int64_t>(1);
        return;
      case arrow::Type::LIST_VIEW:
        narrow_sizes_ = data.GetValues<int32_t>(2);
        [[fallthrough]];
      default:
        narrow_ = data.GetValues<int32_t>(1);
    }
  }

  Range At(int64_t slot) const {
    if (narrow_sizes_ != nullptr) return {narrow_[slot], int64_t{narrow_[slot]} + narrow_sizes_[slot]};
    if (narrow_ != nullptr) return {narrow_[slot], narrow_[slot + 1]};
    // A damaged size must not overflow; IsInside refuses what ends before it begins.
    if (wide_sizes_ != nullptr) {
      int64_t end = -1;
      return __builtin_add_overflow(wide_[slot], wide_sizes_[slot], &end) ? Range{0, -1} : Range{wide_[slot], end};
    }
    return {wide_[slot], wide_[slot + 1]};
  }

 private:
  const int32_t* narrow_ = nullptr;
  const int32_t* narrow_sizes_ = nullptr;
  const int64_t* wide_ = nullptr;
  const int64_t* wide_sizes_ = nullptr;
};

// The runs of values that valid slots refer to, in the order of the slots, neighbours joined.
Result<std::vector<Range>> FindRuns(const ListSource& source, const arrow::ArrayData& data, const Validity& valid,
                                    int64_t max_values) {
  std::vector<Range> runs;
  int64_t values = 0;
  for (int64_t i = 0; i < data.length; ++i) {
    if (!valid.at(i)) continue;
    const Range range = source.At(i);
    if (range.begin < 0 || range.end < range.begin || range.end > data.child_data[0]->length) {
      return Misfit(ErrorKind::kInvalid, i, "the list lies outside of the batch's memory");
    }
    if (range.begin == range.end) continue;
    values += range.end - range.begin;
    if (values > max_values) {
      return Misfit(ErrorKind::kLimit, i,
                    "the lists of the batch hold more than " + std::to_string(max_values) +
                        " values: write it in smaller batches");
    }
    if (!runs.empty() && runs.back().end == range.begin) {
      runs.back().end = range.end;
    } else {
      runs.push_back(range);
    }
  }
  return runs;
}

Result<std::shared_ptr<arrow::ArrayData>> GatherValues(const std::shared_ptr<arrow::ArrayData>& values,
                                                       const std::vector<Range>& runs) {
  if (runs.empty()) return values->Slice(0, 0);
  if (runs.size() == 1) return values->Slice(runs[0].begin, runs[0].end - runs[0].begin);
  arrow::ArrayVector pieces;
  for (const Range& run : runs) pieces.push_back(arrow::MakeArray(values->Slice(run.begin, run.end - run.begin)));
  ARROW_ASSIGN_OR_RAISE(auto joined, arrow::Concatenate(pieces, arrow::default_memory_pool()));
  return joined->data();
}

template <typename Offset>
Result<std::shared_ptr<arrow::Buffer>> MakeOffsets(const ListSource& source, const arrow::ArrayData& data,
                                                   const Validity& valid) {
  arrow::TypedBufferBuilder<Offset> offsets;
  ARROW_RETURN_NOT_OK(offsets.Reserve(data.length + 1));
  int64_t next = 0;
  for (int64_t i = 0; i < data.length; ++i) {
    offsets.UnsafeAppend(static_cast<Offset>(next));
    if (!valid.at(i)) continue;
    const Range range = source.At(i);
    next += range.end - range.begin;
  }
  offsets.UnsafeAppend(static_cast<Offset>(next));
  return offsets.Finish();
}

template <typename Offset>
int64_t FindSlot(const arrow::Buffer& offsets, int64_t slots, int64_t value) {
  const auto* begin = reinterpret_cast<const Offset*>(offsets.data());
  return std::upper_bound(begin, begin + slots + 1, static_cast<Offset>(value)) - begin - 1;
}

}  // namespace

int64_t ListSlots::SlotOf(int64_t value) const {
  return wide ? FindSlot<int64_t>(*offsets, slots, value) : FindSlot<int32_t>(*offsets, slots, value);
}

Result<ListSlots> CompactLists(const arrow::ArrayData& data, const Validity& valid, bool wide) {
  ListSlots out;
  out.slots = data.length;
  out.wide = wide;
  if (data.length == 0) {
    // An empty array may come without offsets.
    out.values = data.child_data[0]->Slice(0, 0);
    ARROW_ASSIGN_OR_RAISE(auto zero, arrow::AllocateBuffer(sizeof(int64_t)));
    std::fill_n(zero->mutable_data(), sizeof(int64_t), uint8_t{0});
    out.offsets = std::move(zero);
    return out;
  }
  const ListSource source(data);
  const int64_t max_values = wide ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int32_t>::max();
  ARROW_ASSIGN_OR_RAISE(const std::vector<Range> runs, FindRuns(source, data, valid, max_values));
  ARROW_ASSIGN_OR_RAISE(out.values, GatherValues(data.child_data[0], runs));
  ARROW_ASSIGN_OR_RAISE(out.offsets,
                        wide ? MakeOffsets<int64_t>(source, data, valid) : MakeOffsets<int32_t>(source, data, valid));
  return out;
}

}  // namespace tailrace
