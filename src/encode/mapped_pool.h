// A memory pool that knows which blocks live long.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include <arrow/memory_pool.h>
#include <arrow/status.h>

namespace tailrace {

// Encoded bytes live until their part is stored, long and in no order, so that a heap in which they lie among blocks
// that live for a page is never whole again: it held 300 MiB beyond 170 in use. Whoever wants a block for long asks for
// the alignment kLongLived and gets a mapping of its own, which goes back to the system as a whole; so does whoever
// wants 1 MiB or more, which then grows without being copied. Mappings for all blocks would cost a tenth of the CPU
// time; the others come from the system's allocator. Thread-safe.
class MappedPool final : public arrow::MemoryPool {
 public:
  static constexpr int64_t kLongLived = 4096;  // a mapping begins at a page of the system

  MappedPool();
  ~MappedPool() override;

  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;
  arrow::Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override;
  arrow::Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment, uint8_t** data) override;
  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override;
  void ReleaseUnused() override;

  int64_t bytes_allocated() const override;
  int64_t max_memory() const override { return most_bytes_.load(); }
  int64_t total_bytes_allocated() const override { return total_bytes_.load(); }
  int64_t num_allocations() const override { return allocations_.load(); }
  std::string backend_name() const override { return "tailrace"; }

 private:
  void Count(int64_t more_bytes);

  const std::unique_ptr<arrow::ProxyMemoryPool> small_;
  std::atomic<int64_t> bytes_ = 0;  // of both
  std::atomic<int64_t> most_bytes_ = 0;
  std::atomic<int64_t> total_bytes_ = 0;
  std::atomic<int64_t> allocations_ = 0;
};

}  // namespace tailrace
