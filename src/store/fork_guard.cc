#include "store/fork_guard.h"

#include <pthread.h>

#include <mutex>
#include <unordered_set>

namespace tailrace {

// The files that a forked child must close. Process-wide against our habit: fork is, and pthread_atfork takes no
// argument. It is never destroyed, since a thread may fork while the process exits.
struct OpenGuards {
  // Held from before fork until after it, so that no file is opened but not yet listed in that moment.
  std::mutex mutex;
  std::unordered_set<GuardedFile*> files;

  static OpenGuards& Get() {
    static OpenGuards* const guards = [] {
      auto* made = new OpenGuards;
      pthread_atfork([] { Get().mutex.lock(); }, [] { Get().mutex.unlock(); }, [] { Get().CloseInChild(); });
      return made;
    }();
    return *guards;
  }

  // Only close(2) and unlocking: other threads are gone, whatever locks they held.
  void CloseInChild() {
    for (GuardedFile* file : files) {
      const int fd = file->fd_.exchange(-1, std::memory_order_relaxed);
      if (fd >= 0) file->files_->Close(fd);
    }
    mutex.unlock();
  }
};

int GuardedFile::Open(FileCalls* files, const std::string& path, int flags, uint32_t mode,
                      std::unique_ptr<GuardedFile>* out) {
  OpenGuards& guards = OpenGuards::Get();
  std::lock_guard lock(guards.mutex);
  const int fd = files->Open(path, flags, mode);
  if (fd < 0) return fd;
  out->reset(new GuardedFile(files, fd));
  guards.files.insert(out->get());
  return 0;
}

void GuardedFile::Close() {
  OpenGuards& guards = OpenGuards::Get();
  std::lock_guard lock(guards.mutex);
  guards.files.erase(this);
  const int fd = fd_.exchange(-1, std::memory_order_relaxed);
  // Nothing depends on close telling of an error: what must last was synced before.
  if (fd >= 0) files_->Close(fd);
}

}  // namespace tailrace
