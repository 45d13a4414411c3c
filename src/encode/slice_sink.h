// An output stream that keeps what is written as checksummed slices, in memory and without copying large buffers.
#pragma once

#include <memory>
#include <string>

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "tailrace/bytes.h"

namespace tailrace {

// Not thread-safe.
class SliceSink : public arrow::io::OutputStream {
 public:
  // What has to be copied is kept in memory of `pool`, which outlives the slices.
  explicit SliceSink(arrow::MemoryPool* pool) : pool_(pool) {}

  // Copied, and joined with the small pieces before them.
  arrow::Status Write(const void* data, int64_t size_bytes) override;
  // Kept by reference, except for small ones.
  arrow::Status Write(const std::shared_ptr<arrow::Buffer>& data) override;
  arrow::Status Close() override;
  arrow::Result<int64_t> Tell() const override { return position_; }
  bool closed() const override { return closed_; }

  // Everything written so far.
  arrow::Result<ByteSlices> Take();

 private:
  // A slice of the small pieces and `size_bytes` more.
  arrow::Status Flush(const void* data, int64_t size_bytes);

  arrow::MemoryPool* const pool_;
  ByteSlices slices_;
  std::string small_;
  int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace tailrace
