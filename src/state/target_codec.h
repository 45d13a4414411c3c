// The target of a write as a message (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/state.h"

namespace tailrace {

std::string EncodeTarget(const Target& target);
// Errors name fields behind `prefix`.
Result<Target> DecodeTarget(std::string_view bytes, std::string prefix);

}  // namespace tailrace
