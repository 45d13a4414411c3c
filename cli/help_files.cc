#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/man_page.h"
#include "cli/reporter.h"
#include "cli/usage.h"
#include "tailrace/version.h"

namespace tailrace::cli {

namespace {

constexpr char kCompletionExamples[] =
    "Prints a script that completes commands, options and their values. The packages install it.\n\n"
    "Examples:\n"
    "  source <(tailrace completion bash)\n"
    "  tailrace completion zsh > ~/.zfunc/_tailrace\n"
    "  tailrace completion fish > ~/.config/fish/completions/tailrace.fish\n\n";

constexpr char kManExamples[] =
    "Prints the manual page, which says what all --help together say. The packages install it.\n\n"
    "Examples:\n"
    "  tailrace man > tailrace.1; man ./tailrace.1\n\n";

ExitCode Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::kOk;
}

ExitCode PrintCompletion(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return Print(BashCompletion(Describe(program)));
  if (shell == "zsh") return Print(ZshCompletion(Describe(program)));
  if (shell == "fish") return Print(FishCompletion(Describe(program)));
  return Reporter({}).Usage(MakeError(ErrorKind::kInvalid, "completion " + shell + ": must be bash, zsh or fish"));
}

}  // namespace

void AddCompletion(CLI::App* app, Action* action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* sub = app->add_subcommand("completion", "Print a completion script for a shell");
  SetUsage(sub, "completion bash|zsh|fish");
  sub->add_option("SHELL", *shell, "whose language it is")->type_name("bash|zsh|fish")->required();
  sub->footer(kCompletionExamples + ExitCodesHelp());
  sub->callback([app, shell, action] { *action = [app, shell] { return PrintCompletion(*app, *shell); }; });
}

void AddMan(CLI::App* app, Action* action) {
  CLI::App* sub = app->add_subcommand("man", "Print the manual page");
  SetUsage(sub, "man");
  sub->footer(kManExamples + ExitCodesHelp());
  sub->callback(
      [app, action] { *action = [app] { return Print(ManPage(Describe(*app), std::string(LibraryVersion()))); }; });
}

}  // namespace tailrace::cli
