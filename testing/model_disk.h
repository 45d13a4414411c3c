// A disk in memory that knows what would be left of it after loss of power.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/file_calls.h"

namespace tailrace {

// Stands under the local store in the place of the kernel. As strict as POSIX allows: a file's bytes last from SyncData
// on, its attributes from SyncFile on, a name from the sync of its folder on; a rename is atomic, but lasts only when
// both folders are synced. Whatever was not synced may last or not, each change for itself, and a write may last in
// part. One file system without links; every user may do everything. Thread-safe.
class ModelDisk final : public FileCalls {
 public:
  struct Features {
    bool rename_if_absent = true;
    bool attributes = true;
    bool locks = true;
    int64_t capacity_bytes = int64_t{1} << 40;
  };
  ModelDisk() : ModelDisk(Features()) {}
  explicit ModelDisk(Features features);
  ~ModelDisk() override;

  // Makes a folder with its parents, which lasts at once.
  void AddFolder(const std::string& path);
  // The disk when power comes back: nothing is open or locked. Seed 0 loses everything that was not synced, 1 loses
  // nothing, any other chooses.
  std::unique_ptr<ModelDisk> CutPower(uint64_t seed) const;
  // The content of a file; nullopt where there is none.
  std::optional<std::string> ContentOf(const std::string& path) const;

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
  struct Node;
  using NodePtr = std::shared_ptr<Node>;
  // A change of bytes: written ones, or (no bytes) a new size.
  struct ByteChange {
    int64_t at = 0;
    std::optional<std::string> bytes;
  };
  struct AttributeChange {
    std::string name;
    std::optional<std::string> value;
  };
  struct Node {
    uint64_t inode = 0;
    bool is_folder = false;
    uint32_t permissions = 0;
    int64_t mtime_ns = 0;
    std::map<std::string, NodePtr> names;  // of a folder
    std::string bytes;
    std::map<std::string, std::string> attributes;
    // What lasts, and what came after it.
    std::string synced_bytes;
    std::vector<ByteChange> byte_changes;
    std::map<std::string, std::string> synced_attributes;
    std::vector<AttributeChange> attribute_changes;
  };
  // One atomic change of names, in one folder or two.
  struct NameChange {
    struct Entry {
      NodePtr folder;
      std::string name;
      NodePtr node;  // nullptr: the name goes away
    };
    std::vector<Entry> entries;
    std::set<Node*> unsynced;  // folders that must be synced before it lasts
  };
  struct OpenFile {
    NodePtr node;
    bool writable = false;
  };
  // The folder of a path and its last segment; `node` is what has the path, if anything.
  struct Found {
    NodePtr folder;
    std::string name;
    NodePtr node;
  };

  int Find(const std::string& path, Found* found) const TAILRACE_REQUIRES(mutex_);
  OpenFile* FileOf(int fd) TAILRACE_REQUIRES(mutex_);
  NodePtr NewNode(bool is_folder, uint32_t permissions) TAILRACE_REQUIRES(mutex_);
  void Change(std::vector<NameChange::Entry> entries) TAILRACE_REQUIRES(mutex_);
  int Move(const std::string& from, const std::string& to, bool replace) TAILRACE_REQUIRES(mutex_);
  int StatPath(const std::string& path, FileFacts* facts) const TAILRACE_REQUIRES(mutex_);
  FileFacts FactsOf(const Node& node) const;

  static void Apply(const ByteChange& change, std::string* bytes);
  class Survivors;

  const Features features_;
  mutable Mutex mutex_;
  NodePtr root_ TAILRACE_GUARDED_BY(mutex_);
  std::vector<NameChange> name_changes_ TAILRACE_GUARDED_BY(mutex_);
  std::map<int, OpenFile> open_ TAILRACE_GUARDED_BY(mutex_);
  std::map<Node*, int> locks_ TAILRACE_GUARDED_BY(mutex_);
  int next_fd_ TAILRACE_GUARDED_BY(mutex_) = 1000;
  uint64_t next_inode_ TAILRACE_GUARDED_BY(mutex_) = 2;
  int64_t now_ns_ TAILRACE_GUARDED_BY(mutex_) = 1'767'225'600'000'000'000;
  int64_t used_bytes_ TAILRACE_GUARDED_BY(mutex_) = 0;
};

}  // namespace tailrace
