#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/child_process.h"
#include "cli/commands.h"
#include "cli/demo_rows.h"
#include "cli/input.h"
#include "cli/reporter.h"
#include "cli/size_text.h"
#include "cli/state_file.h"
#include "cli/store_flags.h"
#include "cli/usage.h"
#include "tailrace/inspect.h"
#include "tailrace/store.h"

namespace tailrace::cli {

namespace {

namespace fs = std::filesystem;

constexpr char kExamples[] =
    "Shows on real processes what tailrace is for: a writer is killed in the middle, another one goes on.\n\n"
    "Examples:\n"
    "  tailrace demo\n"
    "  tailrace demo --csv flights.csv --dir demo\n"
    "  tailrace demo --url s3://bucket/sales.parquet\n\n";
constexpr int64_t kMadeUpRows = 300000;

// How a shell in this folder starts this program.
std::string ProgramName() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return "tailrace";
  std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (fs::equivalent(fs::path(folder) / "tailrace", program, error)) return "tailrace";
  }
  const std::string near = fs::proximate(program, error).string();
  return error || near.starts_with("..") ? program.string() : near;
}

Status Broken(const std::string& what) {
  return MakeError(ErrorKind::kInternal, "the demo did not go as it should: " + what);
}

// What the command line says.
struct DemoFlags {
  std::string csv_file;
  std::string folder;
  std::string url;
  std::string every = "50000rows";
  StoreFlags store;
};

class Demo {
 public:
  explicit Demo(const DemoFlags& flags)
      : flags_(flags), csv_file_(flags.csv_file), folder_(flags.folder), every_(flags.every) {}

  Status Run() {
    ARROW_RETURN_NOT_OK(Prepare());
    ARROW_RETURN_NOT_OK(WriteAndKill());
    ARROW_RETURN_NOT_OK(LookAtWhatIsLeft());
    ARROW_RETURN_NOT_OK(Resume());
    ARROW_RETURN_NOT_OK(LookAtTheObject());
    Say("Try next:");
    Command(Line({"inspect", target_, "--json"}));
    Command(Line({"resume", state_file_, csv_file_}) + "    # committed already: it says so");
    Command(Line({"finish", state_file_}) + "    # fenced: the write went on to its end without this state");
    Command(program_ + " write " + csv_file_ + " " + (fs::path(folder_) / "again.parquet").string());
    Command(program_ + " --help");
    return Status::OK();
  }

 private:
  // `arguments` and the options of the store.
  std::vector<std::string> WithStore(std::vector<std::string> arguments) const {
    const std::vector<std::string> more = flags_.store.Arguments();
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::string Line(const std::vector<std::string>& arguments) const {
    std::string line = program_;
    for (const std::string& argument : WithStore(arguments)) line += " " + argument;
    return line;
  }

  // Is there an object under the target?
  Result<bool> IsThere() {
    const auto there = at_.store->Head(at_.key);
    if (there.ok()) return true;
    if (KindOf(there.status()) == ErrorKind::kNotFound) return false;
    return there.status();
  }

  void Say(const std::string& text) { std::cout << "\n" << text << std::endl; }
  void Command(const std::string& text) { std::cout << "    $ " << text << std::endl; }
  void Fact(const std::string& text) { std::cout << "    " << text << std::endl; }

  Status Prepare() {
    ARROW_ASSIGN_OR_RAISE(const CheckpointEvery every, ParseCheckpointEvery("--checkpoint-every", every_));
    if (every.rows == 0)
      return MakeError(ErrorKind::kInvalid, "--checkpoint-every " + every_ + ": the demo needs rows");
    every_rows_ = every.rows;
    ARROW_RETURN_NOT_OK(MakeFolder());
    std::string name = "sales";
    if (csv_file_.empty()) {
      csv_file_ = (fs::path(folder_) / "sales.csv").string();
      csv_ = MakeDemoCsv(kMadeUpRows);
      ARROW_RETURN_NOT_OK(SaveSmallFile(csv_file_, csv_, Previous::kDrop));
    } else {
      ARROW_ASSIGN_OR_RAISE(csv_, ReadSmallFile(csv_file_));
      name = fs::path(csv_file_).stem().string();
    }
    total_rows_ = CountCsvRows(csv_);
    target_ = flags_.url.empty() ? (fs::path(folder_) / (name + ".parquet")).string() : flags_.url;
    state_file_ = (fs::path(folder_) / (name + ".state")).string();
    if (total_rows_ < 3 * every_rows_) {
      return MakeError(ErrorKind::kInvalid, csv_file_ + " has " + RowsText(total_rows_) +
                                                "; the demo needs three checkpoints: a smaller --checkpoint-every");
    }
    // The first writer sees no more than this, and waits for a whole block before it settles the types.
    fed_bytes_ = PlaceAfterRows(csv_, 2 * every_rows_ + every_rows_ / 2);
    if (fed_bytes_ < 2 * InputSettings().csv_block_bytes) block_size_ = std::to_string(fed_bytes_ / 4 + 1);
    return PrepareStore();
  }

  Status PrepareStore() {
    ARROW_ASSIGN_OR_RAISE(const StoreOptions options, flags_.store.Parse());
    ARROW_ASSIGN_OR_RAISE(at_, flags_.store.Open(target_, options));
    part_bytes_ = std::max(int64_t{1} << 20, at_.store->limits().min_part_bytes);
    ARROW_ASSIGN_OR_RAISE(const bool there, IsThere());
    if (!there && !fs::exists(state_file_)) return Status::OK();
    return MakeError(ErrorKind::kPrecondition, there ? target_ + " is there already: another --url or --dir"
                                                     : state_file_ + " is there already: another --dir");
  }

  Status MakeFolder() {
    std::error_code error;
    if (folder_.empty()) {
      std::string pattern = (fs::temp_directory_path(error) / "tailrace-demo-XXXXXX").string();
      if (error || mkdtemp(pattern.data()) == nullptr) return Broken("no temporary folder; name one with --dir");
      folder_ = pattern;
      return Status::OK();
    }
    fs::create_directories(folder_, error);
    return error ? MakeError(ErrorKind::kDenied, folder_ + ": cannot make this folder: " + error.message())
                 : Status::OK();
  }

  // The next event of `child`; a broken demo at its end.
  Result<nlohmann::json> NextEvent(ChildProcess* child) {
    ARROW_ASSIGN_OR_RAISE(const auto line, child->ReadLine());
    if (!line) return Broken("the writer ended too early");
    nlohmann::json event = nlohmann::json::parse(*line, nullptr, /*allow_exceptions=*/false);
    if (!event.is_object()) return Broken("the writer said what is no JSON: " + *line);
    if (event["event"] == "error") return Broken("the writer failed: " + event.value("message", ""));
    return event;
  }

  void TellCheckpoint(const nlohmann::json& event) {
    Fact("checkpoint: " + RowsText(event["rows"]) + " are safe (" + CountText(event["parts"]) +
         (event["parts"] == 1 ? " part uploaded, " : " parts uploaded, ") + SizeText(event["unsent_bytes"]) +
         " in the state)");
  }

  // Shows the command and runs it, with JSON lines as output, which the demo reads.
  Result<std::unique_ptr<ChildProcess>> StartProducing(std::vector<std::string> arguments) {
    Command("producer | " + Line(arguments));
    arguments = WithStore(std::move(arguments));
    arguments.push_back("--json");
    return ChildProcess::Start(arguments, /*piped=*/true);
  }

  Status WriteAndKill() {
    Say("1. A producer streams the rows of " + csv_file_ + " (" + RowsText(total_rows_) +
        ") into a writer, which keeps\n"
        "   nothing on local disk but a small state at each checkpoint, every " +
        CountText(every_rows_) + " rows:");
    std::vector<std::string> arguments = {"write",
                                          "-",
                                          target_,
                                          "--input-format",
                                          "csv",
                                          "--part-size",
                                          std::to_string(part_bytes_ >> 20) + "MiB",
                                          "--checkpoint-every",
                                          every_,
                                          "--state",
                                          state_file_};
    if (!block_size_.empty()) arguments.insert(arguments.end(), {"--csv-block-size", block_size_});
    ARROW_ASSIGN_OR_RAISE(const auto child, StartProducing(arguments));
    // The producer is still at it when the writer dies: its pipe stays open after two and a half intervals.
    child->Feed(std::string_view(csv_).substr(0, static_cast<size_t>(fed_bytes_)), /*keep_open=*/true);
    for (int checkpoints = 0; checkpoints < 2;) {
      ARROW_ASSIGN_OR_RAISE(const nlohmann::json event, NextEvent(child.get()));
      if (event["event"] != "checkpoint") continue;
      TellCheckpoint(event);
      ++checkpoints;
    }
    Say("2. In the middle of the file the writer dies, without any warning:");
    Command("kill -9 " + std::to_string(child->pid()));
    child->Kill();
    ARROW_ASSIGN_OR_RAISE(const int code, child->Wait());
    if (code != 128 + SIGKILL) return Broken("the writer ended by itself, with " + std::to_string(code));
    Fact("the writer is dead");
    return Status::OK();
  }

  Status LookAtWhatIsLeft() {
    Say("3. Nothing half-written is visible. What is left is an invisible upload and the state that leads to it:");
    ARROW_ASSIGN_OR_RAISE(const bool there, IsThere());
    if (there) return Broken(target_ + " is visible");
    Fact(target_ + ": does not exist");
    ARROW_ASSIGN_OR_RAISE(const WriterState state, LoadState(state_file_));
    if (state.rows() != 2 * every_rows_) return Broken("the state has " + RowsText(state.rows()));
    durable_rows_ = state.rows();
    Command(program_ + " inspect " + state_file_);
    return RunToEnd({"inspect", state_file_});
  }

  Status Resume() {
    Say("4. Another process goes on with the same file. The producer starts over; the rows that are safe are passed "
        "over:");
    ARROW_ASSIGN_OR_RAISE(const auto child, StartProducing({"resume", state_file_, "-", "--input-format", "csv",
                                                            "--checkpoint-every", every_}));
    child->Feed(csv_, /*keep_open=*/false);
    for (bool committed = false; !committed;) {
      ARROW_ASSIGN_OR_RAISE(const nlohmann::json event, NextEvent(child.get()));
      const std::string name = event["event"];
      if (name == "opened") {
        if (event["rows"] != durable_rows_) return Broken("it goes on at row " + event["rows"].dump());
        Fact("goes on after " + RowsText(durable_rows_));
      }
      if (name == "checkpoint") TellCheckpoint(event);
      committed = name == "committed";
      if (!committed) continue;
      if (event["rows"] != total_rows_) return Broken("it committed " + event["rows"].dump() + " rows");
      Fact("committed: " + RowsText(total_rows_) + ", " + SizeText(event["size_bytes"]));
    }
    ARROW_ASSIGN_OR_RAISE(const int code, child->Wait());
    return code == 0 ? Status::OK() : Broken("resume ended with " + std::to_string(code));
  }

  Status LookAtTheObject() {
    Say("5. The object is there, whole:");
    Command(Line({"inspect", target_}));
    ARROW_RETURN_NOT_OK(RunToEnd(WithStore({"inspect", target_})));
    ARROW_ASSIGN_OR_RAISE(const ParquetSummary summary, InspectObject(at_.store.get(), at_.key));
    if (summary.rows != total_rows_) return Broken("the object has " + RowsText(summary.rows));
    for (const RowGroupSummary& group : summary.row_groups) {
      for (const ColumnChunkSummary& column : group.columns) {
        if (column.offset_index_bytes == 0) return Broken("a page index of column " + column.path + " is missing");
      }
    }
    Fact("all " + RowsText(total_rows_) + " are there, with page indexes in each of " +
         CountText(static_cast<int64_t>(summary.row_groups.size())) + " row groups");
    return Status::OK();
  }

  Status RunToEnd(const std::vector<std::string>& arguments) {
    std::cout.flush();
    ARROW_ASSIGN_OR_RAISE(const auto child, ChildProcess::Start(arguments, /*piped=*/false));
    ARROW_ASSIGN_OR_RAISE(const int code, child->Wait());
    return code == 0 ? Status::OK() : Broken(arguments[0] + " ended with " + std::to_string(code));
  }

  const DemoFlags& flags_;
  const std::string program_ = ProgramName();
  std::string csv_file_;
  std::string folder_;
  const std::string every_;
  std::string csv_;
  std::string target_;
  StoreAndKey at_;
  int64_t part_bytes_ = 0;
  std::string state_file_;
  std::string block_size_;  // empty: the default will do
  int64_t fed_bytes_ = 0;   // of the CSV, to the writer that is killed
  int64_t every_rows_ = 0;
  int64_t total_rows_ = 0;
  int64_t durable_rows_ = 0;
};

ExitCode RunDemo(const DemoFlags& flags) {
  std::signal(SIGPIPE, SIG_IGN);
  Reporter reporter({});
  if (const Status wrong = flags.store.Parse().status(); !wrong.ok()) return reporter.Usage(wrong);
  const Status status = Demo(flags).Run();
  return status.ok() ? ExitCode::kOk : reporter.Error(status);
}

}  // namespace

void AddDemo(CLI::App* app, Action* action) {
  auto command = std::make_shared<DemoFlags>();
  CLI::App* sub = app->add_subcommand("demo", "See a writer killed and its file finished by another process");
  SetUsage(sub, "demo");
  sub->add_option("--csv", command->csv_file, "stream the rows of this CSV (made-up sales)")->type_name("FILE");
  sub->add_option("--dir", command->folder, "work and leave the results here (a new temporary folder)")
      ->type_name("DIR");
  sub->add_option("--url", command->url, "write the object there (into DIR)")->type_name("URL");
  command->store.AddTo(sub);
  sub->add_option("--checkpoint-every", command->every, "rows between checkpoints (50000rows)")->type_name("INTERVAL");
  sub->footer(kExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return RunDemo(*command); }; });
}

}  // namespace tailrace::cli
