#include "auth/process_credentials.h"

#include <nlohmann/json.hpp>

#include "auth/credential_json.h"

namespace tailrace {
namespace {

// One word at the front of `rest`, which begins with no blank. False for an open quote.
bool TakeWord(std::string_view* rest, std::string* word) {
  char quote = 0;
  while (!rest->empty()) {
    const char c = rest->front();
    if (quote == 0 && (c == ' ' || c == '\t')) break;
    rest->remove_prefix(1);
    // Within double quotes only these can be escaped; any character outside of quotes.
    const bool escapes =
        c == '\\' && quote != '\'' && !rest->empty() && (quote == 0 || rest->front() == '"' || rest->front() == '\\');
    if (escapes) {
      *word += rest->front();
      rest->remove_prefix(1);
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      *word += c;
    }
  }
  return quote == 0;
}

}  // namespace

Result<std::vector<std::string>> SplitCommand(std::string_view command_line) {
  std::vector<std::string> words;
  while (true) {
    const size_t start = command_line.find_first_not_of(" \t");
    if (start == command_line.npos) break;
    command_line.remove_prefix(start);
    if (!TakeWord(&command_line, &words.emplace_back())) {
      return MakeError(ErrorKind::kInvalid, "credential_process: a quote is not closed");
    }
  }
  if (words.empty()) return MakeError(ErrorKind::kInvalid, "credential_process: there is no command");
  return words;
}

Result<Credentials> ProcessCredentials(const CredentialContext& context, const std::string& command_line) {
  ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> command, SplitCommand(command_line));
  const std::string origin = "credential_process '" + command[0] + "'";
  const Result<std::string> output = context.sources.run_process(command, context.cancel);
  if (!output.ok()) return WithContext(output.status(), origin);
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json object, ParseObject(*output, origin));
  const auto version = object.find("Version");
  if (version == object.end() || *version != 1) {
    return MakeError(ErrorKind::kDenied, origin + ": the answer's Version is not 1");
  }
  return CredentialsOf(object, "SessionToken", origin);
}

}  // namespace tailrace
