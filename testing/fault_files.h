// A decorator over file calls that counts them and lets chosen ones fail.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store/file_calls.h"

namespace tailrace {

struct FileCall {
  int64_t index = 0;      // counted from 0
  std::string_view name;  // of the function: "Rename"
  std::string path;       // the first one; empty for calls on descriptors
};

// -errno to fail without doing anything, 0 to go on. May run in several threads at once.
using FileFault = std::function<int(const FileCall&)>;

// Thread-safe. Closing is counted, but never fails and is never left out.
class FaultFiles final : public FileCalls {
 public:
  FaultFiles(FileCalls* files, FileFault fault) : files_(files), fault_(std::move(fault)) {}

  int64_t calls() const { return calls_; }
  int64_t fired() const { return fired_; }

  // The n-th call fails, once.
  static FileFault FailNth(int64_t index, int error);
  // It and all later calls fail: the process, or the machine, is dead.
  static FileFault FailFrom(int64_t index, int error);
  // Every call of this function fails.
  static FileFault FailAll(std::string_view name, int error);

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

 private:
  int Ask(std::string_view name, const std::string& path);

  FileCalls* const files_;
  const FileFault fault_;
  std::atomic<int64_t> calls_{0};
  std::atomic<int64_t> fired_{0};
};

}  // namespace tailrace
