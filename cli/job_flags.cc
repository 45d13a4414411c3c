#include "cli/job_flags.h"

#include <arrow/util/thread_pool.h>

namespace tailrace::cli {

namespace {
// More is never of use on one machine; it catches sizes given by mistake.
constexpr int64_t kMaxThreads = 1024;
constexpr int64_t kMaxEncodeThreads = 256;  // the library takes no more

Status ParseBlockSize(const std::string& option, const std::string& text, int64_t* bytes) {
  if (text.empty()) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(*bytes, ParseSize(option, text));
  if (*bytes <= int64_t{1} << 30) return Status::OK();
  return MakeError(ErrorKind::kInvalid, option + " " + text + ": must be at most 1GiB");
}

}  // namespace

void AddOutputFlags(CLI::App* command, OutputFlags* flags) {
  command->add_flag("--json", flags->json, "JSON lines on stdout instead of plain lines on stderr")->group("Output");
  command->add_flag("--quiet,-q", flags->quiet, "no progress; errors are still told")->group("Output");
}

void JobFlags::AddTo(CLI::App* command) {
  command->add_option("--input-format", input_format_, "what the inputs are (auto: by first bytes, then suffix)")
      ->type_name("auto|ipc|parquet|csv|jsonl")
      ->group("Input");
  command
      ->add_flag("--allow-cut-input", allow_cut_input_,
                 "take a missing end marker (Arrow IPC stream) or last line end (CSV, JSON lines) for the end")
      ->group("Input");
  command
      ->add_option("--csv-block-size", csv_block_size_,
                   "CSV: wait for a first block of this size and infer types from it (1MiB)")
      ->type_name("SIZE")
      ->group("Input");
  command->add_option("--json-block-size", json_block_size_, "the same of JSON lines (1MiB)")
      ->type_name("SIZE")
      ->group("Input");
  command
      ->add_option("--checkpoint-every", checkpoint_every_,
                   "50000rows (at multiples, counted from the first row of the file), 64MiB of input, or 10s")
      ->type_name("INTERVAL")
      ->group("Checkpoints and commit");
  command
      ->add_option("--checkpoint-mode", checkpoint_mode_,
                   "flush ends the row group at each checkpoint; carry leaves it open and keeps its rows in the state "
                   "(write: flush, resume: as before)")
      ->type_name("flush|carry")
      ->group("Checkpoints and commit");
  command->add_option("--pending", pending_, "keep the pending commit in this file once all is uploaded")
      ->type_name("FILE")
      ->group("Checkpoints and commit");
  command->add_flag("--no-commit", no_commit_, "do not commit: `tailrace commit` does; needs --pending")
      ->group("Checkpoints and commit");
  command
      ->add_option("--on-error", on_error_, "the upload after an error: auto (kept if there is a state), abort, keep")
      ->type_name("auto|abort|keep")
      ->group("Checkpoints and commit");
  command->add_option("--memory-budget", memory_budget_, "bytes that encoders and parts may use (256MiB)")
      ->type_name("SIZE")
      ->group("Resources");
  command->add_option("--parts-in-flight", parts_in_flight_, "most parts being stored at the same time (16)")
      ->type_name("N")
      ->group("Resources");
  command
      ->add_option("--encode-threads", encode_threads_,
                   "most threads that encode at the same time (as many as there are CPUs)")
      ->type_name("N")
      ->group("Resources");
  command->add_option("--threads", threads_, "most threads that encode and upload (the sum of both)")
      ->type_name("N")
      ->group("Resources");
  observe_.AddTo(command);
  AddOutputFlags(command, &output_);
}

Status JobFlags::ParseRuntime(RuntimeOptions* runtime) const {
  if (!memory_budget_.empty()) {
    ARROW_ASSIGN_OR_RAISE(runtime->memory_budget_bytes, ParseSize("--memory-budget", memory_budget_));
  }
  if (!parts_in_flight_.empty()) {
    ARROW_ASSIGN_OR_RAISE(const int64_t parts, ParseCount("--parts-in-flight", parts_in_flight_, 1, kMaxThreads));
    runtime->parts_in_flight = static_cast<int>(parts);
  }
  if (!encode_threads_.empty()) {
    ARROW_ASSIGN_OR_RAISE(const int64_t threads, ParseCount("--encode-threads", encode_threads_, 1, kMaxEncodeThreads));
    runtime->encode_threads = static_cast<int>(threads);
  }
  if (!threads_.empty()) {
    ARROW_ASSIGN_OR_RAISE(const int64_t threads, ParseCount("--threads", threads_, 1, kMaxThreads));
    runtime->executor = MakeThreadPool(static_cast<int>(threads));
    ARROW_RETURN_NOT_OK(arrow::SetCpuThreadPoolCapacity(static_cast<int>(threads)));
  }
  if (on_error_ == "auto") {
    runtime->on_error = OnError::kAuto;
  } else if (on_error_ == "abort") {
    runtime->on_error = OnError::kAbort;
  } else if (on_error_ == "keep") {
    runtime->on_error = OnError::kKeep;
  } else {
    return MakeError(ErrorKind::kInvalid, "--on-error " + on_error_ + ": must be auto, abort or keep");
  }
  return Status::OK();
}

arrow::Result<JobOptions> JobFlags::Parse() const {
  JobOptions options;
  ARROW_ASSIGN_OR_RAISE(options.input.format, ParseInputFormat(input_format_));
  options.input.allow_cut = allow_cut_input_;
  ARROW_RETURN_NOT_OK(ParseBlockSize("--csv-block-size", csv_block_size_, &options.input.csv_block_bytes));
  ARROW_RETURN_NOT_OK(ParseBlockSize("--json-block-size", json_block_size_, &options.input.json_block_bytes));
  if (!checkpoint_every_.empty()) {
    ARROW_ASSIGN_OR_RAISE(options.every, ParseCheckpointEvery("--checkpoint-every", checkpoint_every_));
  }
  if (checkpoint_mode_ == "carry") {
    options.checkpoint_mode = CheckpointMode::kCarry;
  } else if (checkpoint_mode_ == "flush") {
    options.checkpoint_mode = CheckpointMode::kFlush;
  } else if (!checkpoint_mode_.empty()) {
    return MakeError(ErrorKind::kInvalid, "--checkpoint-mode " + checkpoint_mode_ + ": must be flush or carry");
  }
  options.pending_file = pending_;
  options.no_commit = no_commit_;
  if (no_commit_ && pending_.empty()) {
    return MakeError(ErrorKind::kInvalid, "--no-commit needs --pending FILE, else the write could not be committed");
  }
  ARROW_RETURN_NOT_OK(ParseRuntime(&options.runtime));
  return options;
}

}  // namespace tailrace::cli
