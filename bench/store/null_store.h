// A store that takes parts and forgets them: what a write costs without any upload.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tailrace/store.h"

namespace tailrace {

class NullUpload final : public Upload {
 public:
  const UploadId& id() const override { return id_; }
  Result<PartReceipt> PutPart(const Part& part) override {
    return PartReceipt{.number = part.number,
                       .offset_bytes = part.offset_bytes,
                       .size_bytes = part.body.size(),
                       .etag = "\"0\"",
                       .crc64 = part.body.crc64()};
  }
  Status Sync() override { return Status::OK(); }
  Result<std::vector<PartReceipt>> ListParts(const std::vector<PartReceipt>& expected) override { return expected; }
  Result<ObjectMeta> Complete(const std::vector<PartReceipt>& parts, const PutCondition&) override {
    ObjectMeta meta;
    for (const PartReceipt& part : parts) meta.size_bytes += part.size_bytes;
    return meta;
  }
  Status Abort() override { return Status::OK(); }

 private:
  const UploadId id_{"null"};
};

class NullStore final : public MultipartStore {
 public:
  StoreLimits limits() const override { return {}; }
  Target TargetOf(const std::string& key) const override { return {.kind = "null", .key = key}; }
  Result<ObjectMeta> Head(const std::string& key) override {
    return MakeError(ErrorKind::kNotFound, "'" + key + "': nothing is kept here");
  }
  Result<std::string> GetRange(const std::string& key, int64_t, int64_t, const std::string&) override {
    return MakeError(ErrorKind::kNotFound, "'" + key + "': nothing is kept here");
  }
  Result<ObjectMeta> Put(const std::string&, const ByteSlices& body, const WriteId& write_id,
                         const PutCondition&) override {
    return ObjectMeta{.size_bytes = body.size(), .write_id = write_id.text};
  }
  Result<std::unique_ptr<Upload>> CreateUpload(const UploadRequest&) override { return std::make_unique<NullUpload>(); }
  Result<std::unique_ptr<Upload>> OpenUpload(const std::string&, const UploadId&, const OpenUploadOptions&) override {
    return std::make_unique<NullUpload>();
  }
  Result<std::vector<UploadSummary>> ListUploads(const std::string&) override { return std::vector<UploadSummary>(); }
};

}  // namespace tailrace
