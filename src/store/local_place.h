// Where a key of the local store and its uploads lie. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/object.h"

namespace tailrace {

using arrow::Result;

// The folder beside a target that holds its uploads until they are published.
inline constexpr std::string_view kHiddenFolderName = ".tailrace";

struct LocalPlace {
  std::string key;     // absolute path of the target without its leading slash
  std::string target;  // "/data/x.parquet"
  std::string folder;  // "/data", "/" for a target in the root
  std::string hidden;  // "/data/.tailrace"

  // kInvalid for a key that is not a plain path: empty, NUL, empty segments, "." and "..", the hidden folder.
  static Result<LocalPlace> Of(const std::string& key);

  std::string InHidden(const std::string& name) const { return hidden + "/" + name; }
  std::string target_name() const { return key.substr(key.rfind('/') + 1); }
};

// The name of an upload's file in the hidden folder: the write id, and for a multipart upload "-" and 16 random hex
// digits behind it. A single Put has the write id alone, so that its repetition finds what a killed one left.
struct UploadFileName {
  WriteId write_id;
  std::string random;  // 16 hex digits or empty

  std::string ToString() const;
  static UploadFileName ForUpload(const WriteId& write_id);
  static UploadFileName ForPut(const WriteId& write_id);
  // nullopt for anything else, so that no other file is ever touched.
  static std::optional<UploadFileName> Parse(std::string_view text);
};

// UploadId.text = "<file name>@<inode>". The inode tells the file from a copy and, where there are no extended
// attributes, from another file under the target's name.
struct LocalUploadId {
  UploadFileName name;
  uint64_t inode = 0;

  UploadId ToUploadId() const;
  // kBadState where `id` is not of this form.
  static Result<LocalUploadId> Parse(const UploadId& id);
};

// "@<inode>": ObjectMeta::from_upload of an object that has no write id.
std::string InodeSuffix(uint64_t inode);

}  // namespace tailrace
