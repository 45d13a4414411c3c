// What observers are told over the whole life of a write: order, totals, and who fails.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tailrace/event_exporters.h"
#include "testing/event_recorder.h"
#include "testing/fault_store.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RuntimeOptions Told(const std::shared_ptr<Observer>& observer) {
  RuntimeOptions runtime = Inline();
  runtime.observer = observer;
  return runtime;
}

CommitOptions On(const std::shared_ptr<MultipartStore>& store, std::shared_ptr<Observer> observer = nullptr) {
  return {.store = store, .settle_timeout = std::chrono::milliseconds(0), .observer = std::move(observer)};
}

int64_t SumOf(const std::vector<WriteEvent>& events, int64_t WriteEvent::* member) {
  int64_t sum = 0;
  for (const WriteEvent& event : events) sum += event.*member;
  return sum;
}

bool Ends(EventKind kind) {
  return kind == EventKind::kClosed || kind == EventKind::kAborted || kind == EventKind::kReleased;
}

// A writer begins with opened or resumed, and ends once, with its last event.
void ExpectOneLife(const EventRecorder& recorder, EventKind begin) {
  const std::vector<WriteEvent> events = recorder.events();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().kind, begin);
  EXPECT_TRUE(Ends(events.back().kind));
  EXPECT_EQ(std::count_if(events.begin(), events.end(), [](const WriteEvent& event) { return Ends(event.kind); }), 1);
  int64_t stored = 0;
  for (const WriteEvent& event : events) {
    EXPECT_EQ(event.write_id, events.front().write_id);
    EXPECT_EQ(event.url, "memory://memory/k");
    EXPECT_GE(event.stored_bytes, stored);
    EXPECT_GE(event.duration.count(), 0);
    stored = event.stored_bytes;
  }
}

TEST(Events, TellTheLifeOfAWriteThatIsCommitted) {
  auto store = MemoryStore::Make();
  auto recorder = std::make_shared<EventRecorder>();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Told(recorder)));
  EXPECT_THAT(recorder->kinds(), ElementsAre("opened"));
  EXPECT_EQ(recorder->events()[0].bytes, PartLengths{SmallFile().part_size_bytes}.BytesOf(store->limits().max_parts));
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  // When the call returns its event has been told.
  const WriteEvent checkpoint = recorder->events().back();
  EXPECT_EQ(checkpoint.kind, EventKind::kCheckpoint);
  EXPECT_EQ(checkpoint.rows, 1000);
  EXPECT_EQ(checkpoint.encoded_rows, 1000);
  EXPECT_EQ(checkpoint.stored_bytes, state.progress.stored_bytes());
  EXPECT_EQ(checkpoint.stored_parts, static_cast<int64_t>(state.progress.receipts.size()));
  EXPECT_EQ(checkpoint.bytes, checkpoint.stored_bytes + static_cast<int64_t>(state.progress.unsent.size()));
  ASSERT_OK(WriteUpTo(writer.get(), 1700, 100));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  writer.reset();
  ExpectOneLife(*recorder, EventKind::kOpened);
  EXPECT_EQ(recorder->Of(EventKind::kUploadCreated).size(), 1u);
  EXPECT_EQ(SumOf(recorder->Of(EventKind::kRowGroupClosed), &WriteEvent::rows), 1700);
  EXPECT_EQ(SumOf(recorder->Of(EventKind::kPartStored), &WriteEvent::bytes), pending.size_bytes);
  EXPECT_EQ(recorder->Of(EventKind::kPartStored).size(), pending.receipts.size());
  const WriteEvent closed = recorder->events().back();
  EXPECT_EQ(closed.kind, EventKind::kClosed);
  EXPECT_EQ(closed.rows, 1700);
  EXPECT_EQ(closed.bytes, pending.size_bytes);
  EXPECT_EQ(closed.stored_bytes, pending.size_bytes);

  auto committer = std::make_shared<EventRecorder>();
  ASSERT_OK(Commit(pending, On(store, committer)));
  ASSERT_OK(Commit(pending, On(store, committer)));
  EXPECT_THAT(committer->kinds(), ElementsAre("committed", "committed"));
  EXPECT_EQ(committer->events()[0].bytes, pending.size_bytes);
  EXPECT_EQ(committer->events()[0].rows, 1700);
  EXPECT_FALSE(committer->events()[0].already_committed);
  EXPECT_TRUE(committer->events()[1].already_committed);
  EXPECT_EQ(committer->events()[1].write_id, closed.write_id);
}

TEST(Events, ASmallFileHasNoUpload) {
  auto store = MemoryStore::Make();
  auto recorder = std::make_shared<EventRecorder>();
  FileOptions options = SmallFile();
  options.inline_max_bytes = 1 << 20;
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), options, Told(recorder)));
  ASSERT_OK(WriteUpTo(writer.get(), 10, 10));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  EXPECT_THAT(recorder->kinds(), ElementsAre("opened", "row_group_closed", "closed"));
  auto committer = std::make_shared<EventRecorder>();
  ASSERT_OK(Commit(pending, On(store, committer)));
  EXPECT_THAT(committer->kinds(), ElementsAre("committed"));
}

TEST(Events, GoOnWithTheTotalsOfTheStateInOtherProcesses) {
  auto store = MemoryStore::Make();
  auto first = std::make_shared<EventRecorder>();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Told(first)));
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  writer.reset();  // as if it were killed
  EXPECT_EQ(first->kinds().back(), "released");

  auto second = std::make_shared<EventRecorder>();
  ASSERT_OK_AND_ASSIGN(auto resumed, ParquetStreamWriter::Resume(state, {.runtime = Told(second), .store = store}));
  const WriteEvent begin = second->events().at(0);
  EXPECT_EQ(begin.kind, EventKind::kResumed);
  EXPECT_EQ(begin.rows, 1000);
  EXPECT_EQ(begin.epoch, 1);
  EXPECT_EQ(begin.encoded_rows, 1000);
  EXPECT_EQ(begin.stored_bytes, state.progress.stored_bytes());
  ASSERT_OK(WriteUpTo(resumed.get(), 1500, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState later, resumed->Checkpoint());
  EXPECT_EQ(second->events().back().stored_bytes, later.progress.stored_bytes());
  resumed.reset();
  ExpectOneLife(*second, EventKind::kResumed);

  auto third = std::make_shared<EventRecorder>();
  ASSERT_OK_AND_ASSIGN(const CommitInfo info, Finish(later, On(store, third)));
  const WriteEvent finished = third->events().back();
  EXPECT_EQ(finished.kind, EventKind::kFinished);
  EXPECT_EQ(finished.rows, 1500);
  EXPECT_EQ(finished.bytes, info.size_bytes);
  EXPECT_EQ(finished.epoch, 1);
  // Its totals are those of the whole object: what the state had, and the end that it stored.
  EXPECT_EQ(finished.stored_bytes, info.size_bytes);
  EXPECT_EQ(SumOf(third->Of(EventKind::kPartStored), &WriteEvent::bytes),
            info.size_bytes - later.progress.stored_bytes());
  EXPECT_EQ(finished.write_id, begin.write_id);
}

TEST(Events, AbortsAndReleases) {
  auto store = MemoryStore::Make();
  auto aborted = std::make_shared<EventRecorder>();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Told(aborted)).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 100));
  ASSERT_OK(writer->Abort());
  ExpectOneLife(*aborted, EventKind::kOpened);
  EXPECT_EQ(aborted->events().back().kind, EventKind::kAborted);
  writer.reset();
  ExpectOneLife(*aborted, EventKind::kOpened);

  auto dropped = std::make_shared<EventRecorder>();
  writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Told(dropped)).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 100));
  writer.reset();  // without a state: its destructor aborts
  EXPECT_EQ(dropped->events().back().kind, EventKind::kAborted);

  auto kept = std::make_shared<EventRecorder>();
  writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Told(kept)).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  writer.reset();
  EXPECT_EQ(kept->events().back().kind, EventKind::kReleased);

  auto caller = std::make_shared<EventRecorder>();
  ASSERT_OK(Abort(state, On(store, caller)));
  EXPECT_THAT(caller->kinds(), ElementsAre("dropped"));
  EXPECT_FALSE(caller->events()[0].already_committed);
}

// The step that an error of this call is told as.
WriteStep StepOf(StoreCall call) {
  switch (call) {
    case StoreCall::kCreateUpload:
      return WriteStep::kCreateUpload;
    case StoreCall::kPutPart:
      return WriteStep::kStorePart;
    case StoreCall::kSync:
      return WriteStep::kSync;
    default:
      return WriteStep::kNone;
  }
}

// Whatever request of a writer fails: one event says so, with the step and the message that the caller gets, and the
// writer ends once.
TEST(Events, AFailureAtEachRequestIsToldOnce) {
  int failures = 0;
  for (int64_t nth = 0, fired = 1; fired > 0; ++nth) {
    SCOPED_TRACE(nth);
    auto faulty = std::make_shared<FaultStore>(MemoryStore::Make(), FailNth(nth, ErrorKind::kNoSpace));
    auto recorder = std::make_shared<EventRecorder>();
    auto writer = ParquetStreamWriter::Open(faulty, "k", RowSchema(), SmallFile(), Told(recorder)).ValueOrDie();
    Status status = WriteUpTo(writer.get(), 1000, 100);
    if (status.ok()) status = writer->Checkpoint().status();
    if (status.ok()) status = writer->Close().status();
    fired = faulty->fired();
    EXPECT_EQ(status.ok(), fired == 0);
    (void)writer->Checkpoint();  // the first error stays, and is not told again
    writer.reset();
    ExpectOneLife(*recorder, EventKind::kOpened);
    const std::vector<WriteEvent> failed = recorder->Of(EventKind::kFailed);
    ASSERT_EQ(failed.size(), static_cast<size_t>(fired));
    for (const WriteEvent& event : failed) {
      ++failures;
      EXPECT_EQ(event.error, ErrorKind::kNoSpace);
      EXPECT_EQ(event.message, status.message());
      const auto log = faulty->log();
      const auto first = std::find_if(log.begin(), log.end(), [](const auto& entry) { return !entry.answer.ok(); });
      ASSERT_NE(first, log.end());
      EXPECT_EQ(event.step, StepOf(first->point.call));
      EXPECT_NE(event.step, WriteStep::kNone);
    }
  }
  EXPECT_GT(failures, 5);
}

TEST(Events, FailuresOfFinishCommitAbortAndResume) {
  auto store = MemoryStore::Make();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  auto dead = std::make_shared<FaultStore>(store, FailFrom(0, ErrorKind::kDenied));
  auto recorder = std::make_shared<EventRecorder>();
  EXPECT_FALSE(Finish(state, On(dead, recorder)).ok());
  EXPECT_FALSE(Commit(pending, On(dead, recorder)).ok());
  EXPECT_FALSE(Abort(state, On(dead, recorder)).ok());
  EXPECT_FALSE(ParquetStreamWriter::Resume(state, {.runtime = Told(recorder), .store = dead}).ok());
  EXPECT_THAT(recorder->kinds(), ElementsAre("failed", "failed", "failed", "failed"));
  std::vector<WriteStep> steps;
  for (const WriteEvent& event : recorder->events()) {
    EXPECT_EQ(event.error, ErrorKind::kDenied);
    EXPECT_EQ(event.write_id, state.write_id);
    steps.push_back(event.step);
  }
  EXPECT_THAT(steps, ElementsAre(WriteStep::kFinish, WriteStep::kCommit, WriteStep::kAbort, WriteStep::kResume));
}

TEST(Events, AnObserverThatThrowsDoesNotBreakTheWrite) {
  struct Thrower final : Observer {
    void OnEvent(const WriteEvent&) override { throw std::string("no"); }
  };
  auto store = MemoryStore::Make();
  auto thrower = std::make_shared<Thrower>();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Told(thrower)));
  ASSERT_OK(WriteUpTo(writer.get(), 600, 100));
  ASSERT_OK(writer->Checkpoint());
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 100));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, On(store, thrower)));
  ASSERT_OK_AND_ASSIGN(const std::string whole, UninterruptedBytes({600}, 1000, SmallFile()));
  EXPECT_TRUE(store->Content("k") == whole);
}

// Threads encode and upload meanwhile; the recorder fails the test if two events come at once.
TEST(Events, ComeOneAtATimeFromAPoolOfThreads) {
  auto store = MemoryStore::Make();
  RuntimeOptions runtime = Inline();
  runtime.executor = MakeThreadPool(4);
  for (int round = 0; round < 20; ++round) {
    auto one = std::make_shared<EventRecorder>();
    runtime.observer = one;
    auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), runtime).ValueOrDie();
    ASSERT_OK(WriteUpTo(writer.get(), 1500, 300));
    ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
    writer.reset();
    ExpectOneLife(*one, EventKind::kOpened);
    EXPECT_EQ(one->events().back().stored_bytes, pending.size_bytes);
    ASSERT_OK(Abort(pending, On(store)));
  }
}

TEST(Events, MetricsOfAWholeLife) {
  auto store = MemoryStore::Make();
  ASSERT_OK_AND_ASSIGN(auto metrics, PrometheusMetrics::Make());
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Told(metrics)));
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 100));
  EXPECT_THAT(metrics->ToText(), HasSubstr("\ntailrace_open_writers{store=\"memory\"} 1\n"));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, On(store, metrics)));
  const std::string text = metrics->ToText();
  EXPECT_THAT(text, HasSubstr("tailrace_open_writers{store=\"memory\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("tailrace_committed_rows_total{store=\"memory\"} 1000\n"));
  EXPECT_THAT(text, HasSubstr("tailrace_stored_bytes_total{store=\"memory\"} " + std::to_string(pending.size_bytes)));
  EXPECT_THAT(text, HasSubstr("tailrace_part_duration_seconds_count{store=\"memory\"} " +
                              std::to_string(pending.receipts.size())));
}

}  // namespace
}  // namespace tailrace::sim
