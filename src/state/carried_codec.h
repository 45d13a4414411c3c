// The rows of an open row group that a state carries (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/state.h"

namespace tailrace {

std::string EncodeCarried(const CarriedRows& carried);
// kBadState beginning with `path`. What the chunks hold is not looked at.
Result<CarriedRows> DecodeCarried(std::string_view bytes, const std::string& path);

}  // namespace tailrace
