// Promise P5: many processes hold values of one write and act at once. At most one content wins, it is whole and all
// from one writer, nobody else is told success; where nobody wins, the common state still finishes.
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fault_store.h"
#include "testing/rounds.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

// Another process in the same test: its own threads of calls, delayed at random so that the orders differ.
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

WriterState StateAt(ParquetStreamWriter* writer, int64_t rows) {
  MustBeOk(WriteUpTo(writer, rows, 250));
  return writer->Checkpoint().ValueOrDie();
}

void ExpectLoser(const Status& status) {
  const Outcome outcome = OutcomeOf(status);
  EXPECT_TRUE(outcome == Outcome::kFenced || outcome == Outcome::kGone || outcome == Outcome::kRetry)
      << status.ToString();
}

CommitOptions On(const std::shared_ptr<MultipartStore>& store) {
  return {.store = store, .settle_timeout = std::chrono::milliseconds(0)};
}

TEST(P5Races, FinishersOfOneStateAllSucceedWithOneObject) {
  for (int round = 0; round < Rounds(40); ++round) {
    auto store = MemoryStore::Make({.opaque_etags = round % 2 == 1});
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()));
    const WriterState state = StateAt(writer.get(), 1000);
    std::vector<Status> results(3);
    {
      std::vector<std::jthread> threads;
      for (size_t i = 0; i < results.size(); ++i) {
        threads.emplace_back([&, i] { results[i] = Finish(state, On(Jittery(store, round * 10 + i))).status(); });
      }
    }
    // With opaque tags they may replace each other's equal parts for a while; one at least ends it.
    int committed = 0;
    for (const Status& status : results) {
      committed += status.ok();
      EXPECT_TRUE(status.ok() || OutcomeOf(status) == Outcome::kRetry) << status.ToString();
    }
    if (committed == 0) {
      ASSERT_OK(Finish(state, On(store)));
    }
    ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(store->Content("k").value()));
    EXPECT_EQ(counters, Counted(1000));
  }
}

TEST(P5Races, FinishersOfDifferentStatesHaveAtMostOneWinner) {
  for (int round = 0; round < Rounds(40); ++round) {
    SCOPED_TRACE(round);
    auto store = MemoryStore::Make({.object_crc64 = round % 2 == 0});
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()));
    const WriterState states[] = {StateAt(writer.get(), 700), StateAt(writer.get(), 1400)};
    Status results[2];
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&, i] { results[i] = Finish(states[i], On(Jittery(store, round * 10 + i))).status(); });
      }
    }
    EXPECT_FALSE(results[0].ok() && results[1].ok());
    for (int i = 0; i < 2; ++i) {
      if (!results[i].ok()) {
        ExpectLoser(results[i]);
        continue;
      }
      ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(store->Content("k").value()));
      EXPECT_EQ(counters, Counted(states[i].rows()));
    }
    if (!results[0].ok() && !results[1].ok()) {
      EXPECT_EQ(store->Content("k"), std::nullopt);
      ASSERT_OK(Finish(states[0], On(store)));
    }
  }
}

// What a process does that holds a writer: goes on with its own flush points, closes, commits.
Status GoOn(std::unique_ptr<ParquetStreamWriter> writer, const std::shared_ptr<MultipartStore>& store,
            int64_t flush_rows, int64_t rows) {
  while (writer->rows() < rows) {
    ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), std::min(rows, writer->rows() + flush_rows), 100));
    ARROW_RETURN_NOT_OK(writer->Checkpoint());
  }
  ARROW_ASSIGN_OR_RAISE(PendingCommit pending, writer->Close());
  return Commit(pending, On(store)).status();
}

TEST(P5Races, AStaleWriterBesideResumedOnesHasAtMostOneWinnerAndNeverMixes) {
  int won = 0;
  for (int round = 0; round < Rounds(40); ++round) {
    SCOPED_TRACE(round);
    auto store = MemoryStore::Make({.opaque_etags = round % 3 == 0, .object_crc64 = round % 2 == 0});
    constexpr int64_t kFlushes[] = {500, 350, 420};
    std::vector<std::string> possible;
    for (int64_t flush : kFlushes) {
      std::vector<int64_t> checkpoints = {600};
      for (int64_t row = 600 + flush; row < 2000; row += flush) checkpoints.push_back(row);
      checkpoints.push_back(2000);
      ASSERT_OK_AND_ASSIGN(std::string bytes, UninterruptedBytes(checkpoints, 2000, SmallFile()));
      possible.push_back(std::move(bytes));
    }
    std::vector<std::shared_ptr<MultipartStore>> seen_by;
    for (uint64_t i = 0; i < 3; ++i) seen_by.push_back(Jittery(store, round * 10 + i));
    ASSERT_OK_AND_ASSIGN(auto stale, ParquetStreamWriter::Open(seen_by[0], "k", RowSchema(), SmallFile(), Inline()));
    const WriterState base = StateAt(stale.get(), 600);
    std::vector<std::unique_ptr<ParquetStreamWriter>> writers;
    writers.push_back(std::move(stale));
    for (size_t i = 1; i < 3; ++i) {
      ASSERT_OK_AND_ASSIGN(auto resumed, ParquetStreamWriter::Resume(base, {.runtime = Inline(), .store = seen_by[i]}));
      writers.push_back(std::move(resumed));
    }
    std::vector<Status> results(3);
    {
      std::vector<std::jthread> threads;
      for (size_t i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] { results[i] = GoOn(std::move(writers[i]), seen_by[i], kFlushes[i], 2000); });
      }
    }
    int winners = 0;
    for (size_t i = 0; i < 3; ++i) {
      if (!results[i].ok()) {
        ExpectLoser(results[i]);
        continue;
      }
      ++winners;
      EXPECT_TRUE(store->Content("k") == possible[i]) << "the object is not what writer " << i << " wrote";
    }
    EXPECT_LE(winners, 1);
    won += winners;
    if (winners == 0) {
      EXPECT_EQ(store->Content("k"), std::nullopt);
      ASSERT_OK(Finish(base, On(store)));
      ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(store->Content("k").value()));
      EXPECT_EQ(counters, Counted(600));
    }
  }
  RecordProperty("rounds_with_a_winner", won);
}

}  // namespace
}  // namespace tailrace::sim
