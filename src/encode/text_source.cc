#include "encode/text_source.h"

#include <algorithm>
#include <cstring>

#include <arrow/buffer.h>
#include <arrow/util/binary_view_util.h>

namespace tailrace {
namespace {

// A view holds 31 bits of offset, so that a larger buffer is shared as windows of 2 GiB, one beginning every 1 GiB: a
// value below 1 GiB lies whole in the window that its first byte is of, counted in GiB.
constexpr int kWindowShift = 30;
constexpr int64_t kWindowBytes = (int64_t{1} << 31) - 1;
constexpr uint8_t kNoBytes[1] = {};

}  // namespace

TextSource::TextSource(const arrow::ArrayData& data) : data_(data) {
  switch (data.type->id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      narrow_ = data.GetValues<int32_t>(1);
      break;
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      wide_ = data.GetValues<int64_t>(1);
      break;
    default:
      views_ = data.GetValues<arrow::BinaryViewType::c_type>(1);
      return;
  }
  bytes_ = kNoBytes;
  if (data.buffers[2] == nullptr || data.buffers[2]->size() == 0) return;
  bytes_ = data.buffers[2]->data();
  size_ = data.buffers[2]->size();
}

bool TextSource::IsInside(int64_t slot) const {
  if (views_ == nullptr) return 0 <= Begin(slot) && Begin(slot) <= Begin(slot + 1) && Begin(slot + 1) <= size_;
  const auto& view = views_[slot];
  if (view.size() < 0) return false;
  if (view.is_inline()) return true;
  const int64_t buffer = view.ref.buffer_index;
  if (buffer < 0 || buffer + 2 >= static_cast<int64_t>(data_.buffers.size()) || view.ref.offset < 0) return false;
  return int64_t{view.ref.offset} + view.size() <= data_.buffers[buffer + 2]->size();
}

std::string_view TextSource::At(int64_t slot) const {
  if (views_ != nullptr) return arrow::util::FromBinaryView(views_[slot], data_.buffers.data() + 2);
  return {reinterpret_cast<const char*>(bytes_) + Begin(slot), static_cast<size_t>(Begin(slot + 1) - Begin(slot))};
}

arrow::BinaryViewType::c_type TextSource::ViewAt(int64_t slot) const {
  if (views_ != nullptr) return views_[slot];
  const int64_t begin = Begin(slot);
  const auto window = static_cast<int32_t>(begin >> kWindowShift);
  const auto offset = static_cast<int32_t>(begin - (int64_t{window} << kWindowShift));
  return arrow::util::ToBinaryView(At(slot), window, offset);
}

std::vector<std::shared_ptr<arrow::Buffer>> TextSource::ViewBuffers() const {
  if (views_ != nullptr) return {data_.buffers.begin() + 2, data_.buffers.end()};
  std::vector<std::shared_ptr<arrow::Buffer>> windows;
  for (int64_t begin = 0; begin < size_; begin += int64_t{1} << kWindowShift) {
    windows.push_back(arrow::SliceBuffer(data_.buffers[2], begin, std::min(kWindowBytes, size_ - begin)));
  }
  return windows;
}

std::string_view TextSource::Run(int64_t length) const {
  if (views_ != nullptr || length == 0) return {};
  return {reinterpret_cast<const char*>(bytes_) + Begin(0), static_cast<size_t>(Begin(length) - Begin(0))};
}

}  // namespace tailrace
