#include "encode/validity.h"

#include <utility>

#include <arrow/memory_pool.h>
#include <arrow/util/bitmap_ops.h>

namespace tailrace {

Result<Validity> Validity::NoneOf(int64_t slots) {
  Validity none;
  ARROW_ASSIGN_OR_RAISE(none.bitmap, arrow::AllocateEmptyBitmap(slots));
  none.null_count = slots;
  return none;
}

Validity ValidityOf(const arrow::ArrayData& data) {
  if (data.buffers.empty() || data.buffers[0] == nullptr) return {};
  // Counted, since what `data` says of itself may come from a damaged message.
  const int64_t nulls = data.length - arrow::internal::CountSetBits(data.buffers[0]->data(), data.offset, data.length);
  if (nulls == 0) return {};
  return {data.buffers[0], data.offset, nulls};
}

Result<Validity> Intersect(const Validity& a, const Validity& b, int64_t slots) {
  if (!a.has_nulls()) return b;
  if (!b.has_nulls()) return a;
  Validity both;
  ARROW_ASSIGN_OR_RAISE(both.bitmap,
                        arrow::internal::BitmapAnd(arrow::default_memory_pool(), a.bitmap->data(), a.bit_offset,
                                                   b.bitmap->data(), b.bit_offset, slots, /*out_offset=*/0));
  both.null_count = slots - arrow::internal::CountSetBits(both.bitmap->data(), 0, slots);
  return both;
}

int64_t FirstMissing(const Validity& live, const Validity& valid, int64_t slots) {
  for (int64_t i = 0; i < slots; ++i) {
    if (live.at(i) && !valid.at(i)) return i;
  }
  return slots;
}

Result<std::shared_ptr<arrow::Buffer>> BitmapAt(const Validity& validity, int64_t bit_offset, int64_t slots) {
  if (!validity.has_nulls() || validity.bit_offset == bit_offset) return validity.bitmap;
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> moved, arrow::AllocateEmptyBitmap(bit_offset + slots));
  arrow::internal::CopyBitmap(validity.bitmap->data(), validity.bit_offset, slots, moved->mutable_data(), bit_offset);
  return moved;
}

Result<Validity> Repeat(const Validity& validity, int64_t slots, int64_t times) {
  if (!validity.has_nulls()) return validity;
  Validity out;
  ARROW_ASSIGN_OR_RAISE(out.bitmap, arrow::AllocateEmptyBitmap(slots * times));
  for (int64_t i = 0; i < slots; ++i) {
    arrow::bit_util::SetBitsTo(out.bitmap->mutable_data(), i * times, times, validity.at(i));
  }
  out.null_count = validity.null_count * times;
  return out;
}

}  // namespace tailrace
