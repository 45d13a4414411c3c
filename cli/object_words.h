// Where an object is and what its store gives it, in words: shared by the text and the JSON of `inspect`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tailrace/object_options.h"
#include "tailrace/options.h"

namespace tailrace::cli {

// "crc64nvme", as --checksum takes it.
std::string ChecksumName(S3Checksum checksum);
// "customer-key", as --sse takes it; "none".
std::string EncryptionName(S3EncryptionKind kind);

// "endpoint" and its value and so on, in order; without the key. Empty for local files.
std::vector<std::pair<std::string, std::string>> PlaceWords(const Target& target);
// What was asked for, in order: "storage class" and its value, "tag" and "owner=me", ... It holds no key material.
std::vector<std::pair<std::string, std::string>> ObjectWords(const ObjectOptions& object);

}  // namespace tailrace::cli
