// Fields of the C structs as values of the library: checked, copied, and refused by name.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tailrace/error.h"

namespace tailrace::c {

// NULL leaves the default.
void ReadText(const char* given, std::string* out);
// kInvalid for other numbers than 0 and 1.
Status ReadFlag(const char* name, int64_t given, bool* out);
// name, value, name, value, ..., NULL. NULL leaves the default; kInvalid for a name without a value.
Status ReadPairs(const char* name, const char* const* given, std::vector<std::pair<std::string, std::string>>* out);
// kInvalid for a number that does not fit in an int.
Status ReadInt(const char* name, int64_t given, int* out);

Status UnknownChoice(const char* name, int64_t given);

// kInvalid for a number that is none of `choices`.
template <typename Value>
Status ReadChoice(const char* name, int64_t given, std::initializer_list<std::pair<int32_t, Value>> choices,
                  Value* out) {
  for (const auto& [number, value] : choices) {
    if (number != given) continue;
    *out = value;
    return Status::OK();
  }
  return UnknownChoice(name, given);
}

}  // namespace tailrace::c
