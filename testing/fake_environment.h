// An environment that holds what the test says and nothing else.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/environment.h"

namespace tailrace {

inline Environment FakeEnvironment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto it = values.find(name);
    if (it == values.end()) return std::nullopt;
    return it->second;
  };
}

}  // namespace tailrace
