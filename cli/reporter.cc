#include "cli/reporter.h"

#include <unistd.h>

#include <cstdio>

#include <nlohmann/json.hpp>

#include "cli/option_words.h"
#include "cli/size_text.h"

namespace tailrace::cli {

namespace {

using nlohmann::ordered_json;

void Emit(const ordered_json& event) {
  // Names and messages may hold any bytes; a JSON line may not.
  const std::string line = event.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

Reporter::Reporter(OutputFlags flags)
    : flags_(flags), bar_(flags.json || flags.quiet ? nullptr : ProgressBar::On(STDERR_FILENO)) {}

void Reporter::SetTotal(std::optional<int64_t> total_bytes) {
  if (bar_) bar_->SetTotal(total_bytes);
}

void Reporter::ToStderr(const std::string& line) {
  if (bar_) bar_->Clear();
  std::fprintf(stderr, "%s\n", line.c_str());
  std::fflush(stderr);
}

void Reporter::Plain(const std::string& line) {
  if (!flags_.json && !flags_.quiet) ToStderr(line);
}

void Reporter::Opened(const std::string& url, int64_t rows) {
  if (flags_.json) Emit({{"event", "opened"}, {"url", url}, {"rows", rows}});
  Plain((rows == 0 ? "writing " : "going on with ") + url + (rows == 0 ? "" : " after " + RowsText(rows)));
}

void Reporter::Checkpoint(const WriterState& state, const std::string& state_file) {
  const int64_t parts = static_cast<int64_t>(state.progress.receipts.size());
  const int64_t bytes = state.progress.stored_bytes();
  if (flags_.json) {
    Emit({{"event", "checkpoint"},
          {"rows", state.rows()},
          {"state", state_file},
          {"write_id", state.write_id.text},
          {"parts", parts},
          {"stored_bytes", bytes},
          {"unsent_bytes", state.progress.unsent.size()},
          {"carried_rows", state.carried.rows()},
          {"carried_bytes", state.carried.size_bytes()}});
  }
  Plain("checkpoint: " + RowsText(state.rows()) + " are safe in " + state_file + " (" + CountText(parts) +
        (parts == 1 ? " part, " : " parts, ") + SizeText(bytes) + ")");
}

void Reporter::Progress(int64_t rows, int64_t input_bytes, int64_t durable_rows) {
  if (flags_.quiet) return;
  if (bar_) return bar_->Update(rows, input_bytes);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < std::chrono::seconds(1)) return;
  last_progress_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (flags_.json) {
    Emit({{"event", "progress"},
          {"rows", rows},
          {"durable_rows", durable_rows},
          {"input_bytes", input_bytes},
          {"seconds", seconds}});
  }
  Plain(RowsText(rows) + ", " + SizeText(input_bytes) + " of input, " +
        SizeText(static_cast<int64_t>(static_cast<double>(input_bytes) / seconds)) + "/s");
}

void Reporter::Closed(const PendingCommit& pending, const std::string& pending_file) {
  if (flags_.json) {
    Emit({{"event", "closed"},
          {"rows", pending.rows},
          {"size_bytes", pending.size_bytes},
          {"write_id", pending.write_id.text},
          {"parts", pending.receipts.size()},
          {"pending", pending_file.empty() ? ordered_json() : ordered_json(pending_file)}});
  }
  if (!pending_file.empty()) {
    Plain("closed: " + RowsText(pending.rows) + ", " + SizeText(pending.size_bytes) + "; pending commit in " +
          pending_file);
  }
}

void Reporter::Committed(const std::string& url, const CommitInfo& info) {
  if (flags_.json) {
    Emit({{"event", "committed"},
          {"url", url},
          {"rows", info.rows},
          {"size_bytes", info.size_bytes},
          {"etag", info.etag},
          {"already_committed", info.already_committed}});
  }
  Plain((info.already_committed ? "already committed: " : "committed: ") + url + ", " + RowsText(info.rows) + ", " +
        SizeText(info.size_bytes));
}

void Reporter::Aborted(const std::string& url) {
  if (flags_.json) Emit({{"event", "aborted"}, {"url", url}});
  Plain("aborted: nothing of this write is left at " + url);
}

void Reporter::UploadAborted(const std::string& url, const UploadId& id) {
  if (flags_.json) Emit({{"event", "aborted"}, {"url", url}, {"upload_id", id.text}});
  Plain("aborted: " + url + ", upload " + id.text);
}

void Reporter::AlreadyCommitted(const std::string& url) {
  if (flags_.json) Emit({{"event", "already_committed"}, {"url", url}});
  ToStderr("tailrace: already committed: " + url + "; nothing was aborted");
}

ExitCode Reporter::Interrupted(const std::string& signal, int64_t rows, const std::string& state_file) {
  const ExitCode code = state_file.empty() ? ExitCode::kInterruptedDropped : ExitCode::kInterruptedKept;
  if (flags_.json) {
    Emit({{"event", "interrupted"},
          {"signal", signal},
          {"rows", state_file.empty() ? 0 : rows},
          {"state", state_file.empty() ? ordered_json() : ordered_json(state_file)},
          {"exit_code", static_cast<int>(code)}});
  }
  ToStderr(state_file.empty() ? "tailrace: interrupted by " + signal + "; nothing was kept, nothing is visible"
                              : "tailrace: interrupted by " + signal + "; " + RowsText(rows) +
                                    " are safe; go on with: tailrace resume " + state_file + " INPUT...");
  return code;
}

ExitCode Reporter::Error(const Status& status, const std::string& hint, bool of_commit) {
  const ExitCode code = ExitCodeOf(status);
  const std::string message = InCommandLineWords(status.message());
  if (flags_.json) {
    ordered_json event = {{"event", "error"},
                          {"kind", ErrorKindName(KindOf(status))},
                          {"message", message},
                          {"exit_code", static_cast<int>(code)},
                          {"exit_name", RowOf(code).name}};
    if (of_commit) event["outcome"] = OutcomeName(OutcomeOf(status));
    const ErrorDetail* detail = DetailOf(status);
    if (detail != nullptr && detail->rows) event["rows"] = *detail->rows;
    if (!hint.empty()) event["hint"] = hint;
    Emit(event);
  }
  std::string line = "tailrace: " + std::string(ErrorKindName(KindOf(status))) + ": " + message;
  if (!hint.empty()) line += "\ntailrace: " + hint;
  ToStderr(line);
  return code;
}

ExitCode Reporter::Usage(const Status& status) {
  if (flags_.json) {
    Emit({{"event", "error"},
          {"kind", "invalid"},
          {"message", status.message()},
          {"exit_code", static_cast<int>(ExitCode::kUsage)},
          {"exit_name", RowOf(ExitCode::kUsage).name}});
  }
  ToStderr("tailrace: " + status.message() + "\nRun with --help for more.");
  return ExitCode::kUsage;
}

void Reporter::Note(const std::string& text) {
  if (flags_.json) Emit({{"event", "note"}, {"message", text}});
  Plain(text);
}

}  // namespace tailrace::cli
