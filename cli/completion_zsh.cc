#include <sstream>
#include <utility>

#include "cli/completion.h"

namespace tailrace::cli {

namespace {

// Within single quotes, and within the brackets and colons of _arguments.
std::string Quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string FunctionOf(const CommandFacts& command) {
  std::string name = "_tailrace";
  for (const std::string& word : command.path) name += "_" + word;
  return name;
}

std::string ActionOf(const OptionFacts& option) {
  if (!option.choices.empty()) {
    std::string words;
    for (const std::string& word : option.choices) words += (words.empty() ? "" : " ") + word;
    return "(" + words + ")";
  }
  return option.takes_file ? "_files" : " ";
}

void Option(std::ostringstream* out, const OptionFacts& option) {
  if (option.by_place) {
    *out << " \\\n    '*:" << Quoted(option.names[0]) << ":" << ActionOf(option) << "'";
    return;
  }
  for (const std::string& name : option.names) {
    *out << " \\\n    '*" << name
         << (option.value.empty()     ? ""
             : name.starts_with("--") ? "="
                                      : "+")
         << "[" << Quoted(option.help) << "]";
    if (!option.value.empty()) *out << ":" << Quoted(option.value) << ":" << ActionOf(option);
    *out << "'";
  }
}

void Function(std::ostringstream* out, const CommandFacts& command) {
  *out << FunctionOf(command) << "() {\n";
  if (!command.commands.empty()) *out << "  local curcontext=$curcontext state line\n";
  *out << "  _arguments" << (command.commands.empty() ? "" : " -C");
  bool placed = false;
  for (const OptionFacts& option : command.options) {
    // One rest argument stands for all.
    if (option.by_place && std::exchange(placed, true)) continue;
    Option(out, option);
  }
  if (command.commands.empty()) {
    *out << "\n}\n";
    return;
  }
  *out << " \\\n    '1:command:->command' '*::argument:->argument'\n  case $state in\n    command)\n"
       << "      local -a commands=(\n";
  for (const CommandFacts& below : command.commands) {
    *out << "        '" << below.name() << ":" << Quoted(below.about) << "'\n";
  }
  *out << "      )\n      _describe command commands ;;\n    argument)\n      case $line[1] in\n";
  for (const CommandFacts& below : command.commands) {
    *out << "        " << below.name() << ") " << FunctionOf(below) << " ;;\n";
  }
  *out << "      esac ;;\n  esac\n}\n";
}

}  // namespace

std::string ZshCompletion(const CommandFacts& program) {
  std::ostringstream out;
  out << "#compdef tailrace\n# made by `tailrace completion zsh`\n";
  for (const CommandFacts* command : AllCommands(program)) Function(&out, *command);
  out << "if [[ $funcstack[1] == _tailrace ]]; then\n  _tailrace \"$@\"\nelse\n  compdef _tailrace tailrace\nfi\n";
  return out.str();
}

}  // namespace tailrace::cli
