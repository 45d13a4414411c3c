// What `inspect` found, as JSON. The text form is printed from the same values.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tailrace/inspect.h"
#include "tailrace/state.h"

namespace tailrace::cli {

nlohmann::ordered_json ToJson(const WriterState& state, const std::string& schema,
                              const std::vector<ChosenColumn>& columns);
nlohmann::ordered_json ToJson(const PendingCommit& pending);
nlohmann::ordered_json ToJson(const std::string& url, const ParquetSummary& summary);

}  // namespace tailrace::cli
