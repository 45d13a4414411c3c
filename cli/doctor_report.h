// What `doctor` found, for people and for programs.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tailrace/doctor.h"

namespace tailrace::cli {

std::string ToText(const StoreReport& report);
nlohmann::ordered_json ToJson(const StoreReport& report);

}  // namespace tailrace::cli
