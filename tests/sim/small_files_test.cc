// A file below inline_max_bytes that never handed out a state: its bytes travel in the PendingCommit, commit is one
// Put.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_clock.h"
#include "testing/fault_store.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SmallFilesTest : public ::testing::Test {
 protected:
  FakeClock clock_{std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now())};
  std::shared_ptr<MemoryStore> store_ = MemoryStore::Make({.clock = &clock_});
  CommitOptions options_{.store = store_, .clock = &clock_};

  PendingCommit Closed(int64_t rows = 5, SmallFiles small_files = SmallFiles::kInline,
                       OverwritePolicy overwrite = OverwritePolicy::kOverwrite) {
    FileOptions file = SmallFile();
    file.inline_max_bytes = 64 << 10;
    file.small_files = small_files;
    file.overwrite = overwrite;
    auto writer = ParquetStreamWriter::Open(store_, "k", RowSchema(), file, Inline()).ValueOrDie();
    MustBeOk(WriteUpTo(writer.get(), rows, 3));
    return writer->Close().ValueOrDie();
  }
  // What another process has.
  PendingCommit Reread(const PendingCommit& pending) {
    return PendingCommit::FromBytes(pending.ToBytes()).ValueOrDie();
  }
};

TEST_F(SmallFilesTest, IsOneRequestInAll) {
  const PendingCommit pending = Closed();
  ASSERT_TRUE(pending.is_inline());
  EXPECT_EQ(store_->calls(), CallCounts{});
  ASSERT_OK(Commit(pending, options_));
  EXPECT_EQ(store_->calls(), (CallCounts{.put = 1}));
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(store_->Content("k").value()));
  EXPECT_EQ(counters, Counted(5));
}

TEST_F(SmallFilesTest, ZeroBatchesGiveAValidFileWithoutRowGroups) {
  ASSERT_OK(Commit(Closed(0), options_));
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(store_->Content("k").value()));
  EXPECT_THAT(counters, IsEmpty());
}

TEST_F(SmallFilesTest, AnotherProcessLooksFirst) {
  const PendingCommit pending = Reread(Closed());
  ASSERT_OK(Commit(pending, options_));
  EXPECT_EQ(store_->calls(), (CallCounts{.head = 1, .put = 1}));
  store_->ResetCalls();
  ASSERT_OK_AND_ASSIGN(CommitInfo again, Commit(pending, options_));
  EXPECT_TRUE(again.already_committed);
  EXPECT_EQ(store_->calls().put, 0);
}

TEST_F(SmallFilesTest, ALostAnswerIsSettledByALook) {
  options_.store =
      std::make_shared<FaultStore>(store_, FailCall(StoreCall::kPut, 0, ErrorKind::kTransient, FaultTime::kAfter));
  ASSERT_OK(Commit(Closed(), options_));
}

TEST_F(SmallFilesTest, AReplayNeverReplacesANewerObject) {
  const PendingCommit pending = Closed();
  ASSERT_OK(Commit(pending, options_));
  store_->PutForeign("k", "newer");
  auto again = Commit(pending, options_);
  EXPECT_KIND(ErrorKind::kPrecondition, again);
  EXPECT_THAT(again.status().message(), HasSubstr("force"));
  EXPECT_EQ(store_->Content("k"), "newer");
  options_.force = true;
  ASSERT_OK(Commit(pending, options_));
}

TEST_F(SmallFilesTest, ALaterTryReplacesWhatWasThereBeforeTheWrite) {
  clock_.Advance(-std::chrono::minutes(6));
  store_->PutForeign("k", "old");
  clock_.Advance(std::chrono::minutes(6));
  ASSERT_OK(Commit(Reread(Closed()), options_));
  EXPECT_NE(store_->Content("k"), "old");
}

TEST_F(SmallFilesTest, FailIfExistsHoldsForEveryTry) {
  store_->PutForeign("k", "there");
  const PendingCommit pending = Closed(5, SmallFiles::kInline, OverwritePolicy::kFailIfExists);
  EXPECT_KIND(ErrorKind::kPrecondition, Commit(pending, options_));
  EXPECT_KIND(ErrorKind::kPrecondition, Commit(pending, options_));
  EXPECT_EQ(store_->Content("k"), "there");
}

// The store is made anew without conditions, as one behind another endpoint may be.
TEST_F(SmallFilesTest, RequireAtomicIsRefusedAtOpenAndAtCommitWhereConditionsAreIgnored) {
  std::vector<PendingCommit> pending;
  for (SmallFiles small_files : {SmallFiles::kInline, SmallFiles::kUpload}) {
    store_->Delete("k");
    pending.push_back(Closed(5, small_files, OverwritePolicy::kFailIfExistsAtomically));
    ASSERT_OK(Commit(Reread(pending.back()), options_));
    store_->PutForeign("k", "there");
    EXPECT_EQ(Commit(Reread(pending.back()), options_).ok(), false);
    EXPECT_EQ(store_->Content("k"), "there");
  }
  StoreLimits limits;
  limits.conditional_put = false;
  auto ignoring = MemoryStore::Make({.limits = limits, .clock = &clock_});
  FileOptions file = SmallFile();
  file.overwrite = OverwritePolicy::kFailIfExistsAtomically;
  EXPECT_KIND(ErrorKind::kInvalid, ParquetStreamWriter::Open(ignoring, "k", RowSchema(), file, Inline()));
  EXPECT_KIND(ErrorKind::kInvalid, Commit(Reread(pending[0]), {.store = ignoring, .retarget = true, .clock = &clock_}));
  EXPECT_EQ(ignoring->Content("k"), std::nullopt);
}

TEST_F(SmallFilesTest, UploadModeIsInvisibleAndGoneAfterADeletion) {
  const PendingCommit pending = Closed(5, SmallFiles::kUpload);
  ASSERT_FALSE(pending.is_inline());
  EXPECT_EQ(store_->Content("k"), std::nullopt);
  ASSERT_OK(Commit(pending, options_));
  EXPECT_EQ(store_->calls().put, 0);
  store_->Delete("k");
  EXPECT_KIND(ErrorKind::kUploadGone, Commit(pending, options_));
}

TEST_F(SmallFilesTest, ACheckpointedSmallFileCostsCreatePartComplete) {
  auto writer = ParquetStreamWriter::Open(store_, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 5, 5));
  ASSERT_OK(writer->Checkpoint());
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, options_));
  const CallCounts calls = store_->calls();
  EXPECT_EQ(calls.create_upload, 1);
  EXPECT_EQ(calls.put_part, 1);
  EXPECT_EQ(calls.complete, 1);
  EXPECT_EQ(calls.put + calls.head + calls.list_parts + calls.get_range, 0);
}

TEST_F(SmallFilesTest, AbortOfAnInlineFileHasNothingToDrop) {
  const PendingCommit pending = Closed();
  ASSERT_OK_AND_ASSIGN(AbortResult result, Abort(pending, options_));
  EXPECT_EQ(result, AbortResult::kAborted);
  ASSERT_OK(Commit(pending, options_));
  ASSERT_OK_AND_ASSIGN(result, Abort(pending, options_));
  EXPECT_EQ(result, AbortResult::kAlreadyCommitted);
}

}  // namespace
}  // namespace tailrace::sim
