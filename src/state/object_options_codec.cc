#include "state/object_options_codec.h"

#include <utility>

#include "state/key_values_codec.h"
#include "state/tagged_codec.h"

namespace tailrace {
namespace {

// Never renumber, never reuse.
constexpr Field kContentType{1, WireType::kBytes, true, "content_type"};
constexpr Field kStorageClass{2, WireType::kBytes, true, "storage_class"};
constexpr Field kAcl{3, WireType::kBytes, true, "acl"};
constexpr Field kTags{4, WireType::kBytes, true, "tags"};
constexpr Field kMetadata{5, WireType::kBytes, true, "metadata"};
constexpr Field kEncryption{6, WireType::kVarint, true, "encryption"};
constexpr Field kKmsKeyId{7, WireType::kBytes, true, "kms_key_id"};
constexpr Field kCustomerKeyMd5{8, WireType::kBytes, true, "customer_key_md5"};
constexpr Field kLockMode{9, WireType::kBytes, true, "lock_mode"};
constexpr Field kLockUntil{10, WireType::kVarint, true, "lock_until"};
constexpr Field kLegalHold{11, WireType::kVarint, true, "legal_hold"};
constexpr Field kChecksum{12, WireType::kVarint, true, "checksum"};
constexpr Field kFields[] = {kContentType, kStorageClass,   kAcl,      kTags,      kMetadata,  kEncryption,
                             kKmsKeyId,    kCustomerKeyMd5, kLockMode, kLockUntil, kLegalHold, kChecksum};

constexpr S3EncryptionKind kEncryptionNumbers[] = {S3EncryptionKind::kNone, S3EncryptionKind::kSseS3,
                                                   S3EncryptionKind::kSseKms, S3EncryptionKind::kSseC};
constexpr S3Checksum kChecksumNumbers[] = {S3Checksum::kNone,   S3Checksum::kMd5,    S3Checksum::kCrc32,
                                           S3Checksum::kCrc32c, S3Checksum::kSha256, S3Checksum::kCrc64Nvme};

void PutText(const Field& field, const std::string& value, MessageWriter* out) {
  if (!value.empty()) out->PutBytes(field, value);
}

void PutPairs(const Field& field, const KeyValues& pairs, MessageWriter* out) {
  if (!pairs.empty()) out->PutBytes(field, EncodeKeyValues(pairs));
}

Result<KeyValues> ReadPairs(const Field& field, const MessageReader& in) {
  if (!in.Has(field)) return KeyValues();
  ARROW_ASSIGN_OR_RAISE(std::string_view bytes, in.Bytes(field));
  return DecodeKeyValues(bytes, in.PathOf(field));
}

}  // namespace

std::string EncodeObjectOptions(const ObjectOptions& options) {
  MessageWriter out;
  PutText(kContentType, options.content_type, &out);
  PutText(kStorageClass, options.storage_class, &out);
  PutText(kAcl, options.acl, &out);
  PutPairs(kTags, options.tags, &out);
  PutPairs(kMetadata, options.metadata, &out);
  if (options.encryption != S3EncryptionKind::kNone) {
    out.PutEnum(kEncryption, options.encryption, kEncryptionNumbers);
  }
  PutText(kKmsKeyId, options.kms_key_id, &out);
  PutText(kCustomerKeyMd5, options.customer_key_md5, &out);
  PutText(kLockMode, options.lock_mode, &out);
  if (options.lock_until) out.PutInt(kLockUntil, options.lock_until->time_since_epoch().count());
  if (options.legal_hold) out.PutBool(kLegalHold, true);
  if (options.checksum != S3Checksum::kNone) out.PutEnum(kChecksum, options.checksum, kChecksumNumbers);
  return out.Take();
}

Result<ObjectOptions> DecodeObjectOptions(std::string_view bytes, std::string prefix) {
  ARROW_ASSIGN_OR_RAISE(MessageReader in, MessageReader::Parse(bytes, std::move(prefix), kFields));
  ObjectOptions options;
  options.content_type = in.BytesOrEmpty(kContentType);
  options.storage_class = in.BytesOrEmpty(kStorageClass);
  options.acl = in.BytesOrEmpty(kAcl);
  ARROW_ASSIGN_OR_RAISE(options.tags, ReadPairs(kTags, in));
  ARROW_ASSIGN_OR_RAISE(options.metadata, ReadPairs(kMetadata, in));
  if (in.Has(kEncryption)) {
    ARROW_ASSIGN_OR_RAISE(options.encryption, in.EnumOf(kEncryption, kEncryptionNumbers));
  }
  options.kms_key_id = in.BytesOrEmpty(kKmsKeyId);
  options.customer_key_md5 = in.BytesOrEmpty(kCustomerKeyMd5);
  options.lock_mode = in.BytesOrEmpty(kLockMode);
  if (in.Has(kLockUntil)) {
    ARROW_ASSIGN_OR_RAISE(const int64_t microseconds, in.Int(kLockUntil));
    options.lock_until = Timestamp(std::chrono::microseconds(microseconds));
  }
  if (in.Has(kLegalHold)) {
    ARROW_ASSIGN_OR_RAISE(options.legal_hold, in.Bool(kLegalHold));
  }
  if (in.Has(kChecksum)) {
    ARROW_ASSIGN_OR_RAISE(options.checksum, in.EnumOf(kChecksum, kChecksumNumbers));
  }
  return options;
}

}  // namespace tailrace
