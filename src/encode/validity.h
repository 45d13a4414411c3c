// Which slots of an array hold a value, as a bitmap.
#pragma once

#include <cstdint>
#include <memory>

#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <arrow/result.h>
#include <arrow/util/bit_util.h>

namespace tailrace {

using arrow::Result;

// Of a run of slots. No bitmap: every slot holds a value.
struct Validity {
  std::shared_ptr<arrow::Buffer> bitmap;
  int64_t bit_offset = 0;
  int64_t null_count = 0;

  // Of `slots` slots without any value.
  static Result<Validity> NoneOf(int64_t slots);
  bool has_nulls() const { return bitmap != nullptr; }
  bool at(int64_t slot) const {
    return bitmap == nullptr || arrow::bit_util::GetBit(bitmap->data(), bit_offset + slot);
  }
};

// Of the slots of `data` (its own bitmap alone).
Validity ValidityOf(const arrow::ArrayData& data);
// Slots that are set in both.
Result<Validity> Intersect(const Validity& a, const Validity& b, int64_t slots);
// The first slot of `live` that is not in `valid`, which has fewer.
int64_t FirstMissing(const Validity& live, const Validity& valid, int64_t slots);
// The bitmap with its first slot at bit `bit_offset`; nullptr where every slot holds a value.
Result<std::shared_ptr<arrow::Buffer>> BitmapAt(const Validity& validity, int64_t bit_offset, int64_t slots);
// Each slot stands for `times` slots.
Result<Validity> Repeat(const Validity& validity, int64_t slots, int64_t times);

}  // namespace tailrace
