#include "tailrace/bytes.h"

#include <cassert>
#include <utility>

#include <arrow/buffer.h>

#include "base/crc64.h"

namespace tailrace {
namespace {

// A slice of a slice keeps that one, and so on: cut part by part, a large buffer would end in a chain as long as it has
// parts, which is freed by recursion. So the slice is taken of what the buffer is itself a slice of.
std::shared_ptr<arrow::Buffer> SliceOf(const std::shared_ptr<arrow::Buffer>& buffer, int64_t offset, int64_t size) {
  const std::shared_ptr<arrow::Buffer> whole = buffer->parent();
  if (whole == nullptr) return arrow::SliceBuffer(buffer, offset, size);
  return arrow::SliceBuffer(whole, buffer->data() - whole->data() + offset, size);
}

// Both sides of `slice`, cut at `size` without copying; reads only the smaller side.
std::pair<ByteSlice, ByteSlice> Split(const ByteSlice& slice, int64_t size) {
  const int64_t rest = slice.size() - size;
  ByteSlice front{SliceOf(slice.buffer, 0, size), 0};
  ByteSlice back{SliceOf(slice.buffer, size, rest), 0};
  if (size <= rest) {
    front.crc64 = Crc64Nvme(front.data(), size);
    back.crc64 = Crc64Suffix(slice.crc64, front.crc64, rest);
  } else {
    back.crc64 = Crc64Nvme(back.data(), rest);
    front.crc64 = Crc64Prefix(slice.crc64, back.crc64, rest);
  }
  return {std::move(front), std::move(back)};
}

}  // namespace

ByteSlice ByteSlice::Of(std::shared_ptr<arrow::Buffer> buffer) {
  const uint64_t crc64 = Crc64Nvme(buffer->data(), buffer->size());
  return {std::move(buffer), crc64};
}

ByteSlice ByteSlice::Copy(std::string bytes) { return Of(arrow::Buffer::FromString(std::move(bytes))); }

int64_t ByteSlice::size() const { return buffer ? buffer->size() : 0; }
const uint8_t* ByteSlice::data() const { return buffer ? buffer->data() : nullptr; }

void ByteSlices::Append(ByteSlice slice) {
  const int64_t size = slice.size();
  if (size == 0) return;
  slices_.push_back(std::move(slice));
  size_ += size;
}

void ByteSlices::Append(const ByteSlices& other) {
  if (&other == this) {
    const ByteSlices copy = other;
    return Append(copy);
  }
  slices_.insert(slices_.end(), other.slices_.begin(), other.slices_.end());
  size_ += other.size_;
}

ByteSlices ByteSlices::TakeFront(int64_t size) {
  assert(size >= 0 && size <= size_);
  ByteSlices front;
  size_t whole = 0;  // slices that move as they are
  while (whole < slices_.size() && slices_[whole].size() <= size - front.size_) {
    front.Append(std::move(slices_[whole++]));
  }
  if (front.size_ < size) {
    auto [left, right] = Split(slices_[whole], size - front.size_);
    front.Append(std::move(left));
    slices_[whole] = std::move(right);
  }
  slices_.erase(slices_.begin(), slices_.begin() + static_cast<ptrdiff_t>(whole));
  size_ -= size;
  return front;
}

uint64_t ByteSlices::crc64() const {
  uint64_t crc = 0;
  for (const ByteSlice& slice : slices_) crc = Crc64Combine(crc, slice.crc64, slice.size());
  return crc;
}

std::string ByteSlices::ToString() const {
  std::string bytes;
  bytes.reserve(size_);
  for (const ByteSlice& slice : slices_) bytes.append(reinterpret_cast<const char*>(slice.data()), slice.size());
  return bytes;
}

}  // namespace tailrace
