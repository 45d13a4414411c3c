// Objects as files of the local file system, uploads as hidden files beside them: docs/formats/local-store.md.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/file_calls.h"
#include "store/upload_file.h"
#include "tailrace/store.h"

namespace tailrace {

// The key is the absolute path without its leading slash. An object appears by rename, so that it replaces a symbolic
// link of that name, not the file it points to; it has the permissions that the umask leaves. if_match_etag is checked
// before the rename, not by it. Put and CreateUpload of one process or many may run at the same time. Thread-safe.
class LocalStore final : public MultipartStore {
 public:
  // `files` outlives the store and its uploads; nullptr is the kernel's.
  static std::shared_ptr<LocalStore> Make(const StoreOptions& options = {}, FileCalls* files = nullptr);

  StoreLimits limits() const override;
  Target TargetOf(const std::string& key) const override;
  Result<ObjectMeta> Head(const std::string& key) override;
  Status SyncObject(const std::string& key) override;
  Result<std::string> GetRange(const std::string& key, int64_t offset, int64_t length,
                               const std::string& if_etag) override;
  // kWriterAlive while another process puts the same write.
  Result<ObjectMeta> Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                         const PutCondition& condition) override;
  Result<std::unique_ptr<Upload>> CreateUpload(const UploadRequest& request) override;
  Result<std::unique_ptr<Upload>> OpenUpload(const std::string& key, const UploadId& id,
                                             const OpenUploadOptions& options = {}) override;
  Status CheckNewObject(const std::string& key) override;
  Result<std::vector<UploadSummary>> ListUploads(const std::string& prefix) override;
  // Links are not followed, and other devices not entered. kDenied names the folder that may not be read.
  Result<std::vector<UploadSummary>> ListUploadsUnder(const std::string& prefix) override;

 private:
  LocalStore(const StoreOptions& options, FileCalls* files) : options_(options), files_(files) {}

  // Writes, syncs and publishes the file of a Put.
  Status Fill(UploadFile* file, const ByteSlices& body);
  std::optional<UploadSummary> Summarize(const LocalPlace& place, const std::string& file_name);
  // Adds the uploads of the folder, which is on `device`, and of those in it.
  Status AddUploadsIn(const std::string& folder, uint64_t device, std::vector<UploadSummary>* uploads);

  const StoreOptions options_;
  FileCalls* const files_;
};

}  // namespace tailrace
