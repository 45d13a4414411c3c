// What a call of Finish, Commit or Abort tells its observer.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include <arrow/result.h>

#include "observe/event_notifier.h"
#include "tailrace/commit.h"

namespace tailrace {

// One call. Not thread-safe.
class CallEvents {
 public:
  CallEvents(const CommitOptions& options, const WriterState& state);
  CallEvents(const CommitOptions& options, const PendingCommit& pending);

  // Of each part that the call stores.
  void PartStored(const PartReceipt& part, std::chrono::microseconds duration) {
    events_.Tell(PartStoredEvent(part, duration));
  }
  // How the call ended; gives `result` back.
  Result<CommitInfo> Ended(EventKind kind, WriteStep step, Result<CommitInfo> result);
  Result<AbortResult> Aborted(Result<AbortResult> result);

 private:
  CallEvents(const CommitOptions& options, const Target& target, const WriteId& write_id, int64_t epoch, int64_t rows,
             const std::vector<PartReceipt>& stored);
  void Failed(WriteStep step, const Status& error);

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const int64_t rows_;
  EventNotifier events_;
};

}  // namespace tailrace
