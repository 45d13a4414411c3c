// What the program says while it works: plain lines on stderr, under which a terminal has a progress bar, or JSON lines
// on stdout, each flushed at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
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
  explicit Reporter(OutputFlags flags);

  // To be told of the events of a write; nullptr where nothing is made of them.
  std::shared_ptr<Observer> observer() const { return bar_; }
  // Of the input, for the progress bar; nullopt where nobody knows.
  void SetTotal(std::optional<int64_t> total_bytes);

  void Opened(const std::string& url, int64_t rows);
  void Checkpoint(const WriterState& state, const std::string& state_file);
  // Lines at most once a second, the rest is dropped; the bar is drawn more often.
  void Progress(int64_t rows, int64_t input_bytes, int64_t durable_rows);
  void Closed(const PendingCommit& pending, const std::string& pending_file);
  void Committed(const std::string& url, const CommitInfo& info);
  void Aborted(const std::string& url);
  // One of `uploads abort`, found by its place and age.
  void UploadAborted(const std::string& url, const UploadId& id);
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
  void ToStderr(const std::string& line);

  const OutputFlags flags_;
  const std::shared_ptr<ProgressBar> bar_;  // nullptr: there is none
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_progress_ = start_;
};

}  // namespace tailrace::cli
