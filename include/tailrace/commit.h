// Finish, commit and abort: from a value, in any process, any number of times.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/state.h"
#include "tailrace/store.h"

namespace tailrace {

class Clock;
class Observer;

struct CommitOptions {
  // The store to work on; nullptr opens the target's. A store whose target differs from the value's is refused
  // with kBadState unless `retarget`.
  std::shared_ptr<MultipartStore> store;
  // Use this key in `store` instead of the target's; only with `retarget`.
  std::string key;
  bool retarget = false;
  // A small file's commit replaces an object newer than the write, which is kPrecondition otherwise.
  bool force = false;
  // Local store: read stored parts back and compare checksums before they are published.
  bool verify = true;
  // How long to look for the object after this call saw a lost answer to Complete.
  std::chrono::milliseconds settle_timeout = std::chrono::minutes(2);
  // For tests; nullptr is the system's.
  Clock* clock = nullptr;
  std::shared_ptr<Observer> observer;  // is told what happens (events.h)
};

struct CommitInfo {
  int64_t size_bytes = 0;
  int64_t rows = 0;
  std::string etag;
  // The object was already there, whole and ours, before this call did anything.
  bool already_committed = false;
};

// Uploads the tail of the state (unsent bytes, page indexes, footer) and completes: the object then has exactly
// state.rows() rows. Returns OK only when the object is known to be there, whole and ours; otherwise
// OutcomeOf(status) says what is known, and a failed status does NOT prove that nothing was published. Safe to
// repeat and to race with any other finisher, committer or writer of the same write: at most one content wins.
Result<CommitInfo> Finish(const WriterState& state, const CommitOptions& options = {});

// Makes a closed file visible. The same promises as Finish.
Result<CommitInfo> Commit(const PendingCommit& pending, const CommitOptions& options = {});

enum class AbortResult {
  kAborted,           // the upload is gone now, or was before; nothing of ours is under the key
  kAlreadyCommitted,  // the object of this write is there; nothing was aborted
};
// Drops the upload of a write. Safe to repeat. For a small file there is nothing to drop.
Result<AbortResult> Abort(const WriterState& state, const CommitOptions& options = {});
Result<AbortResult> Abort(const PendingCommit& pending, const CommitOptions& options = {});

}  // namespace tailrace
