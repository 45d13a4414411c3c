#include "cli/man_page.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/exit_codes.h"

namespace tailrace::cli {

namespace {

// Text as roff shows it: no line is a request, dashes can be copied.
std::string Roff(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    at_start = c == '\n';
  }
  return out;
}

// Paragraphs of running text, and lines as they are where they are indented. A heading begins a paragraph by itself.
void Text(std::ostringstream* out, const std::string& text, bool after_heading = false) {
  std::istringstream lines(text);
  bool as_is = false, between = !after_heading;
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("  ");
    if (indented != as_is) *out << (indented ? ".nf\n" : ".fi\n");
    as_is = indented;
    if (line.empty()) {
      between = true;
      continue;
    }
    if (std::exchange(between, false)) *out << ".PP\n";
    *out << Roff(indented ? line.substr(2) : line) << "\n";
  }
  if (as_is) *out << ".fi\n";
}

std::string Heading(const OptionFacts& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "\\fB" : ", \\fB") + Roff(name) + "\\fR";
  if (!option.value.empty()) text += " \\fI" + Roff(option.value) + "\\fR";
  return text;
}

void Options(std::ostringstream* out, const CommandFacts& command) {
  std::vector<std::string> groups;
  for (const OptionFacts& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    if (groups.size() > 1) *out << ".PP\n" << Roff(group) << ":\n";
    for (const OptionFacts& option : command.options) {
      if (option.group != group) continue;
      *out << ".TP\n" << Heading(option) << "\n" << Roff(option.help) << "\n";
    }
  }
}

void Command(std::ostringstream* out, const CommandFacts& command) {
  std::string name;
  for (const std::string& word : command.path) name += (name.empty() ? "" : " ") + word;
  *out << ".SS " << Roff(name) << "\n" << Roff(command.about) << ".\n";
  if (!command.commands.empty()) return;
  *out << ".PP\n\\fB" << Roff(command.usage) << "\\fR\n";
  Text(out, command.details);
  Options(out, command);
}

}  // namespace

std::string ManPage(const CommandFacts& program, const std::string& version) {
  std::ostringstream out;
  out << ".TH TAILRACE 1 \"\" \"tailrace " << Roff(version) << "\" \"User Commands\"\n"
      << ".SH NAME\ntailrace \\- write Arrow data into Parquet objects as a transaction\n"
      << ".SH SYNOPSIS\n\\fBtailrace\\fR \\fICOMMAND\\fR ...\n"
      << ".SH DESCRIPTION\n";
  Text(&out, program.about, /*after_heading=*/true);
  Text(&out, program.details);
  Options(&out, program);
  out << ".SH COMMANDS\n";
  for (const CommandFacts* command : AllCommands(program)) {
    if (!command->path.empty()) Command(&out, *command);
  }
  out << ".SH EXIT STATUS\n";
  for (const ExitCodeRow& row : kExitCodes) {
    out << ".TP\n\\fB" << static_cast<int>(row.code) << "\\fR\n"
        << Roff(std::string(row.name) + ": " + std::string(row.meaning)) << "\n";
  }
  out << ".SH ENVIRONMENT\n"
      << "Credentials, region, endpoint, proxy and trusted certificates come from the variables and files that the "
         "AWS\n"
      << "tools use, where no option names them; each option says which.\n";
  return out.str();
}

}  // namespace tailrace::cli
