// What an object is given beside its bytes, as a message (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/object_options.h"

namespace tailrace {

using arrow::Result;

// Empty where nothing is given.
std::string EncodeObjectOptions(const ObjectOptions& options);
// Errors name fields behind `prefix`.
Result<ObjectOptions> DecodeObjectOptions(std::string_view bytes, std::string prefix);

}  // namespace tailrace
