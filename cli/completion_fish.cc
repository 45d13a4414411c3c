#include <sstream>

#include "cli/completion.h"

namespace tailrace::cli {

namespace {

std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// When the words of `command` have been typed and none below it.
std::string ConditionOf(const CommandFacts& command) {
  std::string condition;
  for (const std::string& word : command.path) {
    condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  }
  if (command.commands.empty()) return condition;
  std::string below;
  for (const CommandFacts& one : command.commands) below += " " + one.name();
  return condition + (condition.empty() ? "" : "; and ") + "not __fish_seen_subcommand_from" + below;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void Option(std::ostringstream* out, const std::string& condition, const OptionFacts& option) {
  *out << "complete -c tailrace -n " << Quoted(condition);
  if (option.by_place) {
    if (option.choices.empty()) {
      *out << " -F\n";
    } else {
      *out << " -f -a " << Quoted(Joined(option.choices)) << "\n";
    }
    return;
  }
  for (const std::string& name : option.names) {
    *out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
  }
  if (!option.choices.empty()) {
    *out << " -x -a " << Quoted(Joined(option.choices));
  } else if (!option.value.empty()) {
    *out << (option.takes_file ? " -r -F" : " -x");
  }
  *out << " -d " << Quoted(option.help) << "\n";
}

}  // namespace

std::string FishCompletion(const CommandFacts& program) {
  std::ostringstream out;
  out << "# fish completion of tailrace; made by `tailrace completion fish`\ncomplete -c tailrace -f\n";
  for (const CommandFacts* command : AllCommands(program)) {
    const std::string condition = ConditionOf(*command);
    for (const CommandFacts& below : command->commands) {
      out << "complete -c tailrace -n " << Quoted(condition) << " -a " << below.name() << " -d " << Quoted(below.about)
          << "\n";
    }
    for (const OptionFacts& option : command->options) Option(&out, condition, option);
  }
  return out.str();
}

}  // namespace tailrace::cli
