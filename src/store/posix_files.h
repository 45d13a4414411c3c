// The file calls of the running kernel.
#pragma once

#include "store/file_calls.h"

namespace tailrace {

// Holds nothing. Not final: tests override single calls to let them fail.
class PosixFiles : public FileCalls {
 public:
  // Lives as long as the process.
  static PosixFiles* Get();

  int Open(const std::string& path, int flags, uint32_t mode) override;
  int Close(int fd) override;
  int WriteAt(int fd, std::span<const iovec> pieces, int64_t offset) override;
  int64_t ReadAt(int fd, void* out, int64_t size, int64_t offset) override;
  int Truncate(int fd, int64_t size) override;
  int SyncData(int fd) override;
  int SyncFile(int fd) override;
  int SyncFolder(const std::string& path) override;
  int StatFile(int fd, FileFacts* facts) override;
  int Stat(const std::string& path, FileFacts* facts) override;
  int StatLink(const std::string& path, FileFacts* facts) override;
  int MayWriteTo(const std::string& folder) override;
  int Rename(const std::string& from, const std::string& to) override;
  int RenameIfAbsent(const std::string& from, const std::string& to) override;
  int Link(const std::string& from, const std::string& to) override;
  int Unlink(const std::string& path) override;
  int MakeFolder(const std::string& path, uint32_t mode) override;
  int ChangeMode(const std::string& path, uint32_t mode) override;
  int ListFolder(const std::string& path, std::vector<std::string>* names) override;
  int Lock(int fd) override;
  int GetAttribute(int fd, const std::string& name, std::string* value) override;
  int SetAttribute(int fd, const std::string& name, const std::string& value) override;
  int RemoveAttribute(int fd, const std::string& name) override;

 protected:
  // One pwritev, which may write less than it was given: bytes written or -errno. WriteAt stands on it.
  virtual int64_t WriteSome(int fd, const iovec* pieces, int count, int64_t offset);
};

}  // namespace tailrace
