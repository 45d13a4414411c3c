#include "cli/key_value_text.h"

#include "tailrace/error.h"

namespace tailrace::cli {

arrow::Result<std::vector<std::pair<std::string, std::string>>> ParseKeyValues(const std::string& option,
                                                                               const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return MakeError(ErrorKind::kInvalid, option + " " + text + ": must be NAME=VALUE");
    }
    pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return pairs;
}

}  // namespace tailrace::cli
