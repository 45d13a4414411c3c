// Moments and durations as people write them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/object.h"

namespace tailrace::cli {

using arrow::Result;

// "2027-01-31", its first moment, or "2027-01-31T12:00:00Z"; UTC. kInvalid naming `option` for anything else.
Result<Timestamp> ParseUtcTime(const std::string& option, const std::string& text);
// "2027-01-31T12:00:00Z".
std::string UtcTimeText(Timestamp time);
// "500ms", "10s", "3min", "1h". kInvalid naming `option`; a bare number is refused.
Result<std::chrono::milliseconds> ParseDuration(std::string_view option, std::string_view text);

}  // namespace tailrace::cli
