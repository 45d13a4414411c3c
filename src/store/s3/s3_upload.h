// One multipart upload in S3: an id, without a lock.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/s3/s3_core.h"
#include "store/s3/s3_etag.h"
#include "tailrace/store.h"

namespace tailrace {

class S3Upload final : public Upload {
 public:
  // `checksum`: declared when the upload was created. `write_id`: empty where it is not known.
  S3Upload(std::shared_ptr<const S3Core> core, std::string key, UploadId id, S3Checksum checksum, WriteId write_id)
      : core_(std::move(core)),
        key_(std::move(key)),
        id_(std::move(id)),
        checksum_(checksum),
        write_id_(std::move(write_id)) {}

  const UploadId& id() const override { return id_; }
  Result<PartReceipt> PutPart(const Part& part) override;
  // A part is durable when it is answered.
  Status Sync() override { return Status::OK(); }
  Result<std::vector<PartReceipt>> ListParts(const std::vector<PartReceipt>& expected) override;
  Result<ObjectMeta> Complete(const std::vector<PartReceipt>& parts, const PutCondition& condition) override;
  std::string EtagOf(const std::vector<PartReceipt>& parts) const override { return MultipartEtag(parts); }
  Status Abort() override;

 private:
  S3Context Context() const;
  Result<ObjectMeta> CompleteWithLess(const std::vector<PartReceipt>& parts, const PutCondition& condition,
                                      const Status& refused);

  const std::shared_ptr<const S3Core> core_;
  const std::string key_;
  const UploadId id_;
  const S3Checksum checksum_;
  const WriteId write_id_;
};

}  // namespace tailrace
