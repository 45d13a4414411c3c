// Do two inputs have the same columns?
#pragma once

#include <string>
#include <vector>

#include "tailrace/error.h"

namespace tailrace::cli {

// By name and order. kInvalid naming both inputs and the first column that differs. Whether types fit is for the writer
// to say, which takes more than equal ones.
Status CheckSameColumns(const std::string& input, const std::vector<std::string>& names, const std::string& expected_of,
                        const std::vector<std::string>& expected);

}  // namespace tailrace::cli
