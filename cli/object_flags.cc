#include "cli/object_flags.h"

#include "cli/key_value_text.h"
#include "cli/time_text.h"
#include "tailrace/error.h"

namespace tailrace::cli {

namespace {

constexpr char kGroup[] = "What the object is given (S3 and stores like it)";

Status Refuse(const std::string& message) { return MakeError(ErrorKind::kInvalid, message); }

Result<S3Checksum> ParseChecksum(const std::string& text) {
  static constexpr std::pair<const char*, S3Checksum> kNames[] = {
      {"none", S3Checksum::kNone},     {"md5", S3Checksum::kMd5},       {"crc32", S3Checksum::kCrc32},
      {"crc32c", S3Checksum::kCrc32c}, {"sha256", S3Checksum::kSha256}, {"crc64nvme", S3Checksum::kCrc64Nvme},
  };
  for (const auto& [name, checksum] : kNames) {
    if (text == name) return checksum;
  }
  return Refuse("--checksum " + text + ": must be none, md5, crc32, crc32c, sha256 or crc64nvme");
}

}  // namespace

std::vector<const CLI::Option*> ObjectFlags::AddTo(CLI::App* command) {
  std::vector<const CLI::Option*> added;
  const auto Add = [&](CLI::Option* option, const char* type) {
    added.push_back(option->type_name(type)->group(kGroup));
  };
  const auto AddOption = [&](const char* name, std::string* value, const char* type, const char* help) {
    Add(command->add_option(name, *value, help), type);
  };
  const auto AddList = [&](const char* name, std::vector<std::string>* values, const char* help) {
    Add(command->add_option(name, *values, help)->allow_extra_args(false), "NAME=VALUE");
  };
  AddOption("--content-type", &content_type_, "TYPE", "media type (application/vnd.apache.parquet)");
  AddOption("--storage-class", &storage_class_, "CLASS", "STANDARD_IA, INTELLIGENT_TIERING, ... (the bucket's)");
  AddOption("--acl", &acl_, "NAME", "canned ACL, such as bucket-owner-full-control");
  AddList("--tag", &tags_, "a tag; may be given up to ten times");
  AddList("--object-metadata", &metadata_, "x-amz-meta-NAME; may be given often (--metadata is the file's own)");
  AddOption("--sse", &sse_, "s3|kms|customer-key", "encryption at rest: s3, kms or customer-key (the bucket's)");
  AddOption("--sse-kms-key-id", &kms_key_id_, "ID", "with --sse kms: the key (the bucket's)");
  AddOption("--checksum", &checksum_, "none|md5|crc32|crc32c|sha256|crc64nvme",
            "none, md5, crc32, crc32c, sha256 or crc64nvme (crc64nvme where the store takes it)");
  AddOption("--lock-mode", &lock_mode_, "governance|compliance",
            "object lock: governance or compliance; needs --lock-until");
  AddOption("--lock-until", &lock_until_, "TIME", "2027-01-31 or 2027-01-31T12:00:00Z");
  added.push_back(command->add_flag("--legal-hold", legal_hold_, "object lock: a legal hold")->group(kGroup));
  return added;
}

arrow::Status ObjectFlags::ParseEncryption(S3Encryption* encryption) const {
  const bool has_key = !encryption->customer_key.empty();
  if (sse_ == "s3") {
    encryption->kind = S3EncryptionKind::kSseS3;
  } else if (sse_ == "kms") {
    encryption->kind = S3EncryptionKind::kSseKms;
    encryption->kms_key_id = kms_key_id_;
  } else if (sse_ == "customer-key") {
    if (!has_key) return Refuse("--sse customer-key: needs --sse-customer-key-file FILE");
  } else if (!sse_.empty()) {
    return Refuse("--sse " + sse_ + ": must be s3, kms or customer-key");
  }
  if (has_key && !sse_.empty() && sse_ != "customer-key") {
    return Refuse("--sse-customer-key-file: goes with --sse customer-key, not with --sse " + sse_);
  }
  if (!kms_key_id_.empty() && sse_ != "kms") return Refuse("--sse-kms-key-id: needs --sse kms");
  return Status::OK();
}

arrow::Status ObjectFlags::Parse(S3Options* s3) const {
  if (!checksum_.empty()) {
    ARROW_ASSIGN_OR_RAISE(s3->checksum, ParseChecksum(checksum_));
  }
  ARROW_RETURN_NOT_OK(ParseEncryption(&s3->encryption));
  s3->storage_class = storage_class_;
  s3->acl = acl_;
  ARROW_ASSIGN_OR_RAISE(s3->tags, ParseKeyValues("--tag", tags_));
  ARROW_ASSIGN_OR_RAISE(s3->metadata, ParseKeyValues("--object-metadata", metadata_));
  if (!content_type_.empty()) s3->content_type = content_type_;
  if (lock_mode_.empty() != lock_until_.empty()) {
    return Refuse(lock_mode_.empty() ? "--lock-until: needs --lock-mode" : "--lock-mode: needs --lock-until");
  }
  if (!lock_mode_.empty()) {
    s3->lock_mode = lock_mode_;
    for (char& c : s3->lock_mode) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    if (s3->lock_mode != "GOVERNANCE" && s3->lock_mode != "COMPLIANCE") {
      return Refuse("--lock-mode " + lock_mode_ + ": must be governance or compliance");
    }
    ARROW_ASSIGN_OR_RAISE(s3->lock_until, ParseUtcTime("--lock-until", lock_until_));
  }
  s3->legal_hold = legal_hold_;
  return Status::OK();
}

}  // namespace tailrace::cli
