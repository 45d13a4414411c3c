#include <memory>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/observe_flags.h"
#include "cli/state_file.h"
#include "cli/target_flags.h"
#include "cli/usage.h"
#include "tailrace/commit.h"

namespace tailrace::cli {

namespace {

constexpr char kExamples[] =
    "Makes the object appear with exactly the rows of STATE, without its source: uploads the rest, the indexes and "
    "the\n"
    "footer, and completes. Safe to repeat, also from several processes at once.\n\n"
    "Examples:\n"
    "  tailrace finish events.state\n"
    "  tailrace finish events.state.prev      # a file with the rows of the checkpoint before\n\n";

struct FinishCommand {
  std::string state_file;
  TargetFlags target;
  ObserveFlags observe;
  OutputFlags output;

  ExitCode Run() {
    Reporter reporter(output);
    const auto options = target.store.Parse();
    if (!options.ok()) return reporter.Usage(options.status());
    const auto state = LoadState(state_file);
    if (!state.ok()) return reporter.Error(state.status());
    const auto at = target.Open(state->target, state->object, *options);
    if (!at.ok()) return reporter.Error(at.status());
    auto observer = observe.Open({{"STATE", state_file}, {"target", LocalPathOf(*at)}}, output.json);
    if (!observer.ok()) return reporter.Usage(observer.status());
    CommitOptions finish = target.ToCommitOptions(*at);
    finish.observer = *std::move(observer);
    const auto info = Finish(*state, finish);
    if (!info.ok()) return reporter.Error(info.status(), "", /*of_commit=*/true);
    const std::string url = at->store->TargetOf(at->key).ToUrl();
    const Status marked = MarkCommitted(state_file, state->write_id, url, *info);
    if (!marked.ok()) reporter.Note("the mark of the state file could not be written: " + marked.message());
    reporter.Committed(url, *info);
    return ExitCode::kOk;
  }
};

}  // namespace

void AddFinish(CLI::App* app, Action* action) {
  auto command = std::make_shared<FinishCommand>();
  CLI::App* sub = app->add_subcommand("finish", "Publish exactly the rows of a state, without its source");
  SetUsage(sub, "finish STATE");
  sub->add_option("STATE", command->state_file, "the state file")->type_name("")->required();
  command->target.AddTo(sub);
  command->observe.AddTo(sub);
  AddOutputFlags(sub, &command->output);
  sub->footer(kExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace tailrace::cli
