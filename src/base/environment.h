// The environment of the process, handed in so that tests can give their own.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tailrace {

// nullopt where the variable is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// getenv. As that, not safe beside a thread that changes the environment: it is read when something is opened.
Environment ProcessEnvironment();

}  // namespace tailrace
