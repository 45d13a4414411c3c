// Tells the observer of one writer, or of one call of Finish, Commit or Abort: in order, one event at a time, with no
// lock held.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "tailrace/events.h"

namespace tailrace {

// Events are added where they happen, maybe under a lock, and told once that lock is gone. Whoever delivers while
// another thread is at it leaves its events to that thread, so that no two run in the observer at once.
//
// Thread-safe.
class EventNotifier {
 public:
  // `observer` may be null: then nothing is kept. `write` has what all events of it share: url to epoch, and the totals
  // that it begins with.
  EventNotifier(std::shared_ptr<Observer> observer, WriteEvent write);

  // The write that something is known of: its target's URL, key and kind.
  static WriteEvent Of(const Target& target, const WriteId& write_id, int64_t epoch);

  // Fills in time, write and totals, and keeps the event. After one that ends a writer (closed, aborted, released) no
  // other is kept.
  void Add(WriteEvent event) TAILRACE_EXCLUDES(mutex_);
  // Tells what was added. REQUIRES: no lock is held that the observer or another event could need.
  void Deliver() TAILRACE_EXCLUDES(mutex_);
  // The same, and waits until all that was added before is told. Not from within the observer.
  void Flush() TAILRACE_EXCLUDES(mutex_);
  void Tell(WriteEvent event) {
    Add(std::move(event));
    Flush();
  }

 private:
  const std::shared_ptr<Observer> observer_;

  Mutex mutex_;
  CondVar told_;
  WriteEvent write_ TAILRACE_GUARDED_BY(mutex_);  // what the next event begins with
  std::deque<WriteEvent> waiting_ TAILRACE_GUARDED_BY(mutex_);
  int64_t added_ TAILRACE_GUARDED_BY(mutex_) = 0;
  int64_t told_events_ TAILRACE_GUARDED_BY(mutex_) = 0;
  bool telling_ TAILRACE_GUARDED_BY(mutex_) = false;
  bool ended_ TAILRACE_GUARDED_BY(mutex_) = false;
};

WriteEvent EventOf(EventKind kind, int64_t rows = 0, int64_t bytes = 0, std::chrono::microseconds duration = {});
// Puts what is stored already into the totals of `write`.
void CountStored(const std::vector<PartReceipt>& parts, WriteEvent* write);
WriteEvent PartStoredEvent(const PartReceipt& part, std::chrono::microseconds duration);
// A failed event of `error`.
WriteEvent FailureOf(WriteStep step, const Status& error);

}  // namespace tailrace
