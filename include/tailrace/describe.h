// States and pending commits as JSON, for people and scripts. The members: docs/guide/c.md.
#pragma once

#include <string>

#include <arrow/result.h>

#include "tailrace/state.h"

namespace tailrace {

// A JSON object. Text that is not UTF-8 comes with replacement characters. Never holds a credential.
Result<std::string> DescribeAsJson(const WriterState& state);
Result<std::string> DescribeAsJson(const PendingCommit& pending);

}  // namespace tailrace
