#include "base/byte_budget.h"

#include <algorithm>
#include <cassert>

namespace tailrace {

bool ByteBudget::TryReserve(int64_t bytes) {
  assert(bytes >= 0);
  MutexLock lock(&mutex_);
  // Not used_ + bytes > limit_, which could overflow. used_ may be above the limit after ForceReserve.
  if (bytes > limit_ - used_) return false;
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  return true;
}

void ByteBudget::ForceReserve(int64_t bytes) {
  assert(bytes >= 0);
  MutexLock lock(&mutex_);
  used_ += bytes;
  peak_ = std::max(peak_, used_);
}

void ByteBudget::Release(int64_t bytes) {
  assert(bytes >= 0);
  MutexLock lock(&mutex_);
  assert(bytes <= used_);
  used_ -= bytes;
}

int64_t ByteBudget::used() const {
  MutexLock lock(&mutex_);
  return used_;
}

int64_t ByteBudget::peak() const {
  MutexLock lock(&mutex_);
  return peak_;
}

}  // namespace tailrace
