#include "encode/slice_sink.h"

#include <cstring>
#include <utility>

#include <arrow/buffer.h>

namespace tailrace {
namespace {

// Below this a copy is cheaper than a slice of its own, which every part, checksum and request then carries along.
constexpr int64_t kSmallBytes = 4096;
// Where many small pieces are joined, a slice of this size is closed.
constexpr int64_t kJoinedBytes = int64_t{256} << 10;

}  // namespace

arrow::Status SliceSink::Write(const void* data, int64_t size_bytes) {
  position_ += size_bytes;
  if (size_bytes >= kSmallBytes || static_cast<int64_t>(small_.size()) + size_bytes >= kJoinedBytes) {
    return Flush(data, size_bytes);
  }
  small_.append(static_cast<const char*>(data), static_cast<size_t>(size_bytes));
  return arrow::Status::OK();
}

arrow::Status SliceSink::Write(const std::shared_ptr<arrow::Buffer>& data) {
  if (data->size() < kSmallBytes) return Write(data->data(), data->size());
  ARROW_RETURN_NOT_OK(Flush(nullptr, 0));
  slices_.Append(ByteSlice::Of(data));
  position_ += data->size();
  return arrow::Status::OK();
}

arrow::Status SliceSink::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

arrow::Result<ByteSlices> SliceSink::Take() {
  ARROW_RETURN_NOT_OK(Flush(nullptr, 0));
  return std::exchange(slices_, ByteSlices());
}

arrow::Status SliceSink::Flush(const void* data, int64_t size_bytes) {
  const auto small_bytes = static_cast<int64_t>(small_.size());
  if (small_bytes + size_bytes == 0) return arrow::Status::OK();
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(small_bytes + size_bytes, pool_));
  std::memcpy(buffer->mutable_data(), small_.data(), small_.size());
  if (size_bytes > 0) std::memcpy(buffer->mutable_data() + small_bytes, data, static_cast<size_t>(size_bytes));
  small_.clear();
  slices_.Append(ByteSlice::Of(std::move(buffer)));
  return arrow::Status::OK();
}

}  // namespace tailrace
