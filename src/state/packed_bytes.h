// Fields that can be large, the lists that grow with the file among them, compressed where that pays
// (docs/formats/README.md).
#pragma once

#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

std::string PackBytes(std::string_view bytes);
// kBadState beginning with `path`. Sizes are judged before anything is allocated.
Result<std::string> UnpackBytes(std::string_view packed, const std::string& path);

}  // namespace tailrace
