#include <memory>

#include "cli/commands.h"
#include "cli/file_flags.h"
#include "cli/job.h"
#include "cli/job_flags.h"
#include "cli/same_file.h"
#include "cli/state_file.h"
#include "cli/store_flags.h"
#include "cli/usage.h"
#include "tailrace/writer.h"

namespace tailrace::cli {

namespace {

constexpr char kExamples[] =
    "INPUT is an Arrow IPC stream or file, a Parquet file, a CSV with a header line or JSON lines; - is standard "
    "input\n"
    "(a stream, CSV or JSON lines). Several INPUTs of the same columns are read one after the other. An input that "
    "was\n"
    "cut short is an error: nothing is published, and the last state resumes.\n\n"
    "Examples:\n"
    "  tailrace write events.arrows /data/events.parquet\n"
    "  tailrace write jan.csv feb.csv /data/year.parquet --codec zstd --level 3\n"
    "  tailrace write events.jsonl /data/events.parquet --schema-of typed.arrow --bloom-filter user=100000\n"
    "  producer | tailrace write - /data/events.parquet --checkpoint-every 50000rows --state events.state\n"
    "  tailrace write big.parquet /data/copy.parquet --no-commit --pending copy.pending\n"
    "  tailrace write big.parquet s3://bucket/big.parquet --storage-class STANDARD_IA --tag team=a\n\n";

struct WriteCommand {
  std::vector<std::string> inputs_and_url;
  FileFlags file;
  JobFlags job;
  StoreFlags store;
  std::string state;
  std::string schema_of;
  bool create_folders = false;
  bool force = false;
  bool no_verify = false;

  ExitCode Run() {
    Reporter reporter(job.output());
    StopSignal stop;
    InputWatch watch(&stop);
    auto file_options = file.Parse();
    if (!file_options.ok()) return reporter.Usage(file_options.status());
    auto options = job.Parse();
    if (!options.ok()) return reporter.Usage(options.status());
    file_options->checkpoint_mode = options->checkpoint_mode.value_or(CheckpointMode::kFlush);
    if (inputs_and_url.size() < 2) {
      return reporter.Usage(
          MakeError(ErrorKind::kInvalid, "write needs an INPUT and a URL, only one of them is given"));
    }
    if (options->every && state.empty()) {
      return reporter.Usage(
          MakeError(ErrorKind::kInvalid, "--checkpoint-every needs --state FILE to keep the state in"));
    }
    auto store_options = store.Parse();
    if (!store_options.ok()) return reporter.Usage(store_options.status());
    store_options->create_folders = create_folders;
    if (schema_of == "-") {
      return reporter.Usage(MakeError(ErrorKind::kInvalid, "--schema-of -: must be a file, which is read once more"));
    }
    const std::vector<std::string> inputs(inputs_and_url.begin(), inputs_and_url.end() - 1);
    const auto at = store.Open(inputs_and_url.back(), *store_options);
    if (!at.ok()) return reporter.Error(at.status());
    const Status distinct = CheckDistinct(
        InputsNamed(inputs), {{"target", LocalPathOf(*at)}, {"--state", state}, {"--pending", options->pending_file}});
    if (!distinct.ok()) return reporter.Usage(distinct);
    std::vector<NamedFile> others = InputsNamed(inputs);
    others.insert(others.end(),
                  {{"target", LocalPathOf(*at)}, {"--state", state}, {"--pending", options->pending_file}});
    auto observer = job.OpenObserver(others);
    if (!observer.ok()) return reporter.Usage(observer.status());
    options->observer = *std::move(observer);
    const Status ready = Prepare(*at, *file_options, *options);
    if (!ready.ok()) return reporter.Error(ready);
    auto input = Open(inputs, &options->input, &watch);
    if (!input.ok()) {
      if (stop.requested()) return reporter.Interrupted(stop.name(), 0, "");
      return reporter.Error(input.status(), "nothing was written");
    }
    options->runtime.observer = CombineObservers({reporter.observer(), options->observer});
    auto writer = ParquetStreamWriter::Open(at->store, at->key, (*input)->schema(), *file_options, options->runtime);
    if (!writer.ok()) return reporter.Error(writer.status(), "nothing was written");
    return RunJob({.store = at->store,
                   .url = at->store->TargetOf(at->key).ToUrl(),
                   .state_file = state,
                   .saved = std::nullopt,
                   .options = *std::move(options),
                   .force = force,
                   .verify = !no_verify},
                  *std::move(writer), *std::move(input), stop, &watch, &reporter);
  }

  Result<std::unique_ptr<BatchInput>> Open(const std::vector<std::string>& inputs, InputSettings* settings,
                                           InputWatch* watch) const {
    if (!schema_of.empty()) {
      const auto told = OpenInputs({schema_of}, {}, watch);
      if (!told.ok()) return WithContext(told.status(), "--schema-of");
      settings->schema = (*told)->schema();
      settings->schema_of = schema_of;
    }
    return OpenInputs(inputs, *settings, watch);
  }

  // What can be refused before any input is read.
  Status Prepare(const StoreAndKey& at, const FileOptions& file_options, const JobOptions& options) const {
    for (const std::string& path : {state, options.pending_file}) {
      if (path.empty() || force) continue;
      ARROW_ASSIGN_OR_RAISE(const auto unfinished, UnfinishedWriteIn(path));
      if (unfinished) {
        return MakeError(ErrorKind::kPrecondition, path + ": holds " + *unfinished +
                                                       ", which would be lost; resume, finish, commit or abort it, "
                                                       "or say --force");
      }
    }
    ARROW_RETURN_NOT_OK(at.store->CheckNewObject(at.key));
    if (file_options.overwrite != OverwritePolicy::kOverwrite) {
      const auto there = at.store->Head(at.key);
      if (there.ok()) {
        return MakeError(ErrorKind::kPrecondition,
                         at.store->TargetOf(at.key).ToUrl() + ": an object is there already (--if-exists fail)");
      }
      if (KindOf(there.status()) != ErrorKind::kNotFound) return there.status();
    }
    return Status::OK();
  }
};

}  // namespace

void AddWrite(CLI::App* app, Action* action) {
  auto command = std::make_shared<WriteCommand>();
  CLI::App* sub = app->add_subcommand("write", "Write inputs into one Parquet object, which appears when it is whole");
  SetUsage(sub, "write INPUT... URL");
  sub->add_option("INPUT...", command->inputs_and_url, "the inputs, then the URL or path of the object")
      ->type_name("URL")
      ->required();
  sub->add_option("--state", command->state, "keep the newest state here; the one before it is FILE.prev")
      ->type_name("FILE")
      ->group("Checkpoints and commit");
  sub->add_option("--schema-of", command->schema_of,
                  "give the columns the names and types of this file, which can be any input; CSV and JSON lines are "
                  "read with them instead of inferring types")
      ->type_name("FILE")
      ->group("Input");
  command->job.AddTo(sub);
  command->file.AddTo(sub);
  sub->add_flag("--create-folders", command->create_folders, "make missing parent folders")->group("Target");
  sub->add_flag("--force", command->force, "overwrite a file that holds an unfinished write")->group("Target");
  sub->add_flag("--no-verify", command->no_verify, "do not read stored parts back before the commit")->group("Target");
  command->store.AddWithObjectTo(sub);
  sub->footer(kExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace tailrace::cli
