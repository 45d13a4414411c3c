// What a probe of one store found (doctor.h), kept in a file for writers: docs/formats/store-profile.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/object.h"
#include "tailrace/object_options.h"
#include "tailrace/store_limits.h"

namespace tailrace {

using arrow::Result;

// A value. Holds for the bucket, or the folder, that was probed and for no other: opening another store with it is
// kInvalid. It names no credential.
//
//   tailrace::StoreOptions options;
//   ARROW_ASSIGN_OR_RAISE(options.profile, tailrace::LoadStoreProfile("minio.profile.json"));
//   ARROW_ASSIGN_OR_RAISE(auto at, tailrace::OpenStore("s3://bucket/x.parquet", options));
struct StoreProfile {
  std::string tool_version;  // of the tailrace that probed
  Timestamp probed{};        // whole seconds
  std::string kind;          // "s3" or "file"
  std::string endpoint;      // as in Target; empty for AWS itself and for files
  std::string bucket;        // of "s3"
  std::string folder;        // of "file": absolute, with its leading slash
  StoreLimits limits;
  S3Checksum checksum = S3Checksum::kNone;  // for parts, where the options ask for none
  // What was found, name and answer, for people and for later versions; nothing is decided by it.
  std::vector<std::pair<std::string, std::string>> findings;
  friend bool operator==(const StoreProfile&, const StoreProfile&) = default;

  // OK where the profile is of the store that holds `target`; else kInvalid, naming both.
  Status CheckIsFor(const Target& target) const;
  // JSON, indented, with a newline at its end.
  std::string ToJson() const;
  // kInvalid names what is wrong: no profile at all, a field that is missing or makes no sense. kStateTooNew: of a
  // version that this tailrace does not know.
  static Result<StoreProfile> FromJson(std::string_view json);
};

// Reads a profile. kNotFound without the file; otherwise as FromJson, naming the path.
Result<StoreProfile> LoadStoreProfile(const std::string& path);

}  // namespace tailrace
