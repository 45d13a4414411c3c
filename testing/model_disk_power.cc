// What is left after loss of power.
#include <algorithm>
#include <utility>

#include "testing/model_disk.h"

namespace tailrace {

// Copies what lasts into a new disk.
class ModelDisk::Survivors {
 public:
  explicit Survivors(uint64_t seed) : seed_(seed), random_(seed) {}

  int64_t total_bytes() const {
    int64_t total = 0;
    for (const auto& [node, copy] : copies_) total += static_cast<int64_t>(copy->bytes.size());
    return total;
  }

  // Of one change that was not synced.
  bool Lasts() { return seed_ == 1 || (seed_ > 1 && random_() % 2 == 0); }

  NodePtr CopyOf(const NodePtr& node) {
    NodePtr& copy = copies_[node.get()];
    if (copy != nullptr) return copy;
    copy = std::make_shared<Node>();
    copy->inode = node->inode;
    copy->is_folder = node->is_folder;
    copy->permissions = node->permissions;
    copy->mtime_ns = node->mtime_ns;
    copy->bytes = node->synced_bytes;
    for (const ByteChange& change : node->byte_changes) ApplyInPart(change, &copy->bytes);
    copy->attributes = node->synced_attributes;
    for (const AttributeChange& change : node->attribute_changes) {
      if (!Lasts()) continue;
      if (change.value) {
        copy->attributes[change.name] = *change.value;
      } else {
        copy->attributes.erase(change.name);
      }
    }
    copy->synced_bytes = copy->bytes;
    copy->synced_attributes = copy->attributes;
    return copy;
  }

 private:
  // A write reaches the disk in sectors, in any order.
  void ApplyInPart(const ByteChange& change, std::string* bytes) {
    if (!change.bytes) {
      if (Lasts()) Apply(change, bytes);
      return;
    }
    constexpr int64_t kSectorBytes = 512;
    const int64_t size = static_cast<int64_t>(change.bytes->size());
    for (int64_t done = 0; done < size;) {
      const int64_t at = change.at + done;
      const int64_t length = std::min(size - done, kSectorBytes - at % kSectorBytes);
      if (Lasts()) Apply({.at = at, .bytes = change.bytes->substr(done, length)}, bytes);
      done += length;
    }
  }

  const uint64_t seed_;
  std::mt19937_64 random_;
  std::map<Node*, NodePtr> copies_;
};

std::unique_ptr<ModelDisk> ModelDisk::CutPower(uint64_t seed) const {
  auto after = std::make_unique<ModelDisk>(features_);
  MutexLock lock(&mutex_);
  MutexLock after_lock(&after->mutex_);
  Survivors survivors(seed);
  after->root_ = survivors.CopyOf(root_);
  // The root starts empty, so that its names are the sum of all changes that last.
  for (const NameChange& change : name_changes_) {
    if (!change.unsynced.empty() && !survivors.Lasts()) continue;
    for (const NameChange::Entry& entry : change.entries) {
      std::map<std::string, NodePtr>& names = survivors.CopyOf(entry.folder)->names;
      if (entry.node != nullptr) {
        names[entry.name] = survivors.CopyOf(entry.node);
      } else {
        names.erase(entry.name);
      }
    }
    NameChange kept{.entries = {}, .unsynced = {}};
    for (const NameChange::Entry& entry : change.entries) {
      kept.entries.push_back(
          {survivors.CopyOf(entry.folder), entry.name, entry.node != nullptr ? survivors.CopyOf(entry.node) : nullptr});
    }
    after->name_changes_.push_back(std::move(kept));
  }
  after->next_inode_ = next_inode_;
  after->now_ns_ = now_ns_;
  after->used_bytes_ = survivors.total_bytes();
  return after;
}

void ModelDisk::AddFolder(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    MakeFolder(path.substr(0, slash), 0755);
    if (slash == std::string::npos) break;
  }
  MutexLock lock(&mutex_);
  for (NameChange& change : name_changes_) change.unsynced.clear();
}

std::optional<std::string> ModelDisk::ContentOf(const std::string& path) const {
  MutexLock lock(&mutex_);
  Found found;
  if (Find(path, &found) < 0 || found.node == nullptr || found.node->is_folder) return std::nullopt;
  return found.node->bytes;
}

}  // namespace tailrace
