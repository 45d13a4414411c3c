#include "cli/object_words.h"

#include "cli/time_text.h"

namespace tailrace::cli {

std::string ChecksumName(S3Checksum checksum) {
  switch (checksum) {
    case S3Checksum::kNone:
      return "none";
    case S3Checksum::kMd5:
      return "md5";
    case S3Checksum::kCrc32:
      return "crc32";
    case S3Checksum::kCrc32c:
      return "crc32c";
    case S3Checksum::kSha256:
      return "sha256";
    case S3Checksum::kCrc64Nvme:
      return "crc64nvme";
  }
  return "unknown";
}

std::string EncryptionName(S3EncryptionKind kind) {
  switch (kind) {
    case S3EncryptionKind::kNone:
      return "none";
    case S3EncryptionKind::kSseS3:
      return "s3";
    case S3EncryptionKind::kSseKms:
      return "kms";
    case S3EncryptionKind::kSseC:
      return "customer-key";
  }
  return "unknown";
}

std::vector<std::pair<std::string, std::string>> PlaceWords(const Target& target) {
  if (target.kind != "s3") return {};
  return {{"bucket", target.bucket},
          {"endpoint", target.endpoint.empty() ? "AWS" : target.endpoint},
          {"region", target.region.empty() ? "as the store says" : target.region},
          {"addressing", target.addressing}};
}

std::vector<std::pair<std::string, std::string>> ObjectWords(const ObjectOptions& object) {
  std::vector<std::pair<std::string, std::string>> words;
  const auto Add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.emplace_back(name, value);
  };
  Add("content type", object.content_type);
  Add("storage class", object.storage_class);
  Add("acl", object.acl);
  for (const auto& [name, value] : object.tags) words.emplace_back("tag", name + "=" + value);
  for (const auto& [name, value] : object.metadata) words.emplace_back("object metadata", name + "=" + value);
  if (object.encryption != S3EncryptionKind::kNone) words.emplace_back("sse", EncryptionName(object.encryption));
  Add("sse kms key id", object.kms_key_id);
  Add("lock mode", object.lock_mode);
  if (object.lock_until) words.emplace_back("lock until", UtcTimeText(*object.lock_until));
  if (object.legal_hold) words.emplace_back("legal hold", "on");
  words.emplace_back("checksum", ChecksumName(object.checksum));
  return words;
}

}  // namespace tailrace::cli
