// Lists that grow with the file, compressed where that pays (docs/formats/README.md).
#pragma once

#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

std::string PackList(std::string_view list);
// kBadState beginning with `path`. Sizes are judged before anything is allocated.
Result<std::string> UnpackList(std::string_view packed, const std::string& path);

}  // namespace tailrace
