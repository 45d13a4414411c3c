#include <memory>

#include "cli/abort_file.h"
#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/observe_flags.h"
#include "cli/target_flags.h"
#include "cli/usage.h"

namespace tailrace::cli {

namespace {

constexpr char kExamples[] =
    "Drops the upload of a write. All its states and pending commits are void then. If the object of this write is\n"
    "there already, nothing is aborted and the exit code says so.\n\n"
    "Examples:\n"
    "  tailrace abort events.state\n"
    "  tailrace abort copy.pending\n\n";

struct AbortCommand {
  std::string file;
  TargetFlags target;
  ObserveFlags observe;
  OutputFlags output;

  ExitCode Run() {
    Reporter reporter(output);
    const auto options = target.store.Parse();
    if (!options.ok()) return reporter.Usage(options.status());
    auto observer = observe.Open({{"STATE|PENDING", file}}, output.json);
    if (!observer.ok()) return reporter.Usage(observer.status());
    return AbortFile(file, target, *options, &reporter, *std::move(observer));
  }
};

}  // namespace

void AddAbort(CLI::App* app, Action* action) {
  auto command = std::make_shared<AbortCommand>();
  CLI::App* sub = app->add_subcommand("abort", "Drop the upload of a write that shall not be finished");
  SetUsage(sub, "abort STATE|PENDING");
  sub->add_option("STATE|PENDING", command->file, "a state file or the file of --pending")->type_name("")->required();
  command->target.AddTo(sub, /*with_verify=*/false);
  command->observe.AddTo(sub);
  AddOutputFlags(sub, &command->output);
  sub->footer(kExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace tailrace::cli
