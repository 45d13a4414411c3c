// What `inspect` found, for people.
#pragma once

#include <string>

#include "tailrace/inspect.h"
#include "tailrace/state.h"

namespace tailrace::cli {

std::string ToText(const WriterState& state, const std::string& schema, const std::vector<ChosenColumn>& columns);
std::string ToText(const PendingCommit& pending);
std::string ToText(const std::string& url, const ParquetSummary& summary);

}  // namespace tailrace::cli
