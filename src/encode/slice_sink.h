// An output stream that keeps what is written as checksummed slices, in memory and without copying large buffers.
#pragma once

#include <memory>

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "tailrace/bytes.h"

namespace tailrace {

// Not thread-safe.
class SliceSink : public arrow::io::OutputStream {
 public:
  // What has to be copied is kept in memory of `pool`, which outlives the slices.
  explicit SliceSink(arrow::MemoryPool* pool);

  // Copied, into blocks that are filled one after the other.
  arrow::Status Write(const void* data, int64_t size_bytes) override;
  // Kept by reference, except for small ones.
  arrow::Status Write(const std::shared_ptr<arrow::Buffer>& data) override;
  arrow::Status Close() override;
  arrow::Result<int64_t> Tell() const override { return position_; }
  bool closed() const override { return closed_; }

  // Everything written so far.
  arrow::Result<ByteSlices> Take();

 private:
  // Room in the open block, of which there is some afterwards.
  arrow::Result<int64_t> MakeRoom();
  // Makes a slice of what the open block holds.
  arrow::Status EndBlock();

  arrow::MemoryPool* const pool_;
  ByteSlices slices_;
  std::shared_ptr<arrow::ResizableBuffer> block_;
  int64_t block_used_ = 0;
  int64_t next_block_bytes_;
  int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace tailrace
