// What a store gives the object of a write beside its bytes. Travels in states and pending commits, so that a later
// process makes the same object; it never holds key material.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tailrace/object.h"

namespace tailrace {

// Sent as a header with each part and PUT, declared once when the upload is created. Never as a trailer.
enum class S3Checksum { kNone, kMd5, kCrc32, kCrc32c, kSha256, kCrc64Nvme };

enum class S3EncryptionKind { kNone, kSseS3, kSseKms, kSseC };

// The defaults mean: nothing is asked for. Stores without such things (local) leave it at that.
struct ObjectOptions {
  std::string content_type;
  std::string storage_class;
  std::string acl;  // canned
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<std::pair<std::string, std::string>> metadata;
  S3EncryptionKind encryption = S3EncryptionKind::kNone;
  std::string kms_key_id;        // of kSseKms; empty: the bucket's
  std::string customer_key_md5;  // of kSseC: base64 of the key's MD5; the key itself is given anew by each process
  std::string lock_mode;         // GOVERNANCE or COMPLIANCE, with lock_until
  std::optional<Timestamp> lock_until;
  bool legal_hold = false;
  S3Checksum checksum = S3Checksum::kNone;
  friend bool operator==(const ObjectOptions&, const ObjectOptions&) = default;
};

}  // namespace tailrace
