// A store in memory for tests, stricter than any real one: what it lets pass, they let pass.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "tailrace/store.h"
#include "testing/store_calls.h"

namespace tailrace {

// How this store differs from others of its kind.
struct MemoryStoreOptions {
  std::string name = "memory";  // the bucket of its targets
  StoreLimits limits = {.min_part_bytes = 1, .stray_parts = StrayParts::kLeftOut, .reads_settle_at_once = true};
  bool equal_parts = false;     // Complete refuses parts of different lengths, the last apart (R2)
  bool opaque_etags = false;    // a new etag for each store of the same bytes, else one that follows from them
  bool object_crc64 = true;     // Head tells the checksum of the whole object
  bool keeps_write_ids = true;  // Head tells the write id; false is a store that drops object metadata
  Clock* clock = nullptr;       // for last_modified; nullptr is the system's. Outlives the store
};

// Thread-safe. As on S3, an upload has no lock: any number of handles may write to it, and a part that is stored again
// replaces what was there, so that a Complete with the old receipt is refused.
//
// What it checks beyond S3: the bytes of a part against their checksum; the place of a part in the object against
// those before it; each limit by name. A completed or aborted upload is gone for every call but Abort and Sync.
class MemoryStore final : public MultipartStore {
 public:
  static std::shared_ptr<MemoryStore> Make(MemoryStoreOptions options = {});
  ~MemoryStore() override;

  StoreLimits limits() const override;
  Target TargetOf(const std::string& key) const override;
  Result<ObjectMeta> Head(const std::string& key) override;
  Status SyncObject(const std::string& key) override;
  Result<std::string> GetRange(const std::string& key, int64_t offset, int64_t length,
                               const std::string& if_etag) override;
  Result<ObjectMeta> Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                         const PutCondition& condition) override;
  Result<std::unique_ptr<Upload>> CreateUpload(const UploadRequest& request) override;
  Result<std::unique_ptr<Upload>> OpenUpload(const std::string& key, const UploadId& id,
                                             const OpenUploadOptions& options = {}) override;
  Result<std::vector<UploadSummary>> ListUploads(const std::string& prefix) override;

  // --- for tests; none is counted as a call ---

  // The bytes under `key`, or nullopt.
  std::optional<std::string> Content(const std::string& key) const;
  std::vector<std::string> Keys() const;
  struct OpenUploadFacts {
    std::string key;
    std::string write_id;
    std::map<int, std::string> parts;  // number -> bytes
  };
  std::map<UploadId, OpenUploadFacts> Uploads() const;
  // An object that somebody else put there, without a write id.
  void PutForeign(const std::string& key, std::string bytes);
  // What a lifecycle rule or an operator does.
  void Delete(const std::string& key);
  void ExpireUpload(const UploadId& id);

  CallCounts calls() const;
  void ResetCalls();

 private:
  struct Core;
  class MemoryUpload;

  explicit MemoryStore(std::shared_ptr<Core> core);
  // Shared with the uploads, which may outlive the store.
  const std::shared_ptr<Core> core_;
};

}  // namespace tailrace
