#include <sstream>

#include "cli/completion.h"

namespace tailrace::cli {

namespace {

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// One arm of `case "$command $option"`: what follows an option that takes a value.
void Value(std::ostringstream* out, const std::string& path, const OptionFacts& option) {
  if (option.by_place || option.value.empty()) return;
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back("\"" + path + " " + name + "\"");
  *out << "    " << Joined(patterns, " | ") << ") ";
  if (!option.choices.empty()) {
    *out << "_tailrace_words \"" << Joined(option.choices, " ") << "\"";
  } else {
    *out << (option.takes_file ? "_tailrace_files" : ":");
  }
  *out << "; return ;;\n";
}

// One arm of `case "$command"`: what stands where no value is due.
void Words(std::ostringstream* out, const CommandFacts& command) {
  std::vector<std::string> options, commands, choices;
  bool files = false;
  for (const OptionFacts& option : command.options) {
    if (!option.by_place) options.insert(options.end(), option.names.begin(), option.names.end());
    if (option.by_place) choices.insert(choices.end(), option.choices.begin(), option.choices.end());
    files = files || (option.by_place && option.takes_file);
  }
  for (const CommandFacts& below : command.commands) commands.push_back(below.name());
  commands.insert(commands.end(), choices.begin(), choices.end());
  *out << "    \"" << Joined(command.path, " ") << "\")\n"
       << "      if [[ $cur == -* ]]; then _tailrace_words \"" << Joined(options, " ") << "\"\n";
  if (!commands.empty()) *out << "      else _tailrace_words \"" << Joined(commands, " ") << "\"\n";
  if (commands.empty() && files) *out << "      else _tailrace_files\n";
  *out << "      fi ;;\n";
}

}  // namespace

std::string BashCompletion(const CommandFacts& program) {
  std::ostringstream out;
  out << "# bash completion of tailrace; made by `tailrace completion bash`\n"
         "_tailrace_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
         "_tailrace_files() {\n"
         "  compopt -o filenames 2>/dev/null || :\n"
         "  mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
         "}\n"
         "_tailrace() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command= i\n"
         "  COMPREPLY=()\n"
         "  # \"--codec=zs\" comes as three words.\n"
         "  if [[ $cur == = ]]; then cur=; elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case \"$command ${COMP_WORDS[i]}\" in\n";
  for (const CommandFacts* command : AllCommands(program)) {
    if (command->path.empty()) continue;
    std::vector<std::string> above(command->path.begin(), command->path.end() - 1);
    out << "      \"" << Joined(above, " ") << " " << command->name() << "\") command=\"" << Joined(command->path, " ")
        << "\" ;;\n";
  }
  out << "    esac\n  done\n  case \"$command $option\" in\n";
  for (const CommandFacts* command : AllCommands(program)) {
    for (const OptionFacts& option : command->options) Value(&out, Joined(command->path, " "), option);
  }
  out << "  esac\n  case \"$command\" in\n";
  for (const CommandFacts* command : AllCommands(program)) Words(&out, *command);
  out << "  esac\n}\ncomplete -F _tailrace tailrace\n";
  return out.str();
}

}  // namespace tailrace::cli
