// Pairs of texts, in their order (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;
using KeyValues = std::vector<std::pair<std::string, std::string>>;

std::string EncodeKeyValues(const KeyValues& pairs);
// kBadState beginning with `path`.
Result<KeyValues> DecodeKeyValues(std::string_view bytes, const std::string& path);

}  // namespace tailrace
