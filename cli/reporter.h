// What the program says while it works: plain lines on stderr, or JSON lines on stdout, each flushed at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/exit_codes.h"
#include "tailrace/commit.h"
#include "tailrace/state.h"

namespace tailrace::cli {

struct OutputFlags {
  bool json = false;
  bool quiet = false;
};

// JSON events, one object a line with "event": opened, checkpoint, progress, closed, committed, aborted,
// interrupted, error, note. "rows" of a checkpoint are durable: a source may forget them. Errors go to stderr as
// well, whatever the flags. Not thread-safe.
class Reporter {
 public:
  explicit Reporter(OutputFlags flags) : flags_(flags) {}

  void Opened(const std::string& url, int64_t rows);
  void Checkpoint(const WriterState& state, const std::string& state_file);
  // At most once a second; the rest is dropped.
  void Progress(int64_t rows, int64_t input_bytes, int64_t durable_rows);
  void Closed(const PendingCommit& pending, const std::string& pending_file);
  void Committed(const std::string& url, const CommitInfo& info);
  void Aborted(const std::string& url);
  // Abort found the object of the write.
  void AlreadyCommitted(const std::string& url);
  // `state_file` empty: nothing was kept.
  ExitCode Interrupted(const std::string& signal, int64_t rows, const std::string& state_file);
  // `hint` says what to do next, in a sentence; `of_commit` adds the outcome.
  ExitCode Error(const Status& status, const std::string& hint = "", bool of_commit = false);
  ExitCode Usage(const Status& status);
  void Note(const std::string& text);

 private:
  void Plain(const std::string& line);

  const OutputFlags flags_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_progress_ = start_;
};

}  // namespace tailrace::cli
