#include "testing/memory_store.h"

#include <algorithm>
#include <utility>

#include "base/crc64.h"
#include "testing/memory_store_core.h"

namespace tailrace {
namespace {

Status CheckKey(const std::string& key) {
  if (!key.empty() && key.front() != '/' && key.back() != '/') return Status::OK();
  return MakeError(ErrorKind::kInvalid, "key '" + key + "': empty, or begins or ends with '/'");
}

Status NoObject(const std::string& key) { return MakeError(ErrorKind::kNotFound, "no object '" + key + "'"); }

}  // namespace

std::shared_ptr<MemoryStore> MemoryStore::Make(MemoryStoreOptions options) {
  return std::shared_ptr<MemoryStore>(new MemoryStore(std::make_shared<Core>(std::move(options))));
}

MemoryStore::MemoryStore(std::shared_ptr<Core> core) : core_(std::move(core)) {}
MemoryStore::~MemoryStore() = default;

StoreLimits MemoryStore::limits() const { return core_->options.limits; }

Target MemoryStore::TargetOf(const std::string& key) const {
  Target target;
  target.kind = "memory";
  target.bucket = core_->options.name;
  target.key = key;
  return target;
}

Result<ObjectMeta> MemoryStore::Head(const std::string& key) {
  core_->Count(StoreCall::kHead);
  MutexLock lock(&core_->mutex);
  auto at = core_->objects.find(key);
  if (at == core_->objects.end()) return NoObject(key);
  return at->second.meta;
}

Status MemoryStore::SyncObject(const std::string& key) {
  core_->Count(StoreCall::kSyncObject);
  MutexLock lock(&core_->mutex);
  return core_->objects.contains(key) ? Status::OK() : NoObject(key);
}

Result<std::string> MemoryStore::GetRange(const std::string& key, int64_t offset, int64_t length,
                                          const std::string& if_etag) {
  core_->Count(StoreCall::kGetRange);
  MutexLock lock(&core_->mutex);
  auto at = core_->objects.find(key);
  if (at == core_->objects.end()) return NoObject(key);
  const Core::Object& object = at->second;
  if (!if_etag.empty() && object.meta.etag != if_etag) {
    return MakeError(ErrorKind::kPrecondition, "object '" + key + "' has changed: its etag is not " + if_etag);
  }
  if (offset < 0 || length < 0 || offset > object.meta.size_bytes) {
    return MakeError(ErrorKind::kInvalid, "range of " + std::to_string(length) + " bytes at " + std::to_string(offset) +
                                              " is outside object '" + key + "' of " +
                                              std::to_string(object.meta.size_bytes) + " bytes");
  }
  return object.bytes.substr(offset, length);
}

Result<ObjectMeta> MemoryStore::Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                                    const PutCondition& condition) {
  core_->Count(StoreCall::kPut);
  ARROW_RETURN_NOT_OK(CheckKey(key));
  if (body.size() > core_->options.limits.max_put_bytes) {
    return MakeError(ErrorKind::kLimit, "object '" + key + "' of " + std::to_string(body.size()) +
                                            " bytes: max_put_bytes is " +
                                            std::to_string(core_->options.limits.max_put_bytes));
  }
  std::string bytes = body.ToString();
  if (Crc64Nvme(bytes.data(), bytes.size()) != body.crc64()) {
    return MakeError(ErrorKind::kInvalid, "object '" + key + "': the bytes do not have their checksum");
  }
  MutexLock lock(&core_->mutex);
  ARROW_RETURN_NOT_OK(core_->CheckCondition(key, condition));
  std::string etag = core_->NewEtag(bytes);
  return core_->PutObject(key, std::move(bytes), write_id.text, std::move(etag));
}

Result<std::unique_ptr<Upload>> MemoryStore::CreateUpload(const UploadRequest& request) {
  core_->Count(StoreCall::kCreateUpload);
  ARROW_RETURN_NOT_OK(CheckKey(request.key));
  MutexLock lock(&core_->mutex);
  UploadId id{"upload-" + std::to_string(core_->next_number++)};
  core_->uploads[id] = {request.key, request.write_id, core_->clock->Now(), {}};
  return std::make_unique<MemoryUpload>(core_, request.key, std::move(id));
}

Result<std::unique_ptr<Upload>> MemoryStore::OpenUpload(const std::string& key, const UploadId& id,
                                                        const OpenUploadOptions&) {
  core_->Count(StoreCall::kOpenUpload);
  MutexLock lock(&core_->mutex);
  ARROW_RETURN_NOT_OK(core_->Find(key, id));
  return std::make_unique<MemoryUpload>(core_, key, id);
}

Result<std::vector<UploadSummary>> MemoryStore::ListUploads(const std::string& prefix) {
  core_->Count(StoreCall::kListUploads);
  MutexLock lock(&core_->mutex);
  std::vector<UploadSummary> found;
  for (const auto& [id, upload] : core_->uploads) {
    // No write id: S3 does not list the metadata of uploads either.
    if (upload.key.starts_with(prefix)) found.push_back({upload.key, id, {}, upload.initiated});
  }
  std::ranges::sort(found, {}, [](const UploadSummary& s) { return std::pair(s.key, s.id); });
  return found;
}

std::optional<std::string> MemoryStore::Content(const std::string& key) const {
  MutexLock lock(&core_->mutex);
  auto at = core_->objects.find(key);
  if (at == core_->objects.end()) return std::nullopt;
  return at->second.bytes;
}

std::vector<std::string> MemoryStore::Keys() const {
  MutexLock lock(&core_->mutex);
  std::vector<std::string> keys;
  for (const auto& [key, object] : core_->objects) keys.push_back(key);
  return keys;
}

std::map<UploadId, MemoryStore::OpenUploadFacts> MemoryStore::Uploads() const {
  MutexLock lock(&core_->mutex);
  std::map<UploadId, OpenUploadFacts> uploads;
  for (const auto& [id, upload] : core_->uploads) {
    OpenUploadFacts& facts = uploads[id];
    facts = {upload.key, upload.write_id.text, {}};
    for (const auto& [number, part] : upload.parts) facts.parts[number] = part.bytes;
  }
  return uploads;
}

void MemoryStore::PutForeign(const std::string& key, std::string bytes) {
  MutexLock lock(&core_->mutex);
  std::string etag = core_->NewEtag(bytes);
  core_->PutObject(key, std::move(bytes), {}, std::move(etag));
}

void MemoryStore::Delete(const std::string& key) {
  MutexLock lock(&core_->mutex);
  core_->objects.erase(key);
}

void MemoryStore::ExpireUpload(const UploadId& id) {
  MutexLock lock(&core_->mutex);
  core_->uploads.erase(id);
}

CallCounts MemoryStore::calls() const {
  MutexLock lock(&core_->mutex);
  return core_->calls;
}

void MemoryStore::ResetCalls() {
  MutexLock lock(&core_->mutex);
  core_->calls = {};
}

}  // namespace tailrace
