// A tailrace process started by the demo: its standard input is fed and its JSON lines are read.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace::cli {

using arrow::Result;

// Not thread-safe. Destruction kills a child that still runs.
class ChildProcess {
 public:
  // This very program with `arguments`. With `piped` its input and output are pipes to here, else its input is
  // empty and its output is ours.
  static Result<std::unique_ptr<ChildProcess>> Start(const std::vector<std::string>& arguments, bool piped);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Sends `bytes`, which outlive this, from a thread of its own; then ends the input, unless `keep_open`.
  void Feed(std::string_view bytes, bool keep_open);
  // The next line of its output; nullopt at the end.
  Result<std::optional<std::string>> ReadLine();
  // SIGKILL, as a crash or an operator's `kill -9` would.
  void Kill();
  // Waits for its end: the exit code, or 128 + the signal that ended it.
  Result<int> Wait();
  pid_t pid() const { return pid_; }

 private:
  ChildProcess(pid_t pid, int input_fd, int output_fd) : pid_(pid), input_fd_(input_fd), output_fd_(output_fd) {}
  void CloseInput();

  const pid_t pid_;
  int input_fd_;
  const int output_fd_;
  std::string unread_;
  std::thread feeder_;
  bool ended_ = false;
};

}  // namespace tailrace::cli
