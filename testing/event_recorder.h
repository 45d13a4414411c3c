// An observer that remembers everything, and checks what is promised of how it is called.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/mutex.h"
#include "tailrace/events.h"

namespace tailrace {

// Of one writer, or of calls one after the other: two events at once are a failure of the test. Thread-safe.
class EventRecorder final : public Observer {
 public:
  void OnEvent(const WriteEvent& event) override {
    EXPECT_FALSE(inside_.exchange(true)) << "two events at once";
    {
      MutexLock lock(&mutex_);
      events_.push_back(event);
    }
    inside_ = false;
  }

  std::vector<WriteEvent> events() const {
    MutexLock lock(&mutex_);
    return events_;
  }
  std::vector<WriteEvent> Of(EventKind kind) const {
    std::vector<WriteEvent> of;
    for (const WriteEvent& event : events()) {
      if (event.kind == kind) of.push_back(event);
    }
    return of;
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const WriteEvent& event : events()) kinds.emplace_back(EventKindName(event.kind));
    return kinds;
  }

 private:
  std::atomic<bool> inside_ = false;
  mutable Mutex mutex_;
  std::vector<WriteEvent> events_;
};

}  // namespace tailrace
