// Promise P4 and the five outcomes: what finish, commit, abort and resume say in each situation, each found by the call
// itself from nothing but the value's bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_clock.h"
#include "testing/fault_store.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Outcomes : public ::testing::Test {
 protected:
  std::shared_ptr<MemoryStore> store_ = MemoryStore::Make();
  FakeClock clock_;
  CommitOptions options_{.store = store_, .clock = &clock_};

  std::unique_ptr<ParquetStreamWriter> Open(FileOptions options = SmallFile()) {
    return ParquetStreamWriter::Open(store_, "k", RowSchema(), options, Inline()).ValueOrDie();
  }
  // A writer that went on to `rows` and its state there.
  WriterState StateAt(ParquetStreamWriter* writer, int64_t rows) {
    MustBeOk(WriteUpTo(writer, rows, 500));
    return writer->Checkpoint().ValueOrDie();
  }
  PendingCommit Closed(int64_t rows, FileOptions options = SmallFile()) {
    auto writer = Open(options);
    MustBeOk(WriteUpTo(writer.get(), rows, 500));
    return writer->Close().ValueOrDie();
  }
  int64_t RowsThere() { return static_cast<int64_t>(CountersOf(store_->Content("k").value()).ValueOrDie().size()); }
};

// --- committed ---

TEST_F(Outcomes, FinishTwiceIsCommittedBothTimesAndTheObjectStays) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 1000);
  ASSERT_OK_AND_ASSIGN(CommitInfo first, Finish(state, options_));
  EXPECT_FALSE(first.already_committed);
  const std::string bytes = store_->Content("k").value();
  ASSERT_OK_AND_ASSIGN(CommitInfo second, Finish(state, options_));
  EXPECT_TRUE(second.already_committed);
  EXPECT_EQ(second.rows, 1000);
  EXPECT_EQ(store_->Content("k").value(), bytes);
}

TEST_F(Outcomes, CommitTwiceIsCommittedBothTimes) {
  const PendingCommit pending = Closed(1000);
  ASSERT_FALSE(pending.is_inline());
  ASSERT_OK(Commit(pending, options_));
  ASSERT_OK_AND_ASSIGN(CommitInfo again, Commit(pending, options_));
  EXPECT_TRUE(again.already_committed);
  EXPECT_EQ(again.size_bytes, static_cast<int64_t>(store_->Content("k")->size()));
}

TEST_F(Outcomes, ALostAnswerToCompleteIsFoundToBeCommitted) {
  auto faulty =
      std::make_shared<FaultStore>(store_, FailCall(StoreCall::kComplete, 0, ErrorKind::kTransient, FaultTime::kAfter));
  const PendingCommit pending = Closed(1000);
  options_.store = faulty;
  ASSERT_OK(Commit(pending, options_));
  EXPECT_EQ(RowsThere(), 1000);
}

TEST_F(Outcomes, AFinishAfterTheCloseOfTheSameRowsIsCommittedThoughTheFootersDiffer) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 1000);
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, options_));
  ASSERT_OK_AND_ASSIGN(CommitInfo info, Finish(state, options_));
  EXPECT_TRUE(info.already_committed);
}

// --- retry ---

TEST_F(Outcomes, ARefusedCompleteIsRetryAndTheNextCallCommits) {
  const PendingCommit pending = Closed(1000);
  for (ErrorKind kind : {ErrorKind::kTransient, ErrorKind::kThrottled, ErrorKind::kDenied, ErrorKind::kNoSpace}) {
    options_.store = std::make_shared<FaultStore>(store_, FailCall(StoreCall::kComplete, 0, kind));
    auto refused = Commit(pending, options_);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(OutcomeOf(refused.status()), Outcome::kRetry) << refused.status().ToString();
    EXPECT_EQ(KindOf(refused.status()), kind);
    EXPECT_EQ(store_->Content("k"), std::nullopt);
  }
  options_.store = store_;
  ASSERT_OK(Commit(pending, options_));
}

// --- gone ---

TEST_F(Outcomes, AnExpiredUploadIsGoneForAllWhoHoldAValue) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 1000);
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  store_->ExpireUpload(state.progress.upload_id);
  for (const Status& status : {Finish(state, options_).status(), Commit(pending, options_).status(),
                               ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store_}).status()}) {
    EXPECT_EQ(KindOf(status), ErrorKind::kUploadGone) << status.ToString();
    EXPECT_EQ(OutcomeOf(status), Outcome::kGone);
    EXPECT_THAT(status.message(), HasSubstr(state.progress.upload_id.text));
  }
  EXPECT_EQ(store_->Content("k"), std::nullopt);
}

TEST_F(Outcomes, AForeignObjectUnderTheKeyIsNeverSuccess) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 1000);
  store_->ExpireUpload(state.progress.upload_id);
  ASSERT_OK_AND_ASSIGN(std::string twin, UninterruptedBytes({1000}, 1000, SmallFile()));
  store_->PutForeign("k", twin);  // the very rows, by somebody else
  EXPECT_KIND(ErrorKind::kUploadGone, Finish(state, options_));
}

TEST_F(Outcomes, CommittedThenDeletedIsGoneAndSaysSo) {
  const PendingCommit pending = Closed(1000);
  ASSERT_OK(Commit(pending, options_));
  store_->Delete("k");
  auto again = Commit(pending, options_);
  EXPECT_KIND(ErrorKind::kUploadGone, again);
  EXPECT_THAT(again.status().message(), HasSubstr("replaced or deleted"));
}

TEST_F(Outcomes, GoneIsSaidOnlyAfterLookingForSecondsWhereObjectsTurnUpLate) {
  StoreLimits limits;
  limits.reads_settle_at_once = false;
  store_ = MemoryStore::Make({.limits = limits});
  options_.store = store_;
  const PendingCommit pending = Closed(1000);
  store_->ExpireUpload(pending.upload_id);
  EXPECT_KIND(ErrorKind::kUploadGone, Commit(pending, options_));
  using std::chrono::milliseconds;
  EXPECT_THAT(clock_.sleeps(), ::testing::ElementsAre(milliseconds(200), milliseconds(500), milliseconds(1000),
                                                      milliseconds(2000), milliseconds(5000)));
}

// --- fenced ---

TEST_F(Outcomes, FinishedElsewhereAtAnotherRowIsFencedWithThatRow) {
  auto writer = Open();
  const WriterState early = StateAt(writer.get(), 1000);
  const WriterState late = StateAt(writer.get(), 2000);
  ASSERT_OK(Finish(late, options_));
  for (const Status& status : {Finish(early, options_).status(),
                               ParquetStreamWriter::Resume(early, {.runtime = Inline(), .store = store_}).status()}) {
    ASSERT_EQ(KindOf(status), ErrorKind::kFenced) << status.ToString();
    EXPECT_EQ(OutcomeOf(status), Outcome::kFenced);
    EXPECT_EQ(DetailOf(status)->rows, 2000);
  }
  EXPECT_EQ(RowsThere(), 2000);
}

TEST_F(Outcomes, AReplacedPartFencesTheStateThatNamesIt) {
  auto writer = Open();
  const WriterState base = StateAt(writer.get(), 1000);
  const WriterState mine = StateAt(writer.get(), 3000);
  // Somebody resumes the older state with other flush points and stores other bytes in the parts behind it.
  ASSERT_OK_AND_ASSIGN(auto other, ParquetStreamWriter::Resume(base, {.runtime = Inline(), .store = store_}));
  StateAt(other.get(), 1500);
  StateAt(other.get(), 3000);
  auto finished = Finish(mine, options_);
  EXPECT_KIND(ErrorKind::kFenced, finished);
  EXPECT_TRUE(DetailOf(finished.status())->part_number.has_value());
  EXPECT_EQ(store_->Content("k"), std::nullopt);
  // Nobody won by that; the common state still finishes.
  ASSERT_OK(Finish(base, options_));
  EXPECT_EQ(RowsThere(), 1000);
}

TEST_F(Outcomes, ResumeOfAFencedStateSaysWhichPart) {
  auto writer = Open();
  const WriterState base = StateAt(writer.get(), 1000);
  const WriterState mine = StateAt(writer.get(), 3000);
  ASSERT_OK_AND_ASSIGN(auto other, ParquetStreamWriter::Resume(base, {.runtime = Inline(), .store = store_}));
  StateAt(other.get(), 1500);
  StateAt(other.get(), 3000);
  EXPECT_KIND(ErrorKind::kFenced, ParquetStreamWriter::Resume(mine, {.runtime = Inline(), .store = store_}));
}

TEST_F(Outcomes, ResumeAfterCloseAndCommitSaysAlreadyCommitted) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 1000);
  ASSERT_OK(WriteUpTo(writer.get(), 1500, 500));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, options_));
  auto resumed = ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store_});
  EXPECT_KIND(ErrorKind::kPrecondition, resumed);
  EXPECT_TRUE(DetailOf(resumed.status())->already_committed);
  EXPECT_EQ(DetailOf(resumed.status())->rows, 1500);
}

// --- unknown ---

TEST_F(Outcomes, AnObjectThatMayNotBeReadIsUnknownAndTheValueStaysGood) {
  store_ = MemoryStore::Make({.object_crc64 = false});
  const PendingCommit pending = Closed(1000);
  options_.store = store_;
  ASSERT_OK(Commit(pending, options_));
  for (StoreCall denied : {StoreCall::kHead, StoreCall::kGetRange}) {
    options_.store = std::make_shared<FaultStore>(store_, FailAll(denied, ErrorKind::kDenied));
    auto again = Commit(pending, options_);
    EXPECT_KIND(ErrorKind::kOutcomeUnknown, again);
    EXPECT_EQ(OutcomeOf(again.status()), Outcome::kUnknown);
  }
  options_.store = store_;
  ASSERT_OK(Commit(pending, options_));
}

TEST_F(Outcomes, ALostAnswerWithNothingReadableIsUnknown) {
  const PendingCommit pending = Closed(1000);
  options_.store = std::make_shared<FaultStore>(store_, [](const FaultPoint& point) {
    if (point.call == StoreCall::kComplete && point.done) return MakeError(ErrorKind::kTransient, "reset");
    if (point.call == StoreCall::kHead || point.call == StoreCall::kListParts)
      return MakeError(ErrorKind::kDenied, "no");
    return Status::OK();
  });
  EXPECT_KIND(ErrorKind::kOutcomeUnknown, Commit(pending, options_));
}

// --- identity ---

TEST_F(Outcomes, WithoutChecksumsTheFooterProves) {
  store_ = MemoryStore::Make({.object_crc64 = false});
  options_.store = store_;
  const PendingCommit pending = Closed(1000);
  ASSERT_OK(Commit(pending, options_));
  ASSERT_OK_AND_ASSIGN(CommitInfo again, Commit(pending, options_));
  EXPECT_TRUE(again.already_committed);
}

TEST_F(Outcomes, AnObjectWithoutAWriteIdIsNotOurs) {
  store_ = MemoryStore::Make({.keeps_write_ids = false});
  options_.store = store_;
  const PendingCommit pending = Closed(1000);
  ASSERT_OK(Commit(pending, options_));
  EXPECT_KIND(ErrorKind::kUploadGone, Commit(pending, options_));
}

TEST_F(Outcomes, AnotherTargetIsRefusedUnlessRetargeted) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 1000);
  auto elsewhere = MemoryStore::Make({.name = "elsewhere"});
  options_.store = elsewhere;
  EXPECT_KIND(ErrorKind::kBadState, Finish(state, options_));
  EXPECT_KIND(ErrorKind::kBadState, Abort(state, options_));
  EXPECT_KIND(ErrorKind::kBadState, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = elsewhere}));
  EXPECT_EQ(elsewhere->calls(), CallCounts{});
  options_.retarget = true;  // now it is asked, and knows no such upload
  EXPECT_KIND(ErrorKind::kUploadGone, Finish(state, options_));
}

// --- abort ---

TEST_F(Outcomes, AbortTwiceLeavesNothingAndLaterValuesAreGone) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 1000);
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(AbortResult result, Abort(state, options_));
    EXPECT_EQ(result, AbortResult::kAborted);
    EXPECT_THAT(store_->Uploads(), IsEmpty());
  }
  EXPECT_KIND(ErrorKind::kUploadGone, Finish(state, options_));
}

TEST_F(Outcomes, AbortAfterCommitSaysAlreadyCommittedAndTheObjectStays) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 1000);
  ASSERT_OK(WriteUpTo(writer.get(), 1500, 500));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, options_));
  ASSERT_OK_AND_ASSIGN(AbortResult by_pending, Abort(pending, options_));
  EXPECT_EQ(by_pending, AbortResult::kAlreadyCommitted);
  ASSERT_OK_AND_ASSIGN(AbortResult by_state, Abort(state, options_));
  EXPECT_EQ(by_state, AbortResult::kAlreadyCommitted);
  EXPECT_EQ(RowsThere(), 1500);
}

// --- overwrite policy ---

TEST_F(Outcomes, FailIfExistsRefusesAForeignObjectAndKeepsTheUpload) {
  FileOptions file = SmallFile();
  file.overwrite = OverwritePolicy::kFailIfExists;
  const PendingCommit pending = Closed(1000, file);
  store_->PutForeign("k", "somebody else's");
  EXPECT_KIND(ErrorKind::kPrecondition, Commit(pending, options_));
  EXPECT_EQ(store_->Content("k"), "somebody else's");
  store_->Delete("k");
  ASSERT_OK(Commit(pending, options_));
  ASSERT_OK(Commit(pending, options_));  // our own object is no obstacle
}

TEST_F(Outcomes, OverwriteReplacesAForeignObject) {
  store_->PutForeign("k", "old");
  ASSERT_OK(Commit(Closed(1000), options_));
  EXPECT_EQ(RowsThere(), 1000);
}

}  // namespace
}  // namespace tailrace::sim
