#include "store/s3/s3_store.h"

#include <utility>

#include "store/s3/s3_key.h"
#include "store/s3/s3_upload.h"

namespace tailrace {

std::shared_ptr<S3Store> S3Store::Make(S3StoreSetup setup) {
  S3Traits traits = TraitsOf(setup.settings.place.dialect);
  traits.checksum = setup.probed_checksum.value_or(traits.checksum);
  auto knowledge = std::make_shared<S3Knowledge>(traits);
  setup.client.on_answer = [knowledge](const HttpHeaders& headers) { knowledge->Learn(headers); };
  auto core = std::make_shared<S3Core>();
  core->client = std::make_shared<S3Client>(setup.settings.place, std::move(setup.client));
  core->knowledge = std::move(knowledge);
  core->settings = std::move(setup.settings);
  core->checksum_is_asked = setup.checksum_is_asked;
  core->limits = setup.limits;
  core->may_drop_checksum = !setup.probed_checksum;
  return std::shared_ptr<S3Store>(new S3Store(std::move(core)));
}

StoreLimits S3Store::limits() const { return core_->Limits(); }

Target S3Store::TargetOf(const std::string& key) const { return core_->settings.place.TargetOf(key); }

ObjectOptions S3Store::object_options() const { return core_->Context().settings.object; }

Result<std::shared_ptr<MultipartStore>> S3Store::WithObjectOptions(const ObjectOptions& options) {
  const ObjectOptions& ours = core_->settings.object;
  if (options.encryption == S3EncryptionKind::kSseC && options.customer_key_md5 != ours.customer_key_md5) {
    return MakeError(ErrorKind::kInvalid,
                     "this write is encrypted with a customer's key (SSE-C), and the key that was given is " +
                         std::string(ours.customer_key_md5.empty() ? "missing" : "another one") +
                         ": set encryption.customer_key");
  }
  auto core = std::make_shared<S3Core>(*core_);
  core->settings.object = options;
  core->checksum_is_fixed = true;
  return std::shared_ptr<MultipartStore>(new S3Store(std::move(core)));
}

Result<ObjectMeta> S3Store::Head(const std::string& key) {
  ARROW_RETURN_NOT_OK(CheckKey(key));
  return HeadObject(core_->Context(), key);
}

Result<std::string> S3Store::GetRange(const std::string& key, int64_t offset, int64_t length,
                                      const std::string& if_etag) {
  ARROW_RETURN_NOT_OK(CheckKey(key));
  return GetObjectRange(core_->Context(), key, offset, length, if_etag);
}

Result<ObjectMeta> S3Store::Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                                const PutCondition& condition) {
  ARROW_RETURN_NOT_OK(CheckNewKey(key));
  const int64_t most = core_->Limits().max_put_bytes;
  if (body.size() > most) {
    return MakeError(ErrorKind::kLimit, "'" + key + "' has " + std::to_string(body.size()) +
                                            " bytes, a single PUT takes " + std::to_string(most) + " (max_put_bytes)");
  }
  PutCondition sent = condition;
  ARROW_RETURN_NOT_OK(core_->LookFirst(key, &sent));
  S3Context context = core_->Context();
  S3Failure failure;
  Result<ObjectMeta> put = PutObject(context, key, body, write_id, sent, &failure);
  if (!put.ok() && failure.status == 501 && sent.if_absent && !core_->Limits().conditional_put) {
    sent.if_absent = false;  // known to be absent a moment ago
    put = PutObject(context, key, body, write_id, sent, &failure);
  }
  if (!put.ok() && core_->MayDropChecksum(context, failure)) {
    context.settings.object.checksum = S3Checksum::kNone;
    put = PutObject(context, key, body, write_id, sent, &failure);
    if (put.ok()) core_->knowledge->ForgetChecksum();
  }
  return put;
}

Status S3Store::CheckNewObject(const std::string& key) { return CheckNewKey(key); }

Result<std::unique_ptr<Upload>> S3Store::CreateUpload(const UploadRequest& request) {
  ARROW_RETURN_NOT_OK(CheckNewKey(request.key));
  S3Context context = core_->Context();
  S3Failure failure;
  Result<UploadId> id = CreateMultipartUpload(context, request.key, request.write_id, &failure);
  if (!id.ok() && core_->MayDropChecksum(context, failure)) {
    context.settings.object.checksum = S3Checksum::kNone;
    id = CreateMultipartUpload(context, request.key, request.write_id, &failure);
    if (id.ok()) core_->knowledge->ForgetChecksum();
  }
  ARROW_RETURN_NOT_OK(id);
  return std::make_unique<S3Upload>(core_, request.key, *std::move(id), context.settings.object.checksum,
                                    request.write_id);
}

Result<std::unique_ptr<Upload>> S3Store::OpenUpload(const std::string& key, const UploadId& id,
                                                    const OpenUploadOptions& options) {
  (void)options;  // there is neither a lock to take over nor a part to read back
  ARROW_RETURN_NOT_OK(CheckKey(key));
  if (id.text.empty()) return MakeError(ErrorKind::kBadState, "upload_id: empty");
  return std::make_unique<S3Upload>(core_, key, id, core_->Context().settings.object.checksum, WriteId{});
}

Result<std::vector<UploadSummary>> S3Store::ListUploads(const std::string& prefix) {
  return ListMultipartUploads(core_->Context(), prefix);
}

}  // namespace tailrace
