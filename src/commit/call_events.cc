#include "commit/call_events.h"

#include <utility>

#include "base/clock.h"
#include "base/environment.h"
#include "observe/log_environment.h"
#include "settle/target_store.h"

namespace tailrace {
namespace {

WriteEvent WriteOf(const CommitOptions& options, const Target& target, const WriteId& write_id, int64_t epoch,
                   int64_t rows, const std::vector<PartReceipt>& stored) {
  const StoreChoice choice{options.store, options.key, options.retarget};
  WriteEvent write = EventNotifier::Of(choice.TargetFor(target), write_id, epoch);
  write.encoded_rows = rows;
  CountStored(stored, &write);
  return write;
}

}  // namespace

CallEvents::CallEvents(const CommitOptions& options, const Target& target, const WriteId& write_id, int64_t epoch,
                       int64_t rows, const std::vector<PartReceipt>& stored)
    : rows_(rows),
      events_(WithLogIfAsked(options.observer, ProcessEnvironment()),
              WriteOf(options, target, write_id, epoch, rows, stored)) {}

CallEvents::CallEvents(const CommitOptions& options, const WriterState& state)
    : CallEvents(options, state.target, state.write_id, state.epoch, state.rows(), state.progress.receipts) {}

CallEvents::CallEvents(const CommitOptions& options, const PendingCommit& pending)
    : CallEvents(options, pending.target, pending.write_id, pending.state ? pending.state->epoch : 0, pending.rows,
                 pending.receipts) {}

void CallEvents::Failed(WriteStep step, const Status& error) {
  WriteEvent failed = FailureOf(step, error);
  failed.rows = rows_;
  failed.duration = Since(begin_);
  events_.Tell(std::move(failed));
}

Result<CommitInfo> CallEvents::Ended(EventKind kind, WriteStep step, Result<CommitInfo> result) {
  if (result.ok()) {
    WriteEvent done = EventOf(kind, result->rows, result->size_bytes, Since(begin_));
    done.already_committed = result->already_committed;
    events_.Tell(std::move(done));
  } else {
    Failed(step, result.status());
  }
  return result;
}

Result<AbortResult> CallEvents::Aborted(Result<AbortResult> result) {
  if (result.ok()) {
    WriteEvent done = EventOf(EventKind::kDropped, rows_, 0, Since(begin_));
    done.already_committed = *result == AbortResult::kAlreadyCommitted;
    events_.Tell(std::move(done));
  } else {
    Failed(WriteStep::kAbort, result.status());
  }
  return result;
}

}  // namespace tailrace
