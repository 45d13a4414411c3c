// Design section 5: stores that refuse a Complete which leaves stored parts out. A lost writer left parts that no state
// names; the write ends all the same, whole, after a crash at any request too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tailrace/inspect.h"
#include "testing/fault_store.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

std::shared_ptr<MemoryStore> RefusingStore() {
  StoreLimits limits;
  limits.stray_parts = StrayParts::kRefused;
  limits.reads_settle_at_once = true;
  return MemoryStore::Make({.limits = limits, .equal_parts = true, .object_crc64 = false});
}

// A state at `rows`, and a writer behind it that stored parts up to `lost_at` before it was lost.
WriterState WithStrays(const std::shared_ptr<MemoryStore>& store, int64_t rows, int64_t lost_at) {
  RuntimeOptions runtime = Inline();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), runtime).ValueOrDie();
  MustBeOk(WriteUpTo(writer.get(), rows, 250));
  WriterState state = writer->Checkpoint().ValueOrDie();
  MustBeOk(WriteUpTo(writer.get(), lost_at, 250));
  return state;
}

void ExpectRows(const MemoryStore& store, int64_t rows) {
  ASSERT_TRUE(store.Content("k").has_value());
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(*store.Content("k")));
  EXPECT_EQ(counters, Counted(rows));
  EXPECT_TRUE(store.Uploads().empty());
}

CommitOptions On(const std::shared_ptr<MultipartStore>& store) {
  return {.store = store, .settle_timeout = std::chrono::milliseconds(0)};
}

TEST(Strays, FinishLaysTheEndOutAroundThem) {
  for (int64_t lost_at : {1000, 2500, 4000, 9000}) {
    auto store = RefusingStore();
    const WriterState state = WithStrays(store, 1000, lost_at);
    ASSERT_OK_AND_ASSIGN(CommitInfo info, Finish(state, On(store)));
    EXPECT_EQ(info.rows, 1000);
    ExpectRows(*store, 1000);
    ASSERT_OK_AND_ASSIGN(CommitInfo again, Finish(state, On(store)));
    EXPECT_TRUE(again.already_committed);
  }
}

TEST(Strays, InspectTellsTheFiller) {
  for (int64_t lost_at : {1000, 9000}) {
    auto store = RefusingStore();
    ASSERT_OK(Finish(WithStrays(store, 1000, lost_at), On(store)));
    ASSERT_OK_AND_ASSIGN(const ParquetSummary summary, InspectObject(store.get(), "k"));
    ASSERT_EQ(summary.filler.empty(), lost_at == 1000);
    const std::string content = store->Content("k").value();
    for (const ByteRange& range : summary.filler) {
      EXPECT_GT(range.size_bytes, SmallFile().part_size_bytes);
      const std::string_view bytes = std::string_view(content).substr(range.offset_bytes, range.size_bytes);
      EXPECT_EQ(static_cast<int64_t>(bytes.size()), range.size_bytes);
    }
  }
}

TEST(Strays, FinishAfterACrashAtAnyRequestEndsTheSame) {
  std::optional<std::string> calm;
  for (int64_t nth = 0, fired = 1; fired > 0; ++nth) {
    SCOPED_TRACE(nth);
    auto store = RefusingStore();
    const WriterState state = WithStrays(store, 1000, 6000);
    auto faulty = std::make_shared<FaultStore>(store, FailFrom(nth, ErrorKind::kTransient));
    (void)Finish(state, On(faulty));  // dies there
    fired = faulty->fired();
    ASSERT_OK(Finish(state, On(store)));
    ExpectRows(*store, 1000);
    if (!calm) calm = store->Content("k");
    EXPECT_TRUE(store->Content("k") == calm);
    ASSERT_LT(nth, 100);
  }
}

TEST(Strays, AResumeWhoseEndHasFewerPartsCommits) {
  auto store = RefusingStore();
  const WriterState state = WithStrays(store, 1000, 9000);
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
  ASSERT_OK(WriteUpTo(writer.get(), 1500, 250));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  writer.reset();
  ASSERT_OK_AND_ASSIGN(PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
  ASSERT_OK(Commit(fresh, On(store)));
  ExpectRows(*store, 1500);
  ASSERT_OK_AND_ASSIGN(CommitInfo again, Commit(fresh, On(store)));
  EXPECT_TRUE(again.already_committed);
}

TEST(Strays, APendingCommitThatMeetsNewStraysCommits) {
  auto store = RefusingStore();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 250));
  ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
  ASSERT_OK(WriteUpTo(writer.get(), 1500, 250));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  {
    // A stale process stores a part far beyond, after the close.
    ASSERT_OK_AND_ASSIGN(auto upload, store->OpenUpload("k", state.progress.upload_id));
    const int64_t size = state.progress.part_lengths.part_size_bytes;
    ASSERT_OK(upload->PutPart({40, 39 * size, ByteSlices(ByteSlice::Copy(std::string(100, 'x')))}));
    ASSERT_OK(
        upload->PutPart({30, 29 * size, ByteSlices(ByteSlice::Copy(std::string(static_cast<size_t>(size), 'x')))}));
  }
  ASSERT_OK_AND_ASSIGN(PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
  ASSERT_OK_AND_ASSIGN(CommitInfo info, Commit(fresh, On(store)));
  EXPECT_EQ(info.rows, 1500);
  EXPECT_EQ(info.size_bytes, static_cast<int64_t>(store->Content("k")->size()));
  ExpectRows(*store, 1500);
}

TEST(Strays, AWriterWhoseUploadNobodyElseKnowsListsNothing) {
  auto store = RefusingStore();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 3000, 250));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, On(store)));
  EXPECT_EQ(store->calls().list_parts, 0);
  ExpectRows(*store, 3000);
}

}  // namespace
}  // namespace tailrace::sim
