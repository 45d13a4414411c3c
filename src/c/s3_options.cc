#include "c/s3_options.h"

#include <chrono>
#include <optional>

#include "c/credentials.h"
#include "c/fields.h"
#include "c/structs.h"

namespace tailrace::c {
namespace {

using std::chrono::milliseconds;

// AES-256.
constexpr size_t kCustomerKeyBytes = 32;

tailrace_s3_options S3Defaults() {
  const S3Options ours;
  tailrace_s3_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.addressing = TAILRACE_ADDRESSING_AUTO;
  defaults.allow_http = ours.allow_http;
  defaults.anonymous = ours.anonymous;
  defaults.checksum = TAILRACE_CHECKSUM_AUTO;
  defaults.sign_payload = ours.sign_payload;
  defaults.encryption = TAILRACE_ENCRYPTION_NONE;
  defaults.legal_hold = ours.legal_hold;
  defaults.requester_pays = ours.requester_pays;
  defaults.max_connections = ours.max_connections;
  defaults.http2 = ours.http2;
  defaults.connect_timeout_ms = ours.connect_timeout.count();
  defaults.request_timeout_ms = ours.request_timeout.count();
  defaults.complete_timeout_ms = ours.complete_timeout.count();
  defaults.retry_timeout_ms = ours.retry_timeout.count();
  defaults.max_attempts = ours.max_attempts;
  return defaults;
}

Status ReadAccess(const tailrace_s3_options& read, S3Options* out) {
  ReadText(read.endpoint, &out->endpoint);
  ReadText(read.region, &out->region);
  ARROW_RETURN_NOT_OK(ReadChoice("addressing", read.addressing,
                                 {{TAILRACE_ADDRESSING_AUTO, S3Addressing::kAuto},
                                  {TAILRACE_ADDRESSING_PATH, S3Addressing::kPath},
                                  {TAILRACE_ADDRESSING_VIRTUAL_HOST, S3Addressing::kVirtualHost}},
                                 &out->addressing));
  ARROW_RETURN_NOT_OK(ReadFlag("allow_http", read.allow_http, &out->allow_http));
  ARROW_RETURN_NOT_OK(ReadFlag("anonymous", read.anonymous, &out->anonymous));
  if (read.credentials != nullptr) {
    ARROW_ASSIGN_OR_RAISE(out->credentials, ReadCredentials(read.credentials));
  }
  ReadText(read.profile, &out->profile);
  ARROW_RETURN_NOT_OK(ReadFlag("sign_payload", read.sign_payload, &out->sign_payload));
  ARROW_RETURN_NOT_OK(ReadFlag("requester_pays", read.requester_pays, &out->requester_pays));
  ReadText(read.expected_bucket_owner, &out->expected_bucket_owner);
  return Status::OK();
}

Status ReadEncryption(const tailrace_s3_options& read, S3Encryption* out) {
  ARROW_RETURN_NOT_OK(ReadChoice("encryption", read.encryption,
                                 {{TAILRACE_ENCRYPTION_NONE, S3EncryptionKind::kNone},
                                  {TAILRACE_ENCRYPTION_SSE_S3, S3EncryptionKind::kSseS3},
                                  {TAILRACE_ENCRYPTION_SSE_KMS, S3EncryptionKind::kSseKms},
                                  {TAILRACE_ENCRYPTION_SSE_C, S3EncryptionKind::kSseC}},
                                 &out->kind));
  ReadText(read.kms_key_id, &out->kms_key_id);
  if (read.customer_key != nullptr) {
    out->customer_key.assign(reinterpret_cast<const char*>(read.customer_key), kCustomerKeyBytes);
  }
  return Status::OK();
}

Status ReadObject(const tailrace_s3_options& read, S3Options* out) {
  ARROW_RETURN_NOT_OK(ReadChoice<std::optional<S3Checksum>>("checksum", read.checksum,
                                                            {{TAILRACE_CHECKSUM_AUTO, std::nullopt},
                                                             {TAILRACE_CHECKSUM_NONE, S3Checksum::kNone},
                                                             {TAILRACE_CHECKSUM_MD5, S3Checksum::kMd5},
                                                             {TAILRACE_CHECKSUM_CRC32, S3Checksum::kCrc32},
                                                             {TAILRACE_CHECKSUM_CRC32C, S3Checksum::kCrc32c},
                                                             {TAILRACE_CHECKSUM_SHA256, S3Checksum::kSha256},
                                                             {TAILRACE_CHECKSUM_CRC64NVME, S3Checksum::kCrc64Nvme}},
                                                            &out->checksum));
  ReadText(read.storage_class, &out->storage_class);
  ReadText(read.acl, &out->acl);
  ARROW_RETURN_NOT_OK(ReadPairs("tags", read.tags, &out->tags));
  ARROW_RETURN_NOT_OK(ReadPairs("metadata", read.metadata, &out->metadata));
  ReadText(read.content_type, &out->content_type);
  ReadText(read.lock_mode, &out->lock_mode);
  if (read.lock_until_us != 0) out->lock_until = Timestamp(std::chrono::microseconds(read.lock_until_us));
  return ReadFlag("legal_hold", read.legal_hold, &out->legal_hold);
}

Status ReadConnections(const tailrace_s3_options& read, S3Options* out) {
  ARROW_RETURN_NOT_OK(ReadInt("max_connections", read.max_connections, &out->max_connections));
  ARROW_RETURN_NOT_OK(ReadFlag("http2", read.http2, &out->http2));
  ReadText(read.ca_file, &out->ca_file);
  ReadText(read.proxy, &out->proxy);
  ReadText(read.no_proxy, &out->no_proxy);
  out->connect_timeout = milliseconds(read.connect_timeout_ms);
  out->request_timeout = milliseconds(read.request_timeout_ms);
  out->complete_timeout = milliseconds(read.complete_timeout_ms);
  out->retry_timeout = milliseconds(read.retry_timeout_ms);
  return ReadInt("max_attempts", read.max_attempts, &out->max_attempts);
}

}  // namespace

Result<S3Options> ReadS3Options(const tailrace_s3_options* given) {
  tailrace_s3_options read = S3Defaults();
  const Status whole = ReadStruct(given, "tailrace_s3_options", &read);
  S3Options options;
  // First, so that the context of a callback has its owner whatever fails.
  options.credentials_callback = CredentialsFunction(read);
  ARROW_RETURN_NOT_OK(whole);
  ARROW_RETURN_NOT_OK(ReadAccess(read, &options));
  ARROW_RETURN_NOT_OK(ReadEncryption(read, &options.encryption));
  ARROW_RETURN_NOT_OK(ReadObject(read, &options));
  ARROW_RETURN_NOT_OK(ReadConnections(read, &options));
  return options;
}

}  // namespace tailrace::c

extern "C" {

void tailrace_s3_options_init(tailrace_s3_options* options, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::S3Defaults(), options, struct_size);
}

}  // extern "C"
