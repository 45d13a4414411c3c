#include "encode/slice_sink.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <arrow/buffer.h>

#include "encode/mapped_pool.h"

namespace tailrace {
namespace {

// Below this a copy is cheaper than a slice of its own, which every part, checksum and request then carries along.
constexpr int64_t kSmallBytes = 4096;
// Blocks double from one to the other: a short column takes little, a long one has few slices.
constexpr int64_t kFirstBlockBytes = int64_t{16} << 10;
constexpr int64_t kMostBlockBytes = int64_t{1} << 20;

}  // namespace

SliceSink::SliceSink(arrow::MemoryPool* pool) : pool_(pool), next_block_bytes_(kFirstBlockBytes) {}

arrow::Status SliceSink::Write(const void* data, int64_t size_bytes) {
  const auto* from = static_cast<const uint8_t*>(data);
  position_ += size_bytes;
  while (size_bytes > 0) {
    ARROW_ASSIGN_OR_RAISE(const int64_t room, MakeRoom());
    const int64_t bytes = std::min(room, size_bytes);
    std::memcpy(block_->mutable_data() + block_used_, from, static_cast<size_t>(bytes));
    block_used_ += bytes;
    from += bytes;
    size_bytes -= bytes;
  }
  return arrow::Status::OK();
}

arrow::Status SliceSink::Write(const std::shared_ptr<arrow::Buffer>& data) {
  if (data->size() < kSmallBytes) return Write(data->data(), data->size());
  ARROW_RETURN_NOT_OK(EndBlock());
  slices_.Append(ByteSlice::Of(data));
  position_ += data->size();
  return arrow::Status::OK();
}

arrow::Status SliceSink::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

arrow::Result<ByteSlices> SliceSink::Take() {
  ARROW_RETURN_NOT_OK(EndBlock());
  return std::exchange(slices_, ByteSlices());
}

arrow::Result<int64_t> SliceSink::MakeRoom() {
  if (block_ != nullptr && block_used_ == block_->size()) ARROW_RETURN_NOT_OK(EndBlock());
  if (block_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(block_, arrow::AllocateResizableBuffer(next_block_bytes_, MappedPool::kLongLived, pool_));
    next_block_bytes_ = std::min(2 * next_block_bytes_, kMostBlockBytes);
  }
  return block_->size() - block_used_;
}

arrow::Status SliceSink::EndBlock() {
  if (block_ == nullptr) return arrow::Status::OK();
  ARROW_RETURN_NOT_OK(block_->Resize(std::exchange(block_used_, 0), /*shrink_to_fit=*/true));
  slices_.Append(ByteSlice::Of(std::exchange(block_, nullptr)));
  return arrow::Status::OK();
}

}  // namespace tailrace
