// Encoded bytes on their way to a store: shared, immutable slices, each with its checksum.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

namespace tailrace {

// A shared, immutable piece of memory and the CRC-64/NVME of its bytes, which is computed once, when the
// piece is made, and from then on only combined.
struct ByteSlice {
  std::shared_ptr<arrow::Buffer> buffer;
  uint64_t crc64 = 0;

  // Computes the checksum.
  static ByteSlice Of(std::shared_ptr<arrow::Buffer> buffer);
  // Copies `bytes`; for the small pieces that we make ourselves.
  static ByteSlice Copy(std::string bytes);
  int64_t size() const;
  const uint8_t* data() const;
};

// A list of slices that is one run of bytes. Copying it shares the memory. Not thread-safe, as a vector.
class ByteSlices {
 public:
  ByteSlices() = default;
  explicit ByteSlices(ByteSlice slice) { Append(std::move(slice)); }

  // Empty slices are dropped.
  void Append(ByteSlice slice);
  void Append(const ByteSlices& other);
  // Takes the first `size` bytes away and returns them. Splits a slice without copying; the checksum of the
  // smaller side is computed and that of the other derived. REQUIRES: 0 <= size <= this->size().
  ByteSlices TakeFront(int64_t size);

  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::vector<ByteSlice>& slices() const { return slices_; }
  // CRC-64/NVME of the whole run, combined from the slices; 0 for no bytes.
  uint64_t crc64() const;
  // A contiguous copy.
  std::string ToString() const;

 private:
  std::vector<ByteSlice> slices_;
  int64_t size_ = 0;
};

}  // namespace tailrace
