// SIGINT and SIGTERM as something that can be asked and waited for.
#pragma once

#include <string>

namespace tailrace::cli {

// While one exists, the first SIGINT or SIGTERM only sets a flag and makes fd() readable; the second ends the
// process at once with 128 + its number. SIGPIPE is ignored. One per process: signals are the process's.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool requested() const;
  // Readable (poll) from the first signal on, for ever.
  int fd() const { return fd_; }
  // "SIGTERM"; empty before one came.
  std::string name() const;

 private:
  int fd_;
};

}  // namespace tailrace::cli
