// A descriptor that a forked child gives up.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "store/file_calls.h"

namespace tailrace {

// An open file that carries a lock. A flock belongs to the open file, which fork shares: a child that never closed it
// would keep the lock after its parent's death. So every child made by fork closes it at once, without unlocking, which
// would take the lock from the parent. (exec closes it by flag; a raw clone system call runs no handlers.)
class GuardedFile {
 public:
  // Opens as FileCalls::Open, and fork waits until the file is known here: 0 or -errno. `files` outlives it.
  static int Open(FileCalls* files, const std::string& path, int flags, uint32_t mode,
                  std::unique_ptr<GuardedFile>* out);
  ~GuardedFile() { Close(); }
  GuardedFile(const GuardedFile&) = delete;
  GuardedFile& operator=(const GuardedFile&) = delete;

  // -1 once closed, and in a forked child.
  int fd() const { return fd_.load(std::memory_order_relaxed); }
  void Close();

 private:
  friend struct OpenGuards;
  GuardedFile(FileCalls* files, int fd) : files_(files), fd_(fd) {}

  FileCalls* const files_;
  std::atomic<int> fd_;
};

}  // namespace tailrace
