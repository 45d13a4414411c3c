#include "store/s3/s3_settings.h"

#include <algorithm>
#include <utility>

#include "store/s3/s3_checksum.h"

namespace tailrace {
namespace {

constexpr size_t kCustomerKeyBytes = 32;  // AES-256
constexpr size_t kMaxTags = 10;           // of an object, in S3

Status Refuse(const std::string& option, std::string_view why) {
  return MakeError(ErrorKind::kInvalid, "S3 option " + option + ": " + std::string(why));
}

// The value is not for the message: options hold secrets.
Status CheckHeaderValue(const std::string& option, std::string_view value) {
  const bool good = std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c < '\x7f'; });
  return good ? Status::OK() : Refuse(option, "only printable ASCII can stand in a header");
}

// The rest of a header's name: what RFC 9110 calls a token.
bool IsToken(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

Status CheckMetadata(const S3Options& options) {
  for (const auto& [name, value] : options.metadata) {
    if (!IsToken(name)) return Refuse("metadata", "'" + name + "' is no name of a header");
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    if (lower.starts_with("tailrace-"))
      return Refuse("metadata", "names that begin with 'tailrace-' are tailrace's own");
    ARROW_RETURN_NOT_OK(CheckHeaderValue("metadata." + name, value));
  }
  if (options.tags.size() > kMaxTags) return Refuse("tags", "an object has at most 10");
  for (const auto& [name, value] : options.tags) {
    if (name.empty()) return Refuse("tags", "a name is empty");
  }
  return Status::OK();
}

Status CheckEncryption(const S3Encryption& encryption) {
  const bool customer = encryption.kind == S3EncryptionKind::kSseC;
  if (customer && encryption.customer_key.size() != kCustomerKeyBytes) {
    return Refuse("encryption.customer_key",
                  "SSE-C takes a key of 32 bytes, not of " + std::to_string(encryption.customer_key.size()));
  }
  if (!customer && !encryption.customer_key.empty()) {
    return Refuse("encryption.customer_key", "it is given, but the kind of encryption is not SSE-C");
  }
  if (encryption.kind != S3EncryptionKind::kSseKms && !encryption.kms_key_id.empty()) {
    return Refuse("encryption.kms_key_id", "it is given, but the kind of encryption is not SSE-KMS");
  }
  return CheckHeaderValue("encryption.kms_key_id", encryption.kms_key_id);
}

Status CheckLock(const S3Options& options) {
  if (options.lock_mode.empty() != !options.lock_until) {
    return Refuse(options.lock_mode.empty() ? "lock_mode" : "lock_until", "lock_mode and lock_until need each other");
  }
  if (options.lock_mode.empty() || options.lock_mode == "GOVERNANCE" || options.lock_mode == "COMPLIANCE") {
    return Status::OK();
  }
  return Refuse("lock_mode", "it is neither GOVERNANCE nor COMPLIANCE");
}

}  // namespace

Status CheckNumbers(const S3Options& options) {
  if (options.max_connections < 1) return Refuse("max_connections", "at least 1 is needed");
  if (options.max_attempts < 1) return Refuse("max_attempts", "at least 1 is needed");
  for (const auto& [name, time] :
       {std::pair("connect_timeout", options.connect_timeout), std::pair("request_timeout", options.request_timeout),
        std::pair("complete_timeout", options.complete_timeout), std::pair("retry_timeout", options.retry_timeout)}) {
    if (time.count() <= 0) return Refuse(name, "it has to be longer than nothing");
  }
  return Status::OK();
}

Result<S3Settings> SettingsOf(S3Place place, const S3Options& options) {
  for (const auto& [name, value] :
       {std::pair("storage_class", &options.storage_class), std::pair("acl", &options.acl),
        std::pair("content_type", &options.content_type), std::pair("region", &options.region),
        std::pair("expected_bucket_owner", &options.expected_bucket_owner)}) {
    ARROW_RETURN_NOT_OK(CheckHeaderValue(name, *value));
  }
  ARROW_RETURN_NOT_OK(CheckMetadata(options));
  ARROW_RETURN_NOT_OK(CheckEncryption(options.encryption));
  ARROW_RETURN_NOT_OK(CheckLock(options));
  ARROW_RETURN_NOT_OK(CheckNumbers(options));
  S3Settings settings{.place = std::move(place),
                      .customer_key = options.encryption.customer_key,
                      .requester_pays = options.requester_pays,
                      .expected_bucket_owner = options.expected_bucket_owner};
  if (!settings.customer_key.empty() && settings.place.endpoint.starts_with("http://")) {
    return Refuse("encryption.customer_key", "it would cross the network in the clear: the endpoint is plain http");
  }
  ObjectOptions& object = settings.object;
  object.content_type = options.content_type;
  object.storage_class = options.storage_class;
  object.acl = options.acl;
  object.tags = options.tags;
  object.metadata = options.metadata;
  object.encryption = options.encryption.kind;
  object.kms_key_id = options.encryption.kms_key_id;
  if (!settings.customer_key.empty()) object.customer_key_md5 = Md5Base64(settings.customer_key);
  object.lock_mode = options.lock_mode;
  object.lock_until = options.lock_until;
  object.legal_hold = options.legal_hold;
  object.checksum = options.checksum.value_or(S3Checksum::kNone);
  return settings;
}

}  // namespace tailrace
