// The commands and their options as plain values, from the very objects that parse them: what the manual page and the
// completions of shells are made of.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tailrace::cli {

struct OptionFacts {
  std::vector<std::string> names;    // "--quiet", "-q"; of an argument by place its one name, "URL"
  std::string value;                 // "SIZE"; empty for flags
  std::vector<std::string> choices;  // of the value, where it is one of a few words
  bool takes_file = false;           // the value is the name of a file or folder
  std::string help;
  std::string group;
  bool by_place = false;
};

struct CommandFacts {
  std::vector<std::string> path;  // "uploads", "list"; empty for the program itself
  std::string usage;              // "tailrace uploads list URL [OPTIONS]"
  std::string about;
  std::string details;  // what --help says below the options, without the exit codes
  std::vector<OptionFacts> options;
  std::vector<CommandFacts> commands;

  std::string name() const { return path.empty() ? "" : path.back(); }
};

CommandFacts Describe(const CLI::App& program);

// `command` and all below it, in the order of --help.
std::vector<const CommandFacts*> AllCommands(const CommandFacts& command);

}  // namespace tailrace::cli
