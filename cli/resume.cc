#include <memory>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/job_flags.h"
#include "cli/same_file.h"
#include "cli/state_file.h"
#include "cli/target_flags.h"
#include "cli/usage.h"
#include "tailrace/inspect.h"
#include "tailrace/writer.h"

namespace tailrace::cli {

namespace {

constexpr char kExamples[] =
    "Goes on writing the same file after the rows of STATE and commits it. INPUT... is the same source from its "
    "start:\n"
    "the rows that are safe already are passed over. With --from-here it stands at the next row already (a CSV may\n"
    "then begin with or without its header line). New states replace STATE. Give the same --checkpoint-every as "
    "before\n"
    "to get the same bytes as without the interruption. The target is looked at before any input is read: a write "
    "that\n"
    "is committed already ends with 0, one that was finished elsewhere is fenced.\n\n"
    "Examples:\n"
    "  producer | tailrace resume events.state - --checkpoint-every 50000rows\n"
    "  producer --start-at 100000 | tailrace resume events.state - --from-here\n\n";

struct ResumeCommand {
  std::string state_file;
  std::vector<std::string> inputs;
  bool from_here = false;
  bool force = false;
  JobFlags job;
  TargetFlags target;

  ExitCode Run() {
    Reporter reporter(job.output());
    StopSignal stop;
    InputWatch watch(&stop);
    auto options = job.Parse();
    if (!options.ok()) return reporter.Usage(options.status());
    const auto store_options = target.store.Parse();
    if (!store_options.ok()) return reporter.Usage(store_options.status());
    const Status distinct =
        CheckDistinct(InputsNamed(inputs), {{"STATE", state_file}, {"--pending", options->pending_file}});
    if (!distinct.ok()) return reporter.Usage(distinct);
    std::vector<NamedFile> others = InputsNamed(inputs);
    others.insert(others.end(), {{"STATE", state_file}, {"--pending", options->pending_file}});
    auto observer = job.OpenObserver(others);
    if (!observer.ok()) return reporter.Usage(observer.status());
    options->observer = *std::move(observer);
    const auto state = LoadState(state_file);
    if (!state.ok()) return reporter.Error(state.status());
    const auto at = Prepare(*state, *options, *store_options);
    if (!at.ok()) return reporter.Error(at.status());
    options->runtime.observer = CombineObservers({reporter.observer(), options->observer});
    ResumeOptions resume{.runtime = options->runtime,
                         .store = at->store,
                         .verify = !target.no_verify,
                         .checkpoint_mode = options->checkpoint_mode};
    if (!target.retarget.empty()) {
      resume.retarget = true;
      resume.key = at->key;
    }
    auto writer = ParquetStreamWriter::Resume(*state, resume);
    if (!writer.ok()) return Refused(*state, *at, writer.status(), &reporter);
    options->input.schema = (*writer)->schema();
    options->input.schema_of = "the state";
    options->input.header_optional = from_here;
    auto input = OpenInputs(inputs, options->input, &watch);
    if (!input.ok()) {
      const bool kept = options->runtime.on_error != OnError::kAbort;
      if (stop.requested()) return reporter.Interrupted(stop.name(), state->rows(), kept ? state_file : "");
      return reporter.Error(input.status(), kept ? state_file + " stays good" : "the upload was aborted");
    }
    return RunJob({.store = at->store,
                   .url = at->store->TargetOf(at->key).ToUrl(),
                   .state_file = state_file,
                   .saved = SavedState{state->rows(), state->write_id},
                   .options = *std::move(options),
                   .force = force,
                   .verify = !target.no_verify,
                   .skip_rows = from_here ? 0 : state->rows()},
                  *std::move(writer), *std::move(input), stop, &watch, &reporter);
  }

  Result<StoreAndKey> Prepare(const WriterState& state, const JobOptions& options,
                              const StoreOptions& store_options) const {
    if (!options.pending_file.empty() && !force) {
      ARROW_ASSIGN_OR_RAISE(const auto unfinished, UnfinishedWriteIn(options.pending_file));
      if (unfinished) {
        return MakeError(ErrorKind::kPrecondition, options.pending_file + ": holds " + *unfinished +
                                                       ", which would be lost; commit or abort it, or say --force");
      }
    }
    ARROW_ASSIGN_OR_RAISE(StoreAndKey at, target.Open(state.target, state.object, store_options));
    ARROW_RETURN_NOT_OK(CheckDistinct(InputsNamed(inputs), {{"target", LocalPathOf(at)}}));
    return at;
  }

  // The write cannot go on. That it is done already is no error.
  ExitCode Refused(const WriterState& state, const StoreAndKey& at, const Status& error, Reporter* reporter) {
    const ErrorDetail* detail = DetailOf(error);
    if (detail == nullptr || !detail->already_committed) return reporter->Error(error);
    CommitInfo info{.rows = detail->rows.value_or(state.rows()), .already_committed = true};
    if (const auto meta = at.store->Head(at.key); meta.ok()) {
      info.size_bytes = meta->size_bytes;
      info.etag = meta->etag;
    }
    const std::string url = at.store->TargetOf(at.key).ToUrl();
    const Status marked = MarkCommitted(state_file, state.write_id, url, info);
    if (!marked.ok()) reporter->Note("the mark of the state file could not be written: " + marked.message());
    reporter->Committed(url, info);
    return ExitCode::kOk;
  }
};

}  // namespace

void AddResume(CLI::App* app, Action* action) {
  auto command = std::make_shared<ResumeCommand>();
  CLI::App* sub = app->add_subcommand("resume", "Go on writing a file from a state, and commit it");
  SetUsage(sub, "resume STATE INPUT...");
  sub->add_option("STATE", command->state_file, "the state file")->type_name("")->required();
  sub->add_option("INPUT", command->inputs, "the same inputs as those of the write")->type_name("")->required();
  sub->add_flag("--from-here", command->from_here, "the input begins at the first row that is not safe yet")
      ->group("Input");
  command->job.AddTo(sub);
  command->target.AddTo(sub);
  sub->add_flag("--force", command->force, "overwrite a --pending file that holds an unfinished write")
      ->group("Target");
  sub->footer(kExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace tailrace::cli
