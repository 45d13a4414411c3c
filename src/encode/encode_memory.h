// The memory of encoders and of the encoded bytes that they leave behind, as it is allocated.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <arrow/type_fwd.h>

namespace tailrace {

// Thread-safe. Outlives every encoder and every slice that was made with its pool.
class EncodeMemory {
 public:
  EncodeMemory();
  ~EncodeMemory();
  EncodeMemory(const EncodeMemory&) = delete;
  EncodeMemory& operator=(const EncodeMemory&) = delete;

  arrow::MemoryPool* pool() const { return pool_.get(); }
  // Allocated now: open pages, finished pages with the room they were given to grow into, slices that are still shared.
  int64_t bytes_in_use() const;
  // Gives memory that is free but still held by the allocator back to the system, where there must be much of it:
  // called whenever some became free.
  void ReturnUnused();

 private:
  const std::unique_ptr<arrow::MemoryPool> pool_;
  std::atomic<int64_t> high_bytes_ = 0;  // most in use at any call since memory was last returned
};

}  // namespace tailrace
