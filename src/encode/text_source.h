// The values of a text or bytes array in any of the three layouts, one way.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <arrow/array/data.h>
#include <arrow/type.h>

namespace tailrace {

// Positions are those of the array. REQUIRES of all but IsInside: the slot is inside of its buffers.
class TextSource {
 public:
  // The largest value of a layout with offsets that ViewAt takes.
  static constexpr size_t kMaxViewedBytes = (size_t{1} << 30) - 1;

  explicit TextSource(const arrow::ArrayData& data);

  // Whether the slot refers to bytes that are there.
  bool IsInside(int64_t slot) const;
  std::string_view At(int64_t slot) const;
  // A view on the slot, into the buffers of `ViewBuffers`. REQUIRES: at most kMaxViewedBytes.
  arrow::BinaryViewType::c_type ViewAt(int64_t slot) const;
  std::vector<std::shared_ptr<arrow::Buffer>> ViewBuffers() const;

  // Of the layouts with offsets: the bytes of slots [0, length), which are one run. Empty for views.
  std::string_view Run(int64_t length) const;
  bool has_offsets() const { return views_ == nullptr; }

 private:
  int64_t Begin(int64_t slot) const { return narrow_ != nullptr ? narrow_[slot] : wide_[slot]; }

  const arrow::ArrayData& data_;
  const int32_t* narrow_ = nullptr;  // one of the three is set
  const int64_t* wide_ = nullptr;
  const arrow::BinaryViewType::c_type* views_ = nullptr;
  const uint8_t* bytes_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace tailrace
