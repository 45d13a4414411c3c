#include "cli/command_tree.h"

#include <algorithm>

#include "cli/exit_codes.h"

namespace tailrace::cli {

namespace {

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// "on|off" is; "FILE|FOLDER" and "NAME" are names for what stands there.
bool IsWord(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

OptionFacts FactsOf(const CLI::Option& option) {
  OptionFacts facts;
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  facts.by_place = facts.names.empty();
  if (facts.by_place) facts.names.push_back(option.get_name());
  facts.help = option.get_description();
  facts.group = option.get_group();
  if (option.get_items_expected_max() == 0) return facts;
  facts.value = option.get_type_name();
  const std::vector<std::string> words = SplitAt(facts.value, '|');
  if (words.size() > 1 && std::all_of(words.begin(), words.end(), IsWord)) facts.choices = words;
  const auto IsFile = [](const std::string& word) { return word == "FILE" || word == "FOLDER"; };
  facts.takes_file = facts.by_place || std::any_of(words.begin(), words.end(), IsFile);
  if (!facts.choices.empty()) facts.takes_file = false;
  return facts;
}

// "Usage: tailrace ...\n" without what is around it.
std::string UsageOf(const CLI::App& app) {
  const auto formatter = std::dynamic_pointer_cast<CLI::Formatter>(app.get_formatter());
  std::string usage = formatter->make_usage(&app, app.get_name());
  const std::string prefix = "Usage: ";
  if (usage.starts_with(prefix)) usage.erase(0, prefix.size());
  while (usage.ends_with('\n')) usage.pop_back();
  return usage;
}

CommandFacts FactsOf(const CLI::App& app, std::vector<std::string> path) {
  CommandFacts facts;
  facts.path = std::move(path);
  facts.about = app.get_description();
  facts.usage = facts.path.empty() ? app.get_name() + " COMMAND ..." : UsageOf(app);
  facts.details = app.get_footer();
  if (const std::string codes = ExitCodesHelp(); facts.details.ends_with(codes)) {
    facts.details.resize(facts.details.size() - codes.size());
  }
  for (const CLI::Option* option : app.get_options()) facts.options.push_back(FactsOf(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    std::vector<std::string> below = facts.path;
    below.push_back(command->get_name());
    facts.commands.push_back(FactsOf(*command, std::move(below)));
  }
  return facts;
}

}  // namespace

CommandFacts Describe(const CLI::App& program) { return FactsOf(program, {}); }

std::vector<const CommandFacts*> AllCommands(const CommandFacts& command) {
  std::vector<const CommandFacts*> all = {&command};
  for (const CommandFacts& below : command.commands) {
    const auto more = AllCommands(below);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace tailrace::cli
