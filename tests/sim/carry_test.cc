// Checkpoints that leave the row group open (docs/adr/0010). P5: they leave no trace in the file, whatever becomes of
// the writer behind them. P2 and P4: such a state finishes as any, with exactly its rows.
#include <functional>
#include <optional>
#include <random>

#include <arrow/record_batch.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

FileOptions Carrying(int64_t carry_max_bytes = 96 << 10) {
  FileOptions options = SmallFile();
  options.checkpoint_mode = CheckpointMode::kCarry;
  options.carry_max_bytes = carry_max_bytes;
  return options;
}

std::unique_ptr<ParquetStreamWriter> Open(const std::shared_ptr<MultipartStore>& store, const FileOptions& options) {
  return ParquetStreamWriter::Open(store, "k", RowSchema(), options, Inline()).ValueOrDie();
}

// Another process: it has nothing but the bytes of the state.
Result<std::unique_ptr<ParquetStreamWriter>> TakeOver(const WriterState& state, std::shared_ptr<MultipartStore> store,
                                                      const RuntimeOptions& runtime = Inline()) {
  ARROW_ASSIGN_OR_RAISE(WriterState fresh, WriterState::FromBytes(state.ToBytes()));
  return ParquetStreamWriter::Resume(fresh, {.runtime = runtime, .store = std::move(store)});
}

Result<std::string> CommitAndRead(ParquetStreamWriter* writer, const std::shared_ptr<MemoryStore>& store) {
  ARROW_ASSIGN_OR_RAISE(PendingCommit pending, writer->Close());
  ARROW_ASSIGN_OR_RAISE(PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
  ARROW_RETURN_NOT_OK(Commit(fresh, {.store = store}));
  return store->Content("k").value();
}

WriterState StateAt(ParquetStreamWriter* writer, int64_t rows) {
  MustBeOk(WriteUpTo(writer, rows, 70));
  WriterState state = writer->Checkpoint().ValueOrDie();
  EXPECT_EQ(state.rows(), rows);
  EXPECT_EQ(writer->durable_rows(), rows);
  return state;
}

TEST(P5CarriedRows, AWriterLostAndTakenOverAtAnyRowGivesTheBytesOfNoCheckpoint) {
  constexpr int64_t kRows = 2500;
  ASSERT_OK_AND_ASSIGN(const std::string expected, UninterruptedBytes({}, kRows, SmallFile()));
  int carried = 0;
  for (int64_t row = 1; row < kRows; row += 83) {
    SCOPED_TRACE(row);
    auto store = MemoryStore::Make();
    auto writer = Open(store, Carrying());
    WriterState state = StateAt(writer.get(), row);
    carried += !state.carried.empty();
    ASSERT_OK(WriteUpTo(writer.get(), std::min(kRows, row + 700), 200));
    // Twice in a row: the second from a state that holds what the first had restored.
    ASSERT_OK_AND_ASSIGN(writer, TakeOver(state, store));
    EXPECT_EQ(writer->rows(), row);
    EXPECT_EQ(writer->durable_rows(), row);
    ASSERT_OK_AND_ASSIGN(WriterState again, writer->Checkpoint());
    EXPECT_EQ(again.rows(), row);
    EXPECT_EQ(again.content, state.content);
    ASSERT_OK_AND_ASSIGN(writer, TakeOver(again, store));
    ASSERT_OK(WriteUpTo(writer.get(), kRows, 333));
    ASSERT_OK_AND_ASSIGN(const std::string actual, CommitAndRead(writer.get(), store));
    EXPECT_TRUE(actual == expected);
  }
  EXPECT_GT(carried, 25);
}

TEST(P5CarriedRows, SixHundredCheckpointsInOneRowGroupLeaveItOne) {
  constexpr int64_t kRows = 600;
  FileOptions options = Carrying(int64_t{1} << 20);
  options.parquet.row_group_bytes = 256 << 10;
  RuntimeOptions runtime = Inline();
  runtime.memory_budget_bytes = 2 << 20;
  auto store = MemoryStore::Make();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), options, runtime));
  for (int64_t row = 1; row <= kRows; ++row) {
    ASSERT_OK(WriteUpTo(writer.get(), row, 1));
    ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
    ASSERT_EQ(state.rows(), row);
    ASSERT_EQ(state.carried.rows(), row);
  }
  ASSERT_OK(WriteUpTo(writer.get(), 2 * kRows, 100));
  ASSERT_OK_AND_ASSIGN(const std::string actual, CommitAndRead(writer.get(), store));
  ASSERT_OK_AND_ASSIGN(const std::string expected, UninterruptedBytes({}, 2 * kRows, options, runtime));
  EXPECT_TRUE(actual == expected);
}

// The rows at which checkpoints every 100 rows ended a row group.
std::vector<int64_t> FlushPoints(int64_t rows, const FileOptions& options, int64_t batch_rows,
                                 const std::shared_ptr<Executor>& executor) {
  RuntimeOptions runtime = Inline();
  runtime.executor = executor;
  auto writer = ParquetStreamWriter::Open(MemoryStore::Make(), "k", RowSchema(), options, runtime).ValueOrDie();
  std::vector<int64_t> flushed;
  for (int64_t row = 100; row <= rows; row += 100) {
    MustBeOk(WriteUpTo(writer.get(), row, batch_rows));
    if (writer->Checkpoint().ValueOrDie().carried.empty()) flushed.push_back(row);
  }
  return flushed;
}

TEST(P5CarriedRows, ACopyBeyondTheMostIsDroppedAndACheckpointEndsTheRowGroup) {
  const FileOptions options = Carrying(16 << 10);
  const std::vector<int64_t> flushed = FlushPoints(3000, options, 100, MakeInlineExecutor());
  EXPECT_GT(flushed.size(), 3u);
  EXPECT_LT(flushed.size(), 20u);
  // By the rows alone.
  EXPECT_EQ(FlushPoints(3000, options, 7, MakeInlineExecutor()), flushed);
  EXPECT_EQ(FlushPoints(3000, options, 100, MakeThreadPool(3)), flushed);

  auto store = MemoryStore::Make();
  auto writer = Open(store, options);
  for (int64_t row = 100; row <= 3000; row += 100) {
    const WriterState state = StateAt(writer.get(), row);
    EXPECT_LE(state.carried.size_bytes(), 16 << 10);
    EXPECT_EQ(state.carried.empty(), std::count(flushed.begin(), flushed.end(), row) == 1);
    ASSERT_OK_AND_ASSIGN(writer, TakeOver(state, store));
  }
  ASSERT_OK_AND_ASSIGN(const std::string actual, CommitAndRead(writer.get(), store));
  ASSERT_OK_AND_ASSIGN(const std::string expected, UninterruptedBytes(flushed, 3000, SmallFile()));
  EXPECT_TRUE(actual == expected);
}

TEST(P5CarriedRows, AFlushAfterACarryEndsTheRowGroup) {
  auto store = MemoryStore::Make();
  auto writer = Open(store, Carrying());
  ASSERT_FALSE(StateAt(writer.get(), 300).carried.empty());
  ASSERT_OK(WriteUpTo(writer.get(), 400, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState flushed, writer->Checkpoint(CheckpointMode::kFlush));
  EXPECT_TRUE(flushed.carried.empty());
  EXPECT_EQ(flushed.content.row_groups.size(), 1u);
  const WriterState carried = StateAt(writer.get(), 500);
  EXPECT_EQ(carried.carried.rows(), 100);
  EXPECT_EQ(carried.content, flushed.content);
  ASSERT_OK_AND_ASSIGN(const std::string actual, CommitAndRead(writer.get(), store));
  ASSERT_OK_AND_ASSIGN(const std::string expected, UninterruptedBytes({400}, 500, SmallFile()));
  EXPECT_TRUE(actual == expected);
}

TEST(Carry, AResumeMayChangeTheMode) {
  auto store = MemoryStore::Make();
  auto writer = Open(store, SmallFile());
  ASSERT_OK(WriteUpTo(writer.get(), 100, 100));
  const Status refused = writer->Checkpoint(CheckpointMode::kCarry).status();
  EXPECT_KIND(ErrorKind::kInvalid, refused);
  EXPECT_THAT(refused.message(), HasSubstr("checkpoint_mode"));
  ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
  EXPECT_TRUE(state.carried.empty());
  FileOptions carrying = Carrying();
  state.options.carry_max_bytes = carrying.carry_max_bytes;
  ResumeOptions options{.runtime = Inline(), .store = store, .checkpoint_mode = CheckpointMode::kCarry};
  ASSERT_OK_AND_ASSIGN(writer, ParquetStreamWriter::Resume(state, options));
  state = StateAt(writer.get(), 200);
  EXPECT_EQ(state.carried.rows(), 100);
  // Rows that are carried are taken over in either mode.
  options.checkpoint_mode = CheckpointMode::kFlush;
  ASSERT_OK_AND_ASSIGN(writer, ParquetStreamWriter::Resume(state, options));
  state = StateAt(writer.get(), 300);
  EXPECT_TRUE(state.carried.empty());
  EXPECT_EQ(state.content.row_groups.size(), 2u);
}

TEST(P2CarriedRows, EveryStateFinishesOnceWithExactlyItsRows) {
  constexpr int64_t kRows = 2000;
  for (int64_t row = 50; row <= kRows; row += 130) {
    SCOPED_TRACE(row);
    auto store = MemoryStore::Make();
    auto writer = Open(store, Carrying());
    WriterState state;
    for (int64_t at = 50; at <= row; at += 130) state = StateAt(writer.get(), at);
    ASSERT_OK(WriteUpTo(writer.get(), kRows, 300));
    ASSERT_OK_AND_ASSIGN(const WriterState fresh, WriterState::FromBytes(state.ToBytes()));
    ASSERT_OK_AND_ASSIGN(const CommitInfo info, Finish(fresh, {.store = store}));
    EXPECT_EQ(info.rows, row);
    EXPECT_FALSE(info.already_committed);
    const std::string bytes = store->Content("k").value();
    ASSERT_OK_AND_ASSIGN(const std::vector<int64_t> counters, CountersOf(bytes));
    EXPECT_EQ(counters, Counted(row));
    EXPECT_THAT(store->Uploads(), IsEmpty());
    ASSERT_OK_AND_ASSIGN(const CommitInfo again, Finish(fresh, {.store = store}));
    EXPECT_TRUE(again.already_committed);
    EXPECT_KIND(ErrorKind::kFenced, TakeOver(fresh, store));
  }
}

// Equal rows encoded into other bytes, as another version of the library might: only the codec differs.
TEST(P4CarriedRows, AnotherVersionKnowsWhatItEncodesOtherwise) {
  for (int64_t row : {200, 1700}) {
    auto store = MemoryStore::Make({.opaque_etags = true, .object_crc64 = false});
    auto writer = Open(store, Carrying());
    WriterState state = StateAt(writer.get(), row);
    ASSERT_FALSE(state.carried.empty());
    WriterState other_version = state;
    other_version.options.parquet.codec = Codec::kSnappy;
    WriterState other_rows = StateAt(writer.get(), row + 1);
    ASSERT_OK(Finish(state, {.store = store}));
    ASSERT_OK_AND_ASSIGN(const CommitInfo again, Finish(other_version, {.store = store}));
    EXPECT_TRUE(again.already_committed);
    EXPECT_KIND(ErrorKind::kFenced, Finish(other_rows, {.store = store}));
  }
}

TEST(Carry, DamagedRowsAreRefusedBeforeTheUploadIsTouched) {
  auto store = MemoryStore::Make();
  auto writer = Open(store, Carrying());
  WriterState state = StateAt(writer.get(), 500);
  writer.reset();
  WriterState damaged = state;
  damaged.carried.chunks[0].rows += 1;
  const auto before = store->calls();
  EXPECT_KIND(ErrorKind::kBadState, Finish(damaged, {.store = store}));
  EXPECT_KIND(ErrorKind::kBadState, TakeOver(damaged, store));
  damaged = state;
  damaged.options.parquet.row_group_rows = 500;
  EXPECT_KIND(ErrorKind::kBadState, Finish(damaged, {.store = store}));
  EXPECT_KIND(ErrorKind::kBadState, TakeOver(damaged, store));
  EXPECT_EQ(store->calls().open_upload, before.open_upload);
  ASSERT_OK(Finish(state, {.store = store}));
}

class RandomCarries : public ::testing::TestWithParam<uint64_t> {};

// Checkpoints of either kind at random rows, writers that are lost behind them, batches of any size; threads, adaptive
// columns and the size of parts vary. Only the checkpoints that ended a row group count.
TEST_P(RandomCarries, GiveTheBytesOfTheFlushPointsAlone) {
  std::mt19937_64 random(GetParam());
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const int64_t rows = 500 + below(5000);
  FileOptions options = Carrying(1 + below(100'000));
  options.parquet.row_group_rows = 1 + below(3000);
  options.parquet.adaptive = below(2) == 0;
  options.part_size_bytes = 1024 + below(40000);
  RuntimeOptions runtime = Inline();
  runtime.memory_budget_bytes = 4 << 20;
  if (below(2) == 0) runtime.executor = MakeThreadPool(3);

  auto store = MemoryStore::Make();
  std::vector<int64_t> flushed;
  std::optional<WriterState> last;
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), options, runtime));
  while (writer->rows() < rows) {
    ASSERT_OK(WriteUpTo(writer.get(), std::min(rows, writer->rows() + 1 + below(900)), 1 + below(700)));
    const int64_t dice = below(6);
    if (dice > 0) {
      ASSERT_OK_AND_ASSIGN(last, dice == 1 ? writer->Checkpoint(CheckpointMode::kFlush) : writer->Checkpoint());
      EXPECT_EQ(last->rows(), writer->rows());
      const bool again = !flushed.empty() && flushed.back() == last->rows();
      if (last->carried.empty() && !again) flushed.push_back(last->rows());
    }
    if (dice == 5 || (last && below(4) == 0)) {
      writer.reset();  // lost, with the parts that it stored since
      ASSERT_OK_AND_ASSIGN(writer, TakeOver(*last, store, runtime));
    }
  }
  ASSERT_OK_AND_ASSIGN(const std::string actual, CommitAndRead(writer.get(), store));
  ASSERT_OK_AND_ASSIGN(const std::string expected, UninterruptedBytes(flushed, rows, options));
  EXPECT_TRUE(actual == expected) << "seed " << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCarries, ::testing::Range<uint64_t>(0, 60));

}  // namespace
}  // namespace tailrace::sim
