// How writes end whose states carry rows: larger than a part, around stray parts, after a crash at any request, by
// several processes at once.
#include <mutex>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fault_store.h"
#include "testing/rounds.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

// The carried rows become several parts.
FileOptions Carrying() {
  FileOptions options = SmallFile();
  options.part_size_bytes = 4 << 10;
  options.checkpoint_mode = CheckpointMode::kCarry;
  options.carry_max_bytes = 96 << 10;
  return options;
}

std::shared_ptr<MemoryStore> RefusingStore() {
  StoreLimits limits;
  limits.stray_parts = StrayParts::kRefused;
  limits.reads_settle_at_once = true;
  return MemoryStore::Make({.limits = limits, .equal_parts = true, .object_crc64 = false});
}

CommitOptions On(const std::shared_ptr<MultipartStore>& store) {
  return {.store = store, .settle_timeout = std::chrono::milliseconds(0)};
}

// A state at `rows`, and a writer behind it that stored parts up to `lost_at` before it was lost.
WriterState WithStrays(const std::shared_ptr<MultipartStore>& store, int64_t rows, int64_t lost_at) {
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), Carrying(), Inline()).ValueOrDie();
  MustBeOk(WriteUpTo(writer.get(), rows, 250));
  WriterState state = writer->Checkpoint().ValueOrDie();
  EXPECT_GT(state.carried.size_bytes(), 2 * state.options.part_size_bytes);
  MustBeOk(WriteUpTo(writer.get(), lost_at, 250));
  return state;
}

void ExpectRows(const MemoryStore& store, int64_t rows) {
  ASSERT_TRUE(store.Content("k").has_value());
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(*store.Content("k")));
  EXPECT_EQ(counters, Counted(rows));
  EXPECT_TRUE(store.Uploads().empty());
}

TEST(CarriedEnds, RowsOfManyPartsAreFinishedOnAnyStore) {
  for (const auto& store : {MemoryStore::Make(), MemoryStore::Make({.equal_parts = true}), RefusingStore()}) {
    for (int64_t lost_at : {600, 2500, 9000}) {
      const WriterState state = WithStrays(store, 600, lost_at);
      ASSERT_OK_AND_ASSIGN(CommitInfo info, Finish(state, On(store)));
      EXPECT_EQ(info.rows, 600);
      EXPECT_EQ(info.size_bytes, static_cast<int64_t>(store->Content("k")->size()));
      ExpectRows(*store, 600);
      ASSERT_OK_AND_ASSIGN(CommitInfo again, Finish(state, On(store)));
      EXPECT_TRUE(again.already_committed);
    }
  }
}

TEST(CarriedEnds, FinishAfterACrashAtAnyRequestEndsTheSame) {
  std::optional<std::string> calm;
  for (int64_t nth = 0, fired = 1; fired > 0; ++nth) {
    SCOPED_TRACE(nth);
    auto store = RefusingStore();
    const WriterState state = WithStrays(store, 600, 5000);
    auto faulty = std::make_shared<FaultStore>(store, FailFrom(nth, ErrorKind::kTransient));
    (void)Finish(state, On(faulty));  // dies there
    fired = faulty->fired();
    ASSERT_OK(Finish(state, On(store)));
    ExpectRows(*store, 600);
    if (!calm) calm = store->Content("k");
    EXPECT_TRUE(store->Content("k") == calm);
    ASSERT_LT(nth, 200);
  }
}

TEST(CarriedEnds, AResumeBehindStraysCommits) {
  auto store = RefusingStore();
  const WriterState state = WithStrays(store, 600, 9000);
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
  ASSERT_OK(WriteUpTo(writer.get(), 700, 50));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  writer.reset();
  ASSERT_OK_AND_ASSIGN(PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
  ASSERT_TRUE(fresh.state.has_value());
  EXPECT_TRUE(fresh.state->carried.empty());
  ASSERT_OK(Commit(fresh, On(store)));
  ExpectRows(*store, 700);
}

// Requests of one process, delayed at random so that the orders differ.
std::shared_ptr<MultipartStore> Jittery(std::shared_ptr<MultipartStore> store, uint64_t seed) {
  auto random = std::make_shared<std::mt19937_64>(seed);
  auto mutex = std::make_shared<std::mutex>();
  return std::make_shared<FaultStore>(std::move(store), [random, mutex](const FaultPoint&) {
    std::chrono::microseconds wait;
    {
      std::lock_guard lock(*mutex);
      wait = std::chrono::microseconds((*random)() % 300);
    }
    std::this_thread::sleep_for(wait);
    return Status::OK();
  });
}

Status ResumeAndCommit(const WriterState& state, const std::shared_ptr<MultipartStore>& store, int64_t rows) {
  ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
  ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), rows, 100));
  ARROW_ASSIGN_OR_RAISE(PendingCommit pending, writer->Close());
  return Commit(pending, On(store)).status();
}

TEST(CarriedEnds, AFinishBesideAResumeHasAtMostOneWinner) {
  int won = 0;
  for (int round = 0; round < Rounds(40); ++round) {
    SCOPED_TRACE(round);
    auto store = MemoryStore::Make({.opaque_etags = round % 2 == 1});
    const WriterState state = WithStrays(store, 600, 600);
    Status finished[2], resumed;
    {
      std::jthread one([&] { finished[0] = Finish(state, On(Jittery(store, round * 3))).status(); });
      std::jthread two([&] { finished[1] = Finish(state, On(Jittery(store, round * 3 + 1))).status(); });
      std::jthread three([&] { resumed = ResumeAndCommit(state, Jittery(store, round * 3 + 2), 1500); });
    }
    const bool finish_won = finished[0].ok() || finished[1].ok();
    EXPECT_FALSE(finish_won && resumed.ok());
    for (const Status& status : {finished[0], finished[1], resumed}) {
      const Outcome outcome = OutcomeOf(status);
      EXPECT_TRUE(status.ok() || outcome == Outcome::kFenced || outcome == Outcome::kGone || outcome == Outcome::kRetry)
          << status.ToString();
    }
    if (finish_won || resumed.ok()) {
      ExpectRows(*store, finish_won ? 600 : 1500);
      ++won;
    } else if (store->Content("k") == std::nullopt) {
      ASSERT_OK(Finish(state, On(store)));
      ExpectRows(*store, 600);
    }
  }
  RecordProperty("rounds_with_a_winner", won);
}

}  // namespace
}  // namespace tailrace::sim
