// Promise P5: the bytes of the final object are those of the uninterrupted writer with the same flush points, whatever
// the batching and however often the write was taken over. Promise P2: every state finishes with exactly its rows.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

// Another process: it has nothing but the bytes of the state.
Result<std::unique_ptr<ParquetStreamWriter>> TakeOver(const WriterState& state, std::shared_ptr<MultipartStore> store) {
  ARROW_ASSIGN_OR_RAISE(WriterState fresh, WriterState::FromBytes(state.ToBytes()));
  return ParquetStreamWriter::Resume(fresh, {.runtime = Inline(), .store = std::move(store)});
}

Result<std::string> CommitAndRead(ParquetStreamWriter* writer, MemoryStore* store,
                                  std::shared_ptr<MultipartStore> shared) {
  ARROW_ASSIGN_OR_RAISE(PendingCommit pending, writer->Close());
  ARROW_ASSIGN_OR_RAISE(PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
  ARROW_RETURN_NOT_OK(Commit(fresh, {.store = std::move(shared)}));
  return store->Content("k").value();
}

TEST(P5ResumeBytes, ACheckpointAndResumeAtEveryBatchGiveTheUninterruptedBytes) {
  constexpr int64_t kRows = 3000, kBatch = 250;
  std::vector<int64_t> checkpoints;
  for (int64_t row = kBatch; row < kRows; row += kBatch) checkpoints.push_back(row);
  ASSERT_OK_AND_ASSIGN(std::string expected, UninterruptedBytes(checkpoints, kRows, SmallFile()));

  auto store = MemoryStore::Make();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()));
  for (int64_t row : checkpoints) {
    ASSERT_OK(WriteUpTo(writer.get(), row, 99));
    ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
    EXPECT_EQ(state.rows(), row);
    ASSERT_OK_AND_ASSIGN(writer, TakeOver(state, store));
    EXPECT_EQ(writer->rows(), row);
    EXPECT_THAT(writer->warnings(), ::testing::IsEmpty());
  }
  ASSERT_OK(WriteUpTo(writer.get(), kRows, 101));
  ASSERT_OK_AND_ASSIGN(std::string actual, CommitAndRead(writer.get(), store.get(), store));
  EXPECT_TRUE(actual == expected);
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(actual));
  EXPECT_EQ(counters, Counted(kRows));
}

TEST(P2EveryStateFinishes, WithExactlyItsRows) {
  constexpr int64_t kRows = 2000, kBatch = 200;
  for (int64_t stop = 0; stop <= kRows; stop += kBatch) {
    auto store = MemoryStore::Make();
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()));
    std::optional<WriterState> state;
    for (int64_t row = 0; row <= kRows; row += kBatch) {
      ASSERT_OK(WriteUpTo(writer.get(), row, 64));
      ASSERT_OK_AND_ASSIGN(WriterState taken, writer->Checkpoint());
      if (row == stop) state = taken;
    }
    EXPECT_EQ(store->Content("k"), std::nullopt) << "visible before it was finished";
    ASSERT_OK_AND_ASSIGN(WriterState fresh, WriterState::FromBytes(state->ToBytes()));
    ASSERT_OK_AND_ASSIGN(CommitInfo info, Finish(fresh, {.store = store}));
    EXPECT_EQ(info.rows, stop);
    ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(store->Content("k").value()));
    EXPECT_EQ(counters, Counted(stop));
    EXPECT_THAT(store->Uploads(), ::testing::IsEmpty());
  }
}

class RandomHistories : public ::testing::TestWithParam<uint64_t> {};

// Checkpoints at random rows, batches of random sizes, a writer that goes on for a while after its last checkpoint and
// is lost, resumes from the last state; threads on or off.
TEST_P(RandomHistories, GiveTheUninterruptedBytes) {
  std::mt19937_64 random(GetParam());
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const int64_t rows = 500 + below(6000);
  FileOptions options = SmallFile();
  options.parquet.row_group_rows = 1 + below(3000);
  options.part_size_bytes = 1024 + below(40000);
  RuntimeOptions runtime = Inline();
  runtime.memory_budget_bytes = 4 << 20;
  if (below(2) == 0) runtime.executor = MakeThreadPool(3);

  auto store = MemoryStore::Make();
  std::vector<int64_t> checkpoints;
  std::optional<WriterState> last;
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), options, runtime));
  while (writer->rows() < rows) {
    ASSERT_OK(WriteUpTo(writer.get(), std::min(rows, writer->rows() + 1 + below(1500)), 1 + below(700)));
    const int64_t dice = below(3);
    if (dice > 0) {
      ASSERT_OK_AND_ASSIGN(last, writer->Checkpoint());
      if (checkpoints.empty() || checkpoints.back() != last->rows()) checkpoints.push_back(last->rows());
    }
    if (dice == 2 || (last && below(4) == 0)) {
      writer.reset();  // lost, with the parts that it stored since
      ASSERT_OK_AND_ASSIGN(WriterState fresh, WriterState::FromBytes(last->ToBytes()));
      ASSERT_OK_AND_ASSIGN(writer, ParquetStreamWriter::Resume(fresh, {.runtime = runtime, .store = store}));
    }
  }
  ASSERT_OK_AND_ASSIGN(std::string actual, CommitAndRead(writer.get(), store.get(), store));
  ASSERT_OK_AND_ASSIGN(std::string expected, UninterruptedBytes(checkpoints, rows, options));
  EXPECT_TRUE(actual == expected) << "seed " << GetParam();
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(actual));
  EXPECT_EQ(counters, Counted(rows));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomHistories, ::testing::Range<uint64_t>(0, 60));

}  // namespace
}  // namespace tailrace::sim
