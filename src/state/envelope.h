// The frame around both values: magic, checksum, version, size (docs/formats/README.md).
#pragma once

#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/state.h"

namespace tailrace {

// Of both formats. Not frozen yet.
inline constexpr uint32_t kFormatVersion = 0;

// "writer state", "pending commit".
std::string_view BlobKindName(BlobKind kind);

std::string WrapBody(BlobKind kind, std::string_view body);
// The body, a view into `bytes`. kBadState for bytes that are damaged or of another kind, kStateTooNew for a newer
// version.
Result<std::string_view> UnwrapBody(BlobKind kind, std::string_view bytes);

}  // namespace tailrace
