#include <memory>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/state_file.h"
#include "cli/target_flags.h"
#include "cli/usage.h"
#include "tailrace/commit.h"

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
  OutputFlags output;

  ExitCode Run() {
    Reporter reporter(output);
    const auto options = target.store.Parse();
    if (!options.ok()) return reporter.Usage(options.status());
    const auto bytes = ReadBlobFile(file);
    if (!bytes.ok()) return reporter.Error(bytes.status());
    const auto kind = KindOfBlob(*bytes);
    if (!kind.ok()) return reporter.Error(WithContext(kind.status(), file));
    // A pipe can be read only once; what is damaged is read again for what stands beside it.
    if (*kind == BlobKind::kPendingCommit) {
      const auto pending = PendingCommit::FromBytes(*bytes);
      return RunOn(pending.ok() ? pending : LoadPending(file), *options, &reporter);
    }
    const auto state = WriterState::FromBytes(*bytes);
    return RunOn(state.ok() ? state : LoadState(file), *options, &reporter);
  }

  template <typename Value>
  ExitCode RunOn(const Result<Value>& value, const StoreOptions& options, Reporter* reporter) {
    if (!value.ok()) return reporter->Error(value.status());
    const auto at = target.Open(value->target, value->object, options);
    if (!at.ok()) return reporter->Error(at.status());
    const auto result = tailrace::Abort(*value, target.ToCommitOptions(*at));
    if (!result.ok()) return reporter->Error(result.status());
    const std::string url = at->store->TargetOf(at->key).ToUrl();
    if (*result == AbortResult::kAlreadyCommitted) {
      reporter->AlreadyCommitted(url);
      return ExitCode::kNothingAborted;
    }
    const Status marked = MarkAborted(file, value->write_id);
    if (!marked.ok()) reporter->Note("the mark of " + file + " could not be written: " + marked.message());
    reporter->Aborted(url);
    return ExitCode::kOk;
  }
};

}  // namespace

void AddAbort(CLI::App* app, Action* action) {
  auto command = std::make_shared<AbortCommand>();
  CLI::App* sub = app->add_subcommand("abort", "Drop the upload of a write that shall not be finished");
  SetUsage(sub, "abort STATE|PENDING");
  sub->add_option("STATE|PENDING", command->file, "a state file or the file of --pending")->type_name("")->required();
  command->target.AddTo(sub, /*with_verify=*/false);
  AddOutputFlags(sub, &command->output);
  sub->footer(kExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace tailrace::cli
