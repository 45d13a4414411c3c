// The options of a write as JSON, in the words of the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tailrace/options.h"

namespace tailrace::cli {

nlohmann::ordered_json OptionsJson(const FileOptions& options);
// An object with these members.
nlohmann::ordered_json PairsJson(const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace tailrace::cli
