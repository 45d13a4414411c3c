#include "cli/input_columns.h"

#include <algorithm>

namespace tailrace::cli {

Status CheckSameColumns(const std::string& input, const std::vector<std::string>& names, const std::string& expected_of,
                        const std::vector<std::string>& expected) {
  const auto [name, other] = std::mismatch(names.begin(), names.end(), expected.begin(), expected.end());
  if (name == names.end() && other == expected.end()) return Status::OK();
  const std::string column = "column " + std::to_string(name - names.begin() + 1);
  const auto Quoted = [](const std::string& text) { return "\"" + text + "\""; };
  std::string what;
  if (name == names.end()) {
    what = "it has no " + column + ", " + expected_of + " has " + Quoted(*other) + " there";
  } else if (other == expected.end()) {
    what = "its " + column + " is " + Quoted(*name) + ", " + expected_of + " has no more than " +
           std::to_string(expected.size());
  } else {
    what = "its " + column + " is " + Quoted(*name) + ", that of " + expected_of + " is " + Quoted(*other);
  }
  return MakeError(ErrorKind::kInvalid, input + ": its columns are others than those of " + expected_of + ": " + what);
}

}  // namespace tailrace::cli
