// The seam between the local store and the kernel: every file call it makes. Tests put a model of a disk, or a failing
// one, in its place.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailrace {

// What stat tells.
struct FileFacts {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size_bytes = 0;
  int64_t mtime_ns = 0;  // since 1970
  uint32_t mode = 0;     // type and permissions
  uint32_t user = 0;

  bool is_folder() const;
  bool is_regular() const;
  bool SameFile(const FileFacts& other) const { return device == other.device && inode == other.inode; }
};

// All calls return what succeeded (0, or what is said) or -errno, never -EINTR. Paths are absolute. Thread-safe, as the
// kernel is: writes to one descriptor may run at the same time.
class FileCalls {
 public:
  virtual ~FileCalls() = default;

  // A descriptor. `flags` as for open(2); close-on-exec is added.
  virtual int Open(const std::string& path, int flags, uint32_t mode) = 0;
  virtual int Close(int fd) = 0;
  // Writes all pieces, one behind the other, from `offset` on; on error any part of them may have been written.
  virtual int WriteAt(int fd, std::span<const iovec> pieces, int64_t offset) = 0;
  // Bytes read; fewer than asked for only at the end of the file.
  virtual int64_t ReadAt(int fd, void* out, int64_t size, int64_t offset) = 0;
  virtual int Truncate(int fd, int64_t size) = 0;
  // fdatasync: bytes and size. SyncFile, fsync: the attributes too.
  virtual int SyncData(int fd) = 0;
  virtual int SyncFile(int fd) = 0;
  // fsync of a folder: the names in it.
  virtual int SyncFolder(const std::string& path) = 0;

  virtual int StatFile(int fd, FileFacts* facts) = 0;
  virtual int Stat(const std::string& path, FileFacts* facts) = 0;
  // Does not follow a symbolic link.
  virtual int StatLink(const std::string& path, FileFacts* facts) = 0;
  // 0 where this process may make and remove names in the folder.
  virtual int MayWriteTo(const std::string& folder) = 0;

  virtual int Rename(const std::string& from, const std::string& to) = 0;
  // renameat2(RENAME_NOREPLACE): -EEXIST where `to` exists; -ENOSYS or -EINVAL where the system cannot.
  virtual int RenameIfAbsent(const std::string& from, const std::string& to) = 0;
  virtual int Link(const std::string& from, const std::string& to) = 0;
  virtual int Unlink(const std::string& path) = 0;
  virtual int MakeFolder(const std::string& path, uint32_t mode) = 0;
  virtual int ChangeMode(const std::string& path, uint32_t mode) = 0;
  virtual int ListFolder(const std::string& path, std::vector<std::string>* names) = 0;

  // An exclusive flock that does not wait: -EWOULDBLOCK where another open file has it. Dropped when the last copy of
  // the descriptor is closed.
  virtual int Lock(int fd) = 0;

  // Extended attributes: -ENOTSUP where the file system has none, -ENODATA where this one is not set.
  virtual int GetAttribute(int fd, const std::string& name, std::string* value) = 0;
  virtual int SetAttribute(int fd, const std::string& name, const std::string& value) = 0;
  virtual int RemoveAttribute(int fd, const std::string& name) = 0;
};

}  // namespace tailrace
