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
    "Makes the object of a write that ended with --no-commit appear. Safe to repeat, also next week.\n\n"
    "Examples:\n"
    "  tailrace write big.parquet /data/copy.parquet --no-commit --pending copy.pending\n"
    "  tailrace commit copy.pending\n\n";

struct CommitCommand {
  std::string pending_file;
  bool force = false;
  TargetFlags target;
  ObserveFlags observe;
  OutputFlags output;

  ExitCode Run() {
    Reporter reporter(output);
    const auto store_options = target.store.Parse();
    if (!store_options.ok()) return reporter.Usage(store_options.status());
    const auto pending = LoadPending(pending_file);
    if (!pending.ok()) return reporter.Error(pending.status());
    if (pending->is_inline() && !force && IsMarkedAborted(pending_file, pending->write_id)) {
      return reporter.Error(
          MakeError(ErrorKind::kUploadGone, pending_file + ": this write was aborted (" + pending_file +
                                                ".aborted); --force commits it all the same"),
          "", /*of_commit=*/true);
    }
    const auto at = target.Open(pending->target, pending->object, *store_options);
    if (!at.ok()) return reporter.Error(at.status());
    auto observer = observe.Open({{"PENDING", pending_file}, {"target", LocalPathOf(*at)}}, output.json);
    if (!observer.ok()) return reporter.Usage(observer.status());
    CommitOptions options = target.ToCommitOptions(*at);
    options.force = force;
    options.observer = *std::move(observer);
    const auto info = tailrace::Commit(*pending, options);
    if (!info.ok()) return reporter.Error(info.status(), "", /*of_commit=*/true);
    const std::string url = at->store->TargetOf(at->key).ToUrl();
    const Status marked = MarkCommitted(pending_file, pending->write_id, url, *info);
    if (!marked.ok()) reporter.Note("the mark of the pending commit could not be written: " + marked.message());
    reporter.Committed(url, *info);
    return ExitCode::kOk;
  }
};

}  // namespace

void AddCommit(CLI::App* app, Action* action) {
  auto command = std::make_shared<CommitCommand>();
  CLI::App* sub = app->add_subcommand("commit", "Publish a write that waits for its commit");
  SetUsage(sub, "commit PENDING");
  sub->add_option("PENDING", command->pending_file, "the file of --pending")->type_name("")->required();
  command->target.AddTo(sub);
  sub->add_flag("--force", command->force,
                "replace an object that is newer than the write, or commit an aborted one (small files)")
      ->group("Target");
  command->observe.AddTo(sub);
  AddOutputFlags(sub, &command->output);
  sub->footer(kExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace tailrace::cli
