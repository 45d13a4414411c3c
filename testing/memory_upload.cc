// The rules of MemoryStore about parts and their completion.
#include <utility>

#include "base/crc64.h"
#include "testing/memory_store_core.h"

namespace tailrace {
namespace {

std::string Hex(uint64_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text.push_back(kDigits[(value >> shift) & 15]);
  return text;
}

std::string PartName(const PartReceipt& part) { return "part " + std::to_string(part.number); }

Status PartMismatch(const PartReceipt& part, const std::string& why) {
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kPartMismatch);
  detail->part_number = part.number;
  return MakeError(std::move(detail), PartName(part) + ": " + why);
}

}  // namespace

void MemoryStore::Core::Count(StoreCall call) {
  MutexLock lock(&mutex);
  ++calls[call];
}

std::string MemoryStore::Core::NewEtag(const std::string& bytes) {
  if (options.opaque_etags) return std::string("opaque-").append(std::to_string(next_number++));
  return Hex(Crc64Nvme(bytes.data(), bytes.size()));
}

Status MemoryStore::Core::CheckCondition(const std::string& key, const PutCondition& condition) const {
  if (!options.limits.conditional_put) {
    if (condition.atomic) return MakeError(ErrorKind::kInvalid, "this store ignores conditions");
    return Status::OK();  // ignored, as such stores do
  }
  auto at = objects.find(key);
  if (condition.if_absent && at != objects.end()) {
    return MakeError(ErrorKind::kPrecondition, "object '" + key + "' exists");
  }
  if (condition.if_match_etag.empty() || (at != objects.end() && at->second.meta.etag == condition.if_match_etag)) {
    return Status::OK();
  }
  return MakeError(ErrorKind::kPrecondition, "object '" + key + "' does not have etag " + condition.if_match_etag);
}

ObjectMeta MemoryStore::Core::PutObject(const std::string& key, std::string bytes, const std::string& write_id,
                                        std::string etag) {
  ObjectMeta meta;
  meta.size_bytes = static_cast<int64_t>(bytes.size());
  meta.etag = std::move(etag);
  meta.last_modified = clock->Now();
  if (options.keeps_write_ids) meta.write_id = write_id;
  if (options.object_crc64) meta.crc64 = Crc64Nvme(bytes.data(), bytes.size());
  objects[key] = {std::move(bytes), meta};
  return meta;
}

Result<MemoryStore::Core::OpenUpload*> MemoryStore::Core::Find(const std::string& key, const UploadId& id) {
  auto at = uploads.find(id);
  if (at != uploads.end() && at->second.key == key) return &at->second;
  return MakeError(ErrorKind::kUploadGone, "no upload '" + id.text + "' of '" + key + "'");
}

Result<PartReceipt> MemoryStore::Core::PutPart(const std::string& key, const UploadId& id, const Part& part) {
  const StoreLimits& limits = options.limits;
  PartReceipt receipt{part.number, part.offset_bytes, part.body.size(), {}, part.body.crc64()};
  if (part.number < 1 || part.number > limits.max_parts) {
    return MakeError(ErrorKind::kLimit, PartName(receipt) + ": max_parts is " + std::to_string(limits.max_parts));
  }
  if (receipt.size_bytes > limits.max_part_bytes) {
    return MakeError(ErrorKind::kLimit, PartName(receipt) + " of " + std::to_string(receipt.size_bytes) +
                                            " bytes: max_part_bytes is " + std::to_string(limits.max_part_bytes));
  }
  std::string bytes = part.body.ToString();
  if (Crc64Nvme(bytes.data(), bytes.size()) != receipt.crc64) {
    return MakeError(ErrorKind::kInvalid, PartName(receipt) + ": the bytes do not have their checksum");
  }
  MutexLock lock(&mutex);
  ARROW_ASSIGN_OR_RAISE(OpenUpload * upload, Find(key, id));
  receipt.etag = NewEtag(bytes);
  upload->parts[part.number] = {std::move(bytes), receipt};
  return receipt;
}

Result<std::vector<PartReceipt>> MemoryStore::Core::ListParts(const std::string& key, const UploadId& id) {
  MutexLock lock(&mutex);
  ARROW_ASSIGN_OR_RAISE(OpenUpload * upload, Find(key, id));
  std::vector<PartReceipt> receipts;
  for (const auto& [number, part] : upload->parts) receipts.push_back(part.receipt);
  return receipts;
}

Status MemoryStore::Core::CheckPart(const OpenUpload& upload, const PartReceipt& part, bool last,
                                    int64_t first_size_bytes) const {
  auto at = upload.parts.find(part.number);
  if (at == upload.parts.end()) return PartMismatch(part, "was never stored");
  const PartReceipt& stored = at->second.receipt;
  if (options.limits.checks_part_etags && stored.etag != part.etag) {
    return PartMismatch(part, "its etag is " + stored.etag + ", not " + part.etag);
  }
  if (!last && stored.size_bytes < options.limits.min_part_bytes) {
    return MakeError(ErrorKind::kLimit, PartName(part) + " of " + std::to_string(stored.size_bytes) +
                                            " bytes: min_part_bytes is " +
                                            std::to_string(options.limits.min_part_bytes));
  }
  const bool equal = stored.size_bytes == first_size_bytes || (last && stored.size_bytes < first_size_bytes);
  if (options.equal_parts && !equal) {
    return MakeError(ErrorKind::kInvalid, PartName(part) + " of " + std::to_string(stored.size_bytes) +
                                              " bytes: all parts but the last must be equal, the first has " +
                                              std::to_string(first_size_bytes));
  }
  return Status::OK();
}

Status MemoryStore::Core::CheckParts(const OpenUpload& upload, const std::vector<PartReceipt>& parts) const {
  if (parts.empty()) return MakeError(ErrorKind::kInvalid, "Complete names no part");
  const bool leaves_strays_out = options.limits.stray_parts != StrayParts::kRefused;
  int64_t offset_bytes = 0;
  int64_t first_size_bytes = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (i > 0 && parts[i].number <= parts[i - 1].number) {
      return MakeError(ErrorKind::kInvalid, PartName(parts[i]) + " is named after " + PartName(parts[i - 1]));
    }
    if (i == 0 && upload.parts.contains(parts[0].number)) {
      first_size_bytes = upload.parts.at(parts[0].number).receipt.size_bytes;
    }
    ARROW_RETURN_NOT_OK(CheckPart(upload, parts[i], last, first_size_bytes));
    const PartReceipt& stored = upload.parts.at(parts[i].number).receipt;
    // Where strays must be named, parts come to stand elsewhere than their writers knew.
    if (leaves_strays_out && stored.offset_bytes != offset_bytes) {
      return MakeError(ErrorKind::kInvalid, PartName(stored) + " was stored for byte " +
                                                std::to_string(stored.offset_bytes) + " and comes to stand at " +
                                                std::to_string(offset_bytes));
    }
    offset_bytes += stored.size_bytes;
  }
  if (offset_bytes > options.limits.max_object_bytes) {
    return MakeError(ErrorKind::kLimit, "object of " + std::to_string(offset_bytes) + " bytes: max_object_bytes is " +
                                            std::to_string(options.limits.max_object_bytes));
  }
  if (leaves_strays_out || parts.size() == upload.parts.size()) return Status::OK();
  return MakeError(ErrorKind::kPartMismatch, "Complete names " + std::to_string(parts.size()) + " of " +
                                                 std::to_string(upload.parts.size()) +
                                                 " stored parts; all must be named");
}

Result<ObjectMeta> MemoryStore::Core::Complete(const std::string& key, const UploadId& id,
                                               const std::vector<PartReceipt>& parts, const PutCondition& condition) {
  MutexLock lock(&mutex);
  ARROW_ASSIGN_OR_RAISE(OpenUpload * upload, Find(key, id));
  ARROW_RETURN_NOT_OK(CheckParts(*upload, parts));
  ARROW_RETURN_NOT_OK(CheckCondition(key, condition));
  std::string bytes;
  std::string etags;
  for (const PartReceipt& part : parts) {
    bytes += upload->parts.at(part.number).bytes;
    etags += upload->parts.at(part.number).receipt.etag;
  }
  // As on S3 the etag of such an object is not that of its bytes.
  std::string etag = NewEtag(etags).append("-").append(std::to_string(parts.size()));
  ObjectMeta meta = PutObject(key, std::move(bytes), upload->write_id.text, std::move(etag));
  uploads.erase(id);
  return meta;
}

Result<PartReceipt> MemoryStore::MemoryUpload::PutPart(const Part& part) {
  core_->Count(StoreCall::kPutPart);
  return core_->PutPart(key_, id_, part);
}

Status MemoryStore::MemoryUpload::Sync() {
  core_->Count(StoreCall::kSync);
  return Status::OK();
}

Result<std::vector<PartReceipt>> MemoryStore::MemoryUpload::ListParts(const std::vector<PartReceipt>&) {
  core_->Count(StoreCall::kListParts);
  return core_->ListParts(key_, id_);
}

Result<ObjectMeta> MemoryStore::MemoryUpload::Complete(const std::vector<PartReceipt>& parts,
                                                       const PutCondition& condition) {
  core_->Count(StoreCall::kComplete);
  return core_->Complete(key_, id_, parts, condition);
}

Status MemoryStore::MemoryUpload::Abort() {
  core_->Count(StoreCall::kAbort);
  MutexLock lock(&core_->mutex);
  core_->uploads.erase(id_);
  return Status::OK();
}

}  // namespace tailrace
