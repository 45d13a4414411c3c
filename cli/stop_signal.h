// SIGINT and SIGTERM as something that can be asked and waited for.
#pragma once

#include <csignal>
#include <mutex>
#include <string>
#include <thread>

namespace tailrace::cli {

// While one exists, the first SIGINT or SIGTERM only sets a flag and makes fd() readable; the second ends the
// process at once with 128 + its number, whatever the other threads do. SIGPIPE is ignored. One per process, made
// before any other thread: it blocks the signals in this thread and so in those that are started later, and a thread
// of its own takes them.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // A signal that was sent before the call is seen, even if nothing has run since: the end of a pipe whose producer
  // died of the same Ctrl-C is never seen without it. Thread-safe.
  bool requested() const { return number() != 0; }
  // Readable (poll) from the first signal on, for ever.
  int fd() const { return requested_fd_; }
  // "SIGTERM"; empty before one came.
  std::string name() const;

 private:
  int number() const;
  void Listen();
  void Take();

  const int requested_fd_;
  const int end_fd_;  // readable: the listener shall end
  sigset_t signals_;
  sigset_t mask_before_;
  int signal_fd_;
  // Held while a signal goes from pending to first_.
  mutable std::mutex mutex_;
  int first_ = 0;
  std::thread listener_;
};

}  // namespace tailrace::cli
