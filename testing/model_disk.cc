#include "testing/model_disk.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tailrace {

ModelDisk::ModelDisk(Features features) : features_(features) {
  root_ = std::make_shared<Node>();
  root_->inode = 1;
  root_->is_folder = true;
  root_->permissions = 0755;
}

ModelDisk::~ModelDisk() = default;

int ModelDisk::Find(const std::string& path, Found* found) const {
  *found = {.folder = nullptr, .name = {}, .node = root_};
  for (size_t begin = 1; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (found->node == nullptr) return -ENOENT;
    if (!found->node->is_folder) return -ENOTDIR;
    found->folder = found->node;
    found->name = path.substr(begin, end - begin);
    if (found->name.size() > 255) return -ENAMETOOLONG;
    const auto it = found->folder->names.find(found->name);
    found->node = it == found->folder->names.end() ? nullptr : it->second;
    begin = end + 1;
  }
  return 0;
}

ModelDisk::OpenFile* ModelDisk::FileOf(int fd) {
  const auto it = open_.find(fd);
  return it == open_.end() ? nullptr : &it->second;
}

ModelDisk::NodePtr ModelDisk::NewNode(bool is_folder, uint32_t permissions) {
  NodePtr node = std::make_shared<Node>();
  node->inode = next_inode_++;
  node->is_folder = is_folder;
  node->permissions = permissions;
  node->mtime_ns = ++now_ns_;
  return node;
}

void ModelDisk::Change(std::vector<NameChange::Entry> entries) {
  NameChange change{.entries = std::move(entries), .unsynced = {}};
  for (const NameChange::Entry& entry : change.entries) {
    if (entry.node != nullptr) {
      entry.folder->names[entry.name] = entry.node;
    } else {
      entry.folder->names.erase(entry.name);
    }
    change.unsynced.insert(entry.folder.get());
  }
  name_changes_.push_back(std::move(change));
}

void ModelDisk::Apply(const ByteChange& change, std::string* bytes) {
  if (!change.bytes) {
    bytes->resize(change.at, '\0');
    return;
  }
  const size_t end = change.at + change.bytes->size();
  if (bytes->size() < end) bytes->resize(end, '\0');
  bytes->replace(change.at, change.bytes->size(), *change.bytes);
}

FileFacts ModelDisk::FactsOf(const Node& node) const {
  return {.device = 7,
          .inode = node.inode,
          .size_bytes = static_cast<int64_t>(node.bytes.size()),
          .mtime_ns = node.mtime_ns,
          .mode = (node.is_folder ? S_IFDIR : S_IFREG) | node.permissions,
          .user = 0};
}

int ModelDisk::Open(const std::string& path, int flags, uint32_t mode) {
  MutexLock lock(&mutex_);
  Found found;
  if (const int rc = Find(path, &found); rc < 0) return rc;
  const bool writable = (flags & O_ACCMODE) != O_RDONLY;
  if (found.node == nullptr) {
    if ((flags & O_CREAT) == 0) return -ENOENT;
    found.node = NewNode(/*is_folder=*/false, mode & 07777);
    Change({{found.folder, found.name, found.node}});
  } else if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
    return -EEXIST;
  } else if (found.node->is_folder && writable) {
    return -EISDIR;
  }
  const int fd = next_fd_++;
  open_[fd] = {.node = found.node, .writable = writable};
  return fd;
}

int ModelDisk::Close(int fd) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr) return -EBADF;
  const auto held = locks_.find(file->node.get());
  if (held != locks_.end() && held->second == fd) locks_.erase(held);
  open_.erase(fd);
  return 0;
}

int ModelDisk::WriteAt(int fd, std::span<const iovec> pieces, int64_t offset) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr || !file->writable) return -EBADF;
  std::string bytes;
  for (const iovec& piece : pieces) bytes.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
  Node& node = *file->node;
  const int64_t size = static_cast<int64_t>(node.bytes.size());
  const int64_t room = features_.capacity_bytes - used_bytes_;
  const int64_t fits = std::max(size, offset) + room - offset;
  const bool full = static_cast<int64_t>(bytes.size()) > fits;
  if (full) bytes.resize(std::max<int64_t>(fits, 0));
  if (!bytes.empty()) {
    ByteChange change{.at = offset, .bytes = std::move(bytes)};
    Apply(change, &node.bytes);
    node.byte_changes.push_back(std::move(change));
    node.mtime_ns = ++now_ns_;
    used_bytes_ += static_cast<int64_t>(node.bytes.size()) - size;
  }
  return full ? -ENOSPC : 0;
}

int64_t ModelDisk::ReadAt(int fd, void* out, int64_t size, int64_t offset) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr) return -EBADF;
  const std::string& bytes = file->node->bytes;
  const int64_t got = std::clamp<int64_t>(static_cast<int64_t>(bytes.size()) - offset, 0, size);
  if (got > 0) std::memcpy(out, bytes.data() + offset, got);
  return got;
}

int ModelDisk::Truncate(int fd, int64_t size) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr || !file->writable) return -EBADF;
  Node& node = *file->node;
  if (size == static_cast<int64_t>(node.bytes.size())) return 0;
  used_bytes_ += size - static_cast<int64_t>(node.bytes.size());
  ByteChange change{.at = size, .bytes = std::nullopt};
  Apply(change, &node.bytes);
  node.byte_changes.push_back(std::move(change));
  node.mtime_ns = ++now_ns_;
  return 0;
}

int ModelDisk::SyncData(int fd) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr) return -EBADF;
  file->node->synced_bytes = file->node->bytes;
  file->node->byte_changes.clear();
  return 0;
}

int ModelDisk::SyncFile(int fd) {
  if (const int rc = SyncData(fd); rc < 0) return rc;
  MutexLock lock(&mutex_);
  Node& node = *FileOf(fd)->node;
  node.synced_attributes = node.attributes;
  node.attribute_changes.clear();
  return 0;
}

int ModelDisk::SyncFolder(const std::string& path) {
  MutexLock lock(&mutex_);
  Found found;
  if (const int rc = Find(path, &found); rc < 0) return rc;
  if (found.node == nullptr) return -ENOENT;
  if (!found.node->is_folder) return -ENOTDIR;
  for (NameChange& change : name_changes_) change.unsynced.erase(found.node.get());
  return 0;
}

int ModelDisk::StatFile(int fd, FileFacts* facts) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr) return -EBADF;
  *facts = FactsOf(*file->node);
  return 0;
}

int ModelDisk::StatPath(const std::string& path, FileFacts* facts) const {
  Found found;
  if (const int rc = Find(path, &found); rc < 0) return rc;
  if (found.node == nullptr) return -ENOENT;
  *facts = FactsOf(*found.node);
  return 0;
}

int ModelDisk::Stat(const std::string& path, FileFacts* facts) {
  MutexLock lock(&mutex_);
  return StatPath(path, facts);
}

int ModelDisk::StatLink(const std::string& path, FileFacts* facts) {
  MutexLock lock(&mutex_);
  return StatPath(path, facts);
}

int ModelDisk::MayWriteTo(const std::string& folder) {
  MutexLock lock(&mutex_);
  FileFacts facts;
  return StatPath(folder, &facts);
}

int ModelDisk::Lock(int fd) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr) return -EBADF;
  if (!features_.locks) return -EOPNOTSUPP;
  const auto [held, taken] = locks_.try_emplace(file->node.get(), fd);
  return taken || held->second == fd ? 0 : -EWOULDBLOCK;
}

int ModelDisk::GetAttribute(int fd, const std::string& name, std::string* value) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr) return -EBADF;
  if (!features_.attributes) return -ENOTSUP;
  const auto it = file->node->attributes.find(name);
  if (it == file->node->attributes.end()) return -ENODATA;
  *value = it->second;
  return 0;
}

int ModelDisk::SetAttribute(int fd, const std::string& name, const std::string& value) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr) return -EBADF;
  if (!features_.attributes) return -ENOTSUP;
  file->node->attributes[name] = value;
  file->node->attribute_changes.push_back({name, value});
  return 0;
}

int ModelDisk::RemoveAttribute(int fd, const std::string& name) {
  MutexLock lock(&mutex_);
  OpenFile* const file = FileOf(fd);
  if (file == nullptr) return -EBADF;
  if (!features_.attributes) return -ENOTSUP;
  if (file->node->attributes.erase(name) == 0) return -ENODATA;
  file->node->attribute_changes.push_back({name, std::nullopt});
  return 0;
}

}  // namespace tailrace
