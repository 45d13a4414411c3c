// NAME=VALUE arguments.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <arrow/result.h>

namespace tailrace::cli {

// Split at the first '='; the value may be empty, the name may not. kInvalid names `option`.
arrow::Result<std::vector<std::pair<std::string, std::string>>> ParseKeyValues(const std::string& option,
                                                                               const std::vector<std::string>& texts);

}  // namespace tailrace::cli
