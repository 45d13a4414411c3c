// Parts that get longer with their number, on a scaled-down store: twenty parts of 1 to 64 KiB. A file that twenty
// equal ones could not hold is written, killed, resumed, finished, and laid out around what a lost process left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fault_store.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kKiB = 1 << 10;

StoreLimits ScaledDown() {
  StoreLimits limits;
  limits.min_part_bytes = kKiB;
  limits.max_part_bytes = 64 * kKiB;
  limits.max_parts = 20;
  limits.reads_settle_at_once = true;
  return limits;
}

std::shared_ptr<MemoryStore> Store() { return MemoryStore::Make({.limits = ScaledDown()}); }

std::shared_ptr<MemoryStore> RefusingStore() {
  StoreLimits limits = ScaledDown();
  limits.stray_parts = StrayParts::kRefused;
  return MemoryStore::Make({.limits = limits, .object_crc64 = false});
}

FileOptions Growing() {
  FileOptions options = SmallFile();
  options.part_size_bytes = kKiB;
  options.inline_max_bytes = 0;
  options.parquet.row_group_bytes = 32 * kKiB;
  options.growing_parts = true;
  return options;
}

CommitOptions On(const std::shared_ptr<MultipartStore>& store) {
  return {.store = store, .settle_timeout = std::chrono::milliseconds(0)};
}

std::unique_ptr<ParquetStreamWriter> OpenOn(const std::shared_ptr<MultipartStore>& store, const FileOptions& options) {
  return ParquetStreamWriter::Open(store, "k", RowSchema(), options, Inline()).ValueOrDie();
}

void ExpectRows(const MemoryStore& store, int64_t rows) {
  ASSERT_TRUE(store.Content("k").has_value());
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(*store.Content("k")));
  EXPECT_EQ(counters, Counted(rows));
  EXPECT_TRUE(store.Uploads().empty());
}

// Every part but the last has the length that the state's function says.
void ExpectLengths(const MemoryStore& store, const PartLengths& lengths) {
  ASSERT_TRUE(lengths.grows());
  ASSERT_EQ(store.Uploads().size(), 1u);
  const auto parts = store.Uploads().begin()->second.parts;
  ASSERT_FALSE(parts.empty());
  for (const auto& [number, bytes] : parts) {
    if (number == parts.rbegin()->first) break;
    EXPECT_EQ(static_cast<int64_t>(bytes.size()), lengths.LengthOf(number)) << number;
  }
}

// Writes until there is no room.
Status Fill(ParquetStreamWriter* writer) {
  for (;;) ARROW_RETURN_NOT_OK(WriteUpTo(writer, writer->rows() + 20, 20));
}

TEST(GrowingParts, HoldWhatEqualOnesCannotAndSayWhenTheyAreFull) {
  auto equal_store = Store();
  FileOptions equal = Growing();
  equal.growing_parts = false;
  auto short_writer = OpenOn(equal_store, equal);
  const Status early = Fill(short_writer.get());
  EXPECT_EQ(KindOf(early), ErrorKind::kLimit);
  EXPECT_THAT(early.message(), AllOf(HasSubstr("20 parts of part_size_bytes = 1024"), HasSubstr("max_parts"),
                                     HasSubstr("expected_bytes"), HasSubstr("growing_parts")));

  auto store = Store();
  auto writer = OpenOn(store, Growing());
  const Status full = Fill(writer.get());
  EXPECT_EQ(KindOf(full), ErrorKind::kLimit);
  EXPECT_THAT(full.message(), AllOf(HasSubstr("part_size_bytes = 1024 growing to 65536"), HasSubstr("max_parts"),
                                    HasSubstr("memory_budget_bytes")));
  // The rows that were refused are not missed: it closes, and its last state finishes.
  const int64_t rows = writer->rows();
  EXPECT_GT(rows, 10 * short_writer->rows());
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  EXPECT_LE(pending.receipts.size(), 20u);
  EXPECT_GT(pending.size_bytes, 5 * 20 * kKiB);
  ExpectLengths(*store, state.progress.part_lengths);
  ASSERT_OK(Commit(pending, On(store)));
  ExpectRows(*store, rows);
}

TEST(GrowingParts, AKilledWriteIsResumedAndFinishedByOthers) {
  auto store = Store();
  const FileOptions options = Growing();
  std::string bytes;
  {
    auto first = OpenOn(store, options);
    ASSERT_OK(WriteUpTo(first.get(), 700, 100));
    ASSERT_OK_AND_ASSIGN(WriterState state, first->Checkpoint());
    bytes = state.ToBytes();
    ASSERT_OK(WriteUpTo(first.get(), 1100, 100));  // lost
  }
  {
    ASSERT_OK_AND_ASSIGN(WriterState state, WriterState::FromBytes(bytes));
    ASSERT_GT(state.progress.receipts.size(), 3u);
    ASSERT_OK_AND_ASSIGN(auto second, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
    ASSERT_OK(WriteUpTo(second.get(), 1500, 70));
    ASSERT_OK_AND_ASSIGN(WriterState later, second->Checkpoint());
    EXPECT_EQ(later.progress.part_lengths, state.progress.part_lengths);
    ExpectLengths(*store, later.progress.part_lengths);
    bytes = later.ToBytes();
    ASSERT_OK(WriteUpTo(second.get(), 1600, 70));  // lost
  }
  ASSERT_OK_AND_ASSIGN(WriterState last, WriterState::FromBytes(bytes));
  ASSERT_OK(Finish(last, On(store)));
  ExpectRows(*store, 1500);
  ASSERT_OK_AND_ASSIGN(const CommitInfo again, Finish(last, On(store)));
  EXPECT_TRUE(again.already_committed);
}

// The lengths of parts are nothing to the bytes of the object.
TEST(GrowingParts, TheObjectIsTheOneThatEqualPartsMake) {
  auto store = Store();
  auto writer = OpenOn(store, Growing());
  ASSERT_OK(WriteUpTo(writer.get(), 600, 50));
  ASSERT_OK(writer->Checkpoint());
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 50));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, On(store)));
  FileOptions equal = Growing();
  equal.growing_parts = false;
  ASSERT_OK_AND_ASSIGN(const std::string whole, UninterruptedBytes({600}, 1000, equal));
  EXPECT_TRUE(store->Content("k") == whole);
}

// A state, and a writer behind it that stored more parts before it was lost.
WriterState WithStrays(const std::shared_ptr<MemoryStore>& store, int64_t rows, int64_t lost_at) {
  auto writer = OpenOn(store, Growing());
  MustBeOk(WriteUpTo(writer.get(), rows, 100));
  WriterState state = writer->Checkpoint().ValueOrDie();
  MustBeOk(WriteUpTo(writer.get(), lost_at, 100));
  return state;
}

TEST(GrowingParts, TheEndGoesAroundStraysOfTheirOwnLengths) {
  std::optional<std::string> calm;
  for (int64_t nth = 0, fired = 1; fired > 0; ++nth) {
    SCOPED_TRACE(nth);
    auto store = RefusingStore();
    const WriterState state = WithStrays(store, 300, 1500);
    const auto parts = store->Uploads().begin()->second.parts;
    ASSERT_GT(parts.rbegin()->first, static_cast<int>(state.progress.receipts.size()) + 3);
    auto faulty = std::make_shared<FaultStore>(store, FailFrom(nth, ErrorKind::kTransient));
    (void)Finish(state, On(faulty));  // dies there
    fired = faulty->fired();
    ASSERT_OK(Finish(state, On(store)));
    ExpectRows(*store, 300);
    if (!calm) calm = store->Content("k");
    EXPECT_TRUE(store->Content("k") == calm);
    ASSERT_LT(nth, 100);
  }
}

TEST(GrowingParts, AResumedWriterClosesAroundStrays) {
  auto store = RefusingStore();
  const WriterState state = WithStrays(store, 300, 1500);
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
  ASSERT_OK(WriteUpTo(writer.get(), 500, 100));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK_AND_ASSIGN(const PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
  ASSERT_OK(Commit(fresh, On(store)));
  ExpectRows(*store, 500);
}

TEST(GrowingParts, AreRefusedWhereAllPartsMustBeEqualAndAnExpectedSizeHelps) {
  StoreLimits limits = ScaledDown();
  limits.equal_parts = true;
  auto store = MemoryStore::Make({.limits = limits, .equal_parts = true});
  const Status refused = ParquetStreamWriter::Open(store, "k", RowSchema(), Growing(), Inline()).status();
  EXPECT_EQ(KindOf(refused), ErrorKind::kInvalid);
  EXPECT_THAT(refused.message(), AllOf(HasSubstr("growing_parts"), HasSubstr("expected_bytes")));

  FileOptions options = Growing();
  options.growing_parts = false;
  options.expected_bytes = 300 * kKiB;
  auto writer = OpenOn(store, options);
  ASSERT_OK(WriteUpTo(writer.get(), 1500, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  EXPECT_FALSE(state.progress.part_lengths.grows());
  EXPECT_GE(state.progress.part_lengths.part_size_bytes, 300 * kKiB / 20);
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, On(store)));  // which the store refuses for unequal parts
  ExpectRows(*store, 1500);
}

TEST(GrowingParts, AnExpectedSizeIsNotRefusedLater) {
  for (const bool growing : {false, true}) {
    auto store = Store();
    FileOptions options = Growing();
    options.growing_parts = growing;
    options.expected_bytes = 150 * kKiB;
    auto writer = OpenOn(store, options);
    int64_t size = 0;
    while (size < options.expected_bytes) {
      ASSERT_OK(WriteUpTo(writer.get(), writer->rows() + 100, 100));
      ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
      size = state.progress.stored_bytes() + static_cast<int64_t>(state.progress.unsent.size());
    }
  }
}

TEST(GrowingParts, AResumeWithoutMemoryForTheLongestIsRefused) {
  auto store = Store();
  WriterState state = WithStrays(store, 300, 300);
  RuntimeOptions runtime = Inline();
  runtime.memory_budget_bytes = 100 * kKiB;
  const Status refused = ParquetStreamWriter::Resume(state, {.runtime = runtime, .store = store}).status();
  EXPECT_EQ(KindOf(refused), ErrorKind::kInvalid);
  EXPECT_THAT(refused.message(), AllOf(HasSubstr("memory_budget_bytes = 102400"), HasSubstr("65536"),
                                       HasSubstr("at least " + std::to_string((32 + 2 * 64) * kKiB))));
}

}  // namespace
}  // namespace tailrace::sim
