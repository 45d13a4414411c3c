#include "encode/mapped_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace tailrace {
namespace {

// A mapping takes whole pages of the system and a call, so a small one would waste both.
constexpr int64_t kLeastMapping = int64_t{64} << 10;

// What is as large leaves a hole in a heap that little else fits into, and is copied whenever it grows there.
constexpr int64_t kLarge = int64_t{1} << 20;

bool IsMapped(int64_t size, int64_t alignment) {
  if (alignment > MappedPool::kLongLived) return false;
  return size >= (alignment == MappedPool::kLongLived ? kLeastMapping : kLarge);
}

arrow::Status NoMemory(int64_t size) {
  return arrow::Status::OutOfMemory("Parquet encoder: mapping " + std::to_string(size) + " bytes failed");
}

}  // namespace

MappedPool::MappedPool() : small_(std::make_unique<arrow::ProxyMemoryPool>(arrow::system_memory_pool())) {}
MappedPool::~MappedPool() = default;

void MappedPool::Count(int64_t more_bytes) {
  const int64_t now = bytes_.fetch_add(more_bytes) + more_bytes;
  if (more_bytes <= 0) return;
  total_bytes_.fetch_add(more_bytes);
  for (int64_t most = most_bytes_.load(); now > most && !most_bytes_.compare_exchange_weak(most, now);) {
  }
}

arrow::Status MappedPool::Allocate(int64_t size, int64_t alignment, uint8_t** out) {
  if (IsMapped(size, alignment)) {
    void* mapped = mmap(nullptr, static_cast<size_t>(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return NoMemory(size);
    *out = static_cast<uint8_t*>(mapped);
  } else {
    ARROW_RETURN_NOT_OK(small_->Allocate(size, alignment, out));
  }
  allocations_.fetch_add(1);
  Count(size);
  return arrow::Status::OK();
}

arrow::Status MappedPool::Reallocate(int64_t old_size, int64_t new_size, int64_t alignment, uint8_t** data) {
  const bool was_mapped = IsMapped(old_size, alignment), is_mapped = IsMapped(new_size, alignment);
  if (was_mapped && is_mapped) {
    void* moved = mremap(*data, static_cast<size_t>(old_size), static_cast<size_t>(new_size), MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return NoMemory(new_size);
    *data = static_cast<uint8_t*>(moved);
  } else if (!was_mapped && !is_mapped) {
    ARROW_RETURN_NOT_OK(small_->Reallocate(old_size, new_size, alignment, data));
  } else {
    uint8_t* copy = nullptr;
    ARROW_RETURN_NOT_OK(Allocate(new_size, alignment, &copy));
    std::memcpy(copy, *data, static_cast<size_t>(std::min(old_size, new_size)));
    Free(*data, old_size, alignment);
    *data = copy;
    return arrow::Status::OK();
  }
  allocations_.fetch_add(1);
  Count(new_size - old_size);
  return arrow::Status::OK();
}

void MappedPool::Free(uint8_t* buffer, int64_t size, int64_t alignment) {
  if (IsMapped(size, alignment)) {
    munmap(buffer, static_cast<size_t>(size));
  } else {
    small_->Free(buffer, size, alignment);
  }
  Count(-size);
}

void MappedPool::ReleaseUnused() { small_->ReleaseUnused(); }

int64_t MappedPool::bytes_allocated() const { return bytes_.load(); }

}  // namespace tailrace
