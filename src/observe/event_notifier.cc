#include "observe/event_notifier.h"

#include <utility>

#include "base/clock.h"

namespace tailrace {
namespace {

bool EndsWriter(EventKind kind) {
  return kind == EventKind::kClosed || kind == EventKind::kAborted || kind == EventKind::kReleased;
}

// An observer's failure is not the write's.
void TellOne(Observer* observer, const WriteEvent& event) noexcept {
  try {
    observer->OnEvent(event);
  } catch (...) {
  }
}

}  // namespace

EventNotifier::EventNotifier(std::shared_ptr<Observer> observer, WriteEvent write)
    : observer_(std::move(observer)), write_(std::move(write)) {}

WriteEvent EventNotifier::Of(const Target& target, const WriteId& write_id, int64_t epoch) {
  WriteEvent write;
  write.url = target.ToUrl();
  write.key = target.key;
  write.store = target.kind;
  write.write_id = write_id;
  write.epoch = epoch;
  return write;
}

void EventNotifier::Add(WriteEvent event) {
  if (observer_ == nullptr) return;
  MutexLock lock(&mutex_);
  if (ended_) return;
  ended_ = EndsWriter(event.kind);
  if (event.kind == EventKind::kRowGroupClosed) write_.encoded_rows += event.rows;
  if (event.kind == EventKind::kPartStored) {
    write_.stored_bytes += event.bytes;
    ++write_.stored_parts;
  }
  event.time = Clock::System()->Now();
  event.url = write_.url;
  event.key = write_.key;
  event.store = write_.store;
  event.write_id = write_.write_id;
  event.epoch = write_.epoch;
  event.encoded_rows = write_.encoded_rows;
  event.stored_bytes = write_.stored_bytes;
  event.stored_parts = write_.stored_parts;
  waiting_.push_back(std::move(event));
  ++added_;
}

void EventNotifier::Deliver() {
  if (observer_ == nullptr) return;
  MutexLock lock(&mutex_);
  if (telling_) return;
  telling_ = true;
  while (!waiting_.empty()) {
    const WriteEvent event = std::move(waiting_.front());
    waiting_.pop_front();
    mutex_.unlock();
    TellOne(observer_.get(), event);
    mutex_.lock();
    ++told_events_;
    told_.NotifyAll();
  }
  telling_ = false;
}

void EventNotifier::Flush() {
  if (observer_ == nullptr) return;
  Deliver();
  MutexLock lock(&mutex_);
  const int64_t all = added_;
  while (told_events_ < all) told_.Wait(&mutex_);
}

WriteEvent EventOf(EventKind kind, int64_t rows, int64_t bytes, std::chrono::microseconds duration) {
  WriteEvent event;
  event.kind = kind;
  event.rows = rows;
  event.bytes = bytes;
  event.duration = duration;
  return event;
}

void CountStored(const std::vector<PartReceipt>& parts, WriteEvent* write) {
  for (const PartReceipt& part : parts) write->stored_bytes += part.size_bytes;
  write->stored_parts += static_cast<int64_t>(parts.size());
}

WriteEvent PartStoredEvent(const PartReceipt& part, std::chrono::microseconds duration) {
  WriteEvent event = EventOf(EventKind::kPartStored, 0, part.size_bytes, duration);
  event.part_number = part.number;
  event.attempts = part.requests.count;
  return event;
}

WriteEvent FailureOf(WriteStep step, const Status& error) {
  WriteEvent event;
  event.kind = EventKind::kFailed;
  event.step = step;
  event.error = KindOf(error);
  event.message = error.message();
  return event;
}

}  // namespace tailrace
