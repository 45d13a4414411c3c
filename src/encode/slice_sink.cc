#include "encode/slice_sink.h"

#include <utility>

#include <arrow/buffer.h>

namespace tailrace {
namespace {

// Below this a copy is cheaper than a slice of its own, which every part, checksum and request then carries along.
constexpr int64_t kSmallBytes = 4096;
// Where many small pieces are joined, a slice of this size is closed.
constexpr size_t kJoinedBytes = size_t{256} << 10;

}  // namespace

arrow::Status SliceSink::Write(const void* data, int64_t size_bytes) {
  small_.append(static_cast<const char*>(data), static_cast<size_t>(size_bytes));
  position_ += size_bytes;
  if (small_.size() >= kJoinedBytes) FlushSmall();
  return arrow::Status::OK();
}

arrow::Status SliceSink::Write(const std::shared_ptr<arrow::Buffer>& data) {
  if (data->size() < kSmallBytes) return Write(data->data(), data->size());
  FlushSmall();
  slices_.Append(ByteSlice::Of(data));
  position_ += data->size();
  return arrow::Status::OK();
}

arrow::Status SliceSink::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

ByteSlices SliceSink::Take() {
  FlushSmall();
  return std::exchange(slices_, ByteSlices());
}

void SliceSink::FlushSmall() {
  if (!small_.empty()) slices_.Append(ByteSlice::Copy(std::exchange(small_, std::string())));
}

}  // namespace tailrace
