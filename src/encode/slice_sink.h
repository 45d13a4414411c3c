// An output stream that keeps what is written as checksummed slices, in memory and without copying large buffers.
#pragma once

#include <memory>
#include <string>

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include "tailrace/bytes.h"

namespace tailrace {

// Not thread-safe.
class SliceSink : public arrow::io::OutputStream {
 public:
  // Copied, and joined with the small pieces beside them.
  arrow::Status Write(const void* data, int64_t size_bytes) override;
  // Kept by reference, except for small ones.
  arrow::Status Write(const std::shared_ptr<arrow::Buffer>& data) override;
  arrow::Status Close() override;
  arrow::Result<int64_t> Tell() const override { return position_; }
  bool closed() const override { return closed_; }

  // Everything written so far.
  ByteSlices Take();

 private:
  void FlushSmall();

  ByteSlices slices_;
  std::string small_;
  int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace tailrace
