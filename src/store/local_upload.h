// One open upload of the local store: the right to write to its hidden file.
#pragma once

#include <memory>
#include <vector>

#include "base/mutex.h"
#include "store/part_check.h"
#include "store/upload_file.h"
#include "tailrace/store.h"

namespace tailrace {

// See Upload for the contract. In a process forked while it was open, every function but the destructor fails with
// kInvalid: the file and its lock are the parent's.
class LocalUpload final : public Upload {
 public:
  struct Options {
    bool trust_parts = false;     // PartCheck
    bool sync_ancestors = false;  // SyncFolders
  };
  // `files` outlives it.
  LocalUpload(FileCalls* files, LocalPlace place, UploadFileName name, std::unique_ptr<UploadFile> file,
              Options options);

  const UploadId& id() const override { return id_; }
  Result<PartReceipt> PutPart(const Part& part) override;
  Status Sync() override;
  Result<std::vector<PartReceipt>> ListParts(const std::vector<PartReceipt>& expected) override;
  Result<ObjectMeta> Complete(const std::vector<PartReceipt>& parts, const PutCondition& condition) override;
  Status Abort() override;
  std::string Seal() const override;

 private:
  Status CheckOpen() const;
  // Refuses to write to a file that is, or may be, published.
  Status CheckWritable();
  Status SyncBytes();
  Result<int64_t> FileSize() const;
  // True where the stored bytes are those of the receipt.
  Result<bool> Holds(const PartReceipt& receipt, int64_t file_size);
  Status CheckParts(const std::vector<PartReceipt>& parts);
  Status Prepare(const std::vector<PartReceipt>& parts);

  FileCalls* const files_;
  const LocalPlace place_;
  const std::unique_ptr<UploadFile> file_;
  const Options options_;
  const UploadId id_;

  // By the one thread that calls the rest.
  bool attributes_synced_ = false;
  bool folders_synced_ = false;
  bool publish_tried_ = false;
  bool done_ = false;  // completed or aborted

  mutable Mutex mutex_;
  PartCheck parts_ TAILRACE_GUARDED_BY(mutex_);
  // A sync that failed may have dropped bytes that a second one would call safe: it stays.
  Status sync_error_ TAILRACE_GUARDED_BY(mutex_);
};

}  // namespace tailrace
