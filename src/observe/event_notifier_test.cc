#include "observe/event_notifier.h"

#include <atomic>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace {
namespace {

using ::testing::ElementsAre;

class Recorder : public Observer {
 public:
  void OnEvent(const WriteEvent& event) override {
    EXPECT_EQ(inside_.exchange(true), false) << "two events at once";
    if (hook) hook(event);
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
  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const WriteEvent& event : events()) kinds.emplace_back(EventKindName(event.kind));
    return kinds;
  }
  std::function<void(const WriteEvent&)> hook;

 private:
  std::atomic<bool> inside_ = false;
  mutable Mutex mutex_;
  std::vector<WriteEvent> events_;
};

WriteEvent SomeWrite() {
  Target target;
  target.kind = "s3";
  target.bucket = "b";
  target.key = "k x";
  return EventNotifier::Of(target, WriteId{"id"}, 2);
}

TEST(EventNotifier, FillsInTheWriteAndItsTotals) {
  auto recorder = std::make_shared<Recorder>();
  WriteEvent write = SomeWrite();
  CountStored({{.number = 1, .size_bytes = 5}, {.number = 2, .size_bytes = 6}}, &write);
  EventNotifier events(recorder, write);
  events.Tell(EventOf(EventKind::kRowGroupClosed, 10, 100));
  events.Tell(PartStoredEvent({.number = 3, .size_bytes = 7}, std::chrono::microseconds(9)));
  ASSERT_EQ(recorder->events().size(), 2u);
  const WriteEvent told = recorder->events()[1];
  EXPECT_EQ(told.url, "s3://b/k%20x");
  EXPECT_EQ(told.key, "k x");
  EXPECT_EQ(told.store, "s3");
  EXPECT_EQ(told.write_id.text, "id");
  EXPECT_EQ(told.epoch, 2);
  EXPECT_EQ(told.part_number, 3);
  EXPECT_EQ(told.duration.count(), 9);
  EXPECT_EQ(told.encoded_rows, 10);
  EXPECT_EQ(told.stored_bytes, 18);
  EXPECT_EQ(told.stored_parts, 3);
  EXPECT_GT(told.time.time_since_epoch().count(), 0);
}

TEST(EventNotifier, WhatIsAddedWaitsForDelivery) {
  auto recorder = std::make_shared<Recorder>();
  EventNotifier events(recorder, SomeWrite());
  events.Add(EventOf(EventKind::kOpened));
  events.Add(EventOf(EventKind::kCheckpoint));
  EXPECT_TRUE(recorder->events().empty());
  events.Deliver();
  EXPECT_THAT(recorder->kinds(), ElementsAre("opened", "checkpoint"));
}

TEST(EventNotifier, NothingFollowsTheEndOfAWriter) {
  for (const EventKind end : {EventKind::kClosed, EventKind::kAborted, EventKind::kReleased}) {
    auto recorder = std::make_shared<Recorder>();
    EventNotifier events(recorder, SomeWrite());
    events.Tell(EventOf(end));
    events.Tell(EventOf(EventKind::kReleased));
    events.Tell(EventOf(EventKind::kPartStored));
    EXPECT_THAT(recorder->kinds(), ElementsAre(EventKindName(end)));
  }
}

TEST(EventNotifier, WhatAnObserverThrowsIsForgotten) {
  auto recorder = std::make_shared<Recorder>();
  struct Thrower final : Observer {
    void OnEvent(const WriteEvent&) override { throw 7; }
  };
  EventNotifier alone(std::make_shared<Thrower>(), SomeWrite());
  alone.Tell(EventOf(EventKind::kOpened));
  alone.Tell(EventOf(EventKind::kCheckpoint));
  EventNotifier events(CombineObservers({std::make_shared<Thrower>(), nullptr, recorder}), SomeWrite());
  events.Tell(EventOf(EventKind::kOpened));
  EXPECT_THAT(recorder->kinds(), ElementsAre("opened"));
}

TEST(EventNotifier, WithoutAnObserverNothingIsDone) {
  EXPECT_EQ(CombineObservers({nullptr, nullptr}), nullptr);
  EventNotifier events(nullptr, SomeWrite());
  events.Add(EventOf(EventKind::kOpened));
  events.Flush();
}

TEST(EventNotifier, ThreadsTellOneAtATimeAndTotalsGrowInOrder) {
  auto recorder = std::make_shared<Recorder>();
  EventNotifier events(recorder, SomeWrite());
  constexpr int kThreads = 4;
  constexpr int kEach = 500;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) events.Tell(EventOf(EventKind::kPartStored, 0, 1));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<WriteEvent> told = recorder->events();
  ASSERT_EQ(told.size(), static_cast<size_t>(kThreads * kEach));
  for (size_t i = 0; i < told.size(); ++i) ASSERT_EQ(told[i].stored_bytes, static_cast<int64_t>(i) + 1);
}

// One thread is in the observer when another tells: that one's event is told by the first, and it waits for that.
TEST(EventNotifier, TellReturnsOnceItsEventIsTold) {
  auto recorder = std::make_shared<Recorder>();
  std::atomic<bool> entered = false;
  std::atomic<bool> leave = false;
  recorder->hook = [&](const WriteEvent& event) {
    if (event.kind != EventKind::kOpened) return;
    entered = true;
    while (!leave) std::this_thread::yield();
  };
  EventNotifier events(recorder, SomeWrite());
  std::thread first([&] { events.Tell(EventOf(EventKind::kOpened)); });
  while (!entered) std::this_thread::yield();
  std::atomic<size_t> told_when_back = 0;
  std::thread second([&] {
    events.Tell(EventOf(EventKind::kCheckpoint));
    told_when_back = recorder->events().size();
  });
  events.Add(EventOf(EventKind::kRowGroupClosed));
  events.Deliver();  // returns at once: the first thread has it
  leave = true;
  first.join();
  second.join();
  EXPECT_GE(told_when_back, 2u);
  EXPECT_EQ(recorder->events().size(), 3u);
}

TEST(EventNotifier, AFailureHasItsKindAndMessage) {
  const WriteEvent failed = FailureOf(WriteStep::kStorePart, MakeError(ErrorKind::kNoSpace, "disk full"));
  EXPECT_EQ(failed.kind, EventKind::kFailed);
  EXPECT_EQ(failed.step, WriteStep::kStorePart);
  EXPECT_EQ(failed.error, ErrorKind::kNoSpace);
  EXPECT_EQ(failed.message, "disk full");
}

}  // namespace
}  // namespace tailrace
