// The options that decide a file's bytes as a message (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/state.h"

namespace tailrace {

// The format's numbering.
inline constexpr OverwritePolicy kOverwriteNumbers[] = {OverwritePolicy::kOverwrite, OverwritePolicy::kFailIfExists,
                                                        OverwritePolicy::kFailIfExistsAtomically};

std::string EncodeOptions(const FileOptions& options);
// Errors name fields behind `prefix`.
Result<FileOptions> DecodeOptions(std::string_view bytes, std::string prefix);

}  // namespace tailrace
