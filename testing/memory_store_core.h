// What MemoryStore and its uploads share.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "testing/memory_store.h"

namespace tailrace {

struct MemoryStore::Core {
  struct Object {
    std::string bytes;
    ObjectMeta meta;
  };
  struct StoredPart {
    std::string bytes;
    PartReceipt receipt;
  };
  struct OpenUpload {
    std::string key;
    WriteId write_id;
    Timestamp initiated{};
    std::map<int, StoredPart> parts;
  };

  explicit Core(MemoryStoreOptions chosen)
      : options(std::move(chosen)), clock(options.clock != nullptr ? options.clock : Clock::System()) {}

  void Count(StoreCall call) TAILRACE_EXCLUDES(mutex);
  std::string NewEtag(const std::string& bytes) TAILRACE_REQUIRES(mutex);
  Status CheckCondition(const std::string& key, const PutCondition& condition) const TAILRACE_REQUIRES(mutex);
  ObjectMeta PutObject(const std::string& key, std::string bytes, const std::string& write_id, std::string etag)
      TAILRACE_REQUIRES(mutex);
  // kUploadGone where there is no such upload of this key.
  Result<OpenUpload*> Find(const std::string& key, const UploadId& id) TAILRACE_REQUIRES(mutex);

  Result<PartReceipt> PutPart(const std::string& key, const UploadId& id, const Part& part);
  Result<std::vector<PartReceipt>> ListParts(const std::string& key, const UploadId& id);
  Result<ObjectMeta> Complete(const std::string& key, const UploadId& id, const std::vector<PartReceipt>& parts,
                              const PutCondition& condition);
  // The rules of Complete about the list of parts.
  Status CheckParts(const OpenUpload& upload, const std::vector<PartReceipt>& parts) const TAILRACE_REQUIRES(mutex);
  Status CheckPart(const OpenUpload& upload, const PartReceipt& part, bool last, int64_t first_size_bytes) const
      TAILRACE_REQUIRES(mutex);

  const MemoryStoreOptions options;
  Clock* const clock;

  mutable Mutex mutex;
  std::map<std::string, Object> objects TAILRACE_GUARDED_BY(mutex);
  std::map<UploadId, OpenUpload> uploads TAILRACE_GUARDED_BY(mutex);
  CallCounts calls TAILRACE_GUARDED_BY(mutex);
  int64_t next_number TAILRACE_GUARDED_BY(mutex) = 1;  // of etags and upload ids
};

// One handle; holds nothing but names.
class MemoryStore::MemoryUpload final : public Upload {
 public:
  MemoryUpload(std::shared_ptr<Core> core, std::string key, UploadId id)
      : core_(std::move(core)), key_(std::move(key)), id_(std::move(id)) {}

  const UploadId& id() const override { return id_; }
  Result<PartReceipt> PutPart(const Part& part) override;
  Status Sync() override;
  Result<std::vector<PartReceipt>> ListParts(const std::vector<PartReceipt>& expected) override;
  Result<ObjectMeta> Complete(const std::vector<PartReceipt>& parts, const PutCondition& condition) override;
  Status Abort() override;

 private:
  const std::shared_ptr<Core> core_;
  const std::string key_;
  const UploadId id_;
};

}  // namespace tailrace
