// Names: renames, links, folders.
#include <cerrno>

#include "testing/model_disk.h"

namespace tailrace {

int ModelDisk::Move(const std::string& from, const std::string& to, bool replace) {
  Found source;
  Found target;
  if (const int rc = Find(from, &source); rc < 0) return rc;
  if (const int rc = Find(to, &target); rc < 0) return rc;
  if (source.node == nullptr) return -ENOENT;
  if (target.node != nullptr && !replace) return -EEXIST;
  if (target.node == source.node) return 0;
  if (target.node != nullptr && target.node->is_folder != source.node->is_folder) {
    return target.node->is_folder ? -EISDIR : -ENOTDIR;
  }
  Change({{source.folder, source.name, nullptr}, {target.folder, target.name, source.node}});
  return 0;
}

int ModelDisk::Rename(const std::string& from, const std::string& to) {
  MutexLock lock(&mutex_);
  return Move(from, to, /*replace=*/true);
}

int ModelDisk::RenameIfAbsent(const std::string& from, const std::string& to) {
  MutexLock lock(&mutex_);
  return features_.rename_if_absent ? Move(from, to, /*replace=*/false) : -EINVAL;
}

int ModelDisk::Link(const std::string& from, const std::string& to) {
  MutexLock lock(&mutex_);
  Found source;
  Found target;
  if (const int rc = Find(from, &source); rc < 0) return rc;
  if (const int rc = Find(to, &target); rc < 0) return rc;
  if (source.node == nullptr) return -ENOENT;
  if (target.node != nullptr) return -EEXIST;
  if (source.node->is_folder) return -EPERM;
  Change({{target.folder, target.name, source.node}});
  return 0;
}

int ModelDisk::Unlink(const std::string& path) {
  MutexLock lock(&mutex_);
  Found found;
  if (const int rc = Find(path, &found); rc < 0) return rc;
  if (found.node == nullptr) return -ENOENT;
  if (found.node->is_folder) return -EISDIR;
  Change({{found.folder, found.name, nullptr}});
  return 0;
}

int ModelDisk::MakeFolder(const std::string& path, uint32_t mode) {
  MutexLock lock(&mutex_);
  Found found;
  if (const int rc = Find(path, &found); rc < 0) return rc;
  if (found.node != nullptr) return -EEXIST;
  Change({{found.folder, found.name, NewNode(/*is_folder=*/true, mode & 07777)}});
  return 0;
}

int ModelDisk::ChangeMode(const std::string& path, uint32_t mode) {
  MutexLock lock(&mutex_);
  Found found;
  if (const int rc = Find(path, &found); rc < 0) return rc;
  if (found.node == nullptr) return -ENOENT;
  found.node->permissions = mode & 07777;
  return 0;
}

int ModelDisk::ListFolder(const std::string& path, std::vector<std::string>* names) {
  MutexLock lock(&mutex_);
  Found found;
  if (const int rc = Find(path, &found); rc < 0) return rc;
  if (found.node == nullptr) return -ENOENT;
  if (!found.node->is_folder) return -ENOTDIR;
  names->clear();
  for (const auto& [name, node] : found.node->names) names->push_back(name);
  return 0;
}

}  // namespace tailrace
