// Stores that answer the second Complete of an upload as they did the first, whoever sent that and of which parts: the
// loser of a race is not told that it won, and whoever may only write is taken at the store's word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/s3/s3_world.h"

namespace tailrace::sim {
namespace {

StoreKind OpaqueTwice() {
  StoreKind kind = OpaqueUnsummed();
  kind.name = "OpaqueTwice";
  kind.rules = [](S3Rules* rules) {
    OpaqueUnsummed().rules(rules);
    rules->complete_twice_is_ok = true;
  };
  return kind;
}

class CompletedTwice : public ::testing::TestWithParam<StoreKind> {
 protected:
  CompletedTwice() : world_(GetParam()) {}

  // A state at row 150 and a pending commit at row 400 of one write.
  void Write() {
    auto writer = ParquetStreamWriter::Open(world_.Process(), kKey, RowSchema(), TinyParts(), Inline()).ValueOrDie();
    MustBeOk(WriteOn(writer.get(), 150));
    state_ = writer->Checkpoint().ValueOrDie();
    MustBeOk(WriteOn(writer.get(), 400));
    pending_ = PendingCommit::FromBytes(writer->Close().ValueOrDie().ToBytes()).ValueOrDie();
    world_.transport().ResetLog();
  }
  Result<CommitInfo> CommitIt() { return Commit(pending_, world_.On(world_.Process())); }
  Result<CommitInfo> FinishIt() { return Finish(state_, world_.On(world_.Process())); }

  S3World world_;
  WriterState state_;
  PendingCommit pending_;
};

TEST_P(CompletedTwice, ACommitBehindAFinishOfOtherRowsIsFenced) {
  Write();
  ASSERT_OK(FinishIt());
  const Result<CommitInfo> commit = CommitIt();
  ASSERT_EQ(KindOf(commit.status()), ErrorKind::kFenced) << commit.status().ToString();
  EXPECT_EQ(DetailOf(commit.status())->rows, 150);
  EXPECT_EQ(world_.RowsThere(), 150);
}

TEST_P(CompletedTwice, AFinishBehindACommitOfMoreRowsIsFenced) {
  Write();
  ASSERT_OK(CommitIt());
  EXPECT_KIND(ErrorKind::kFenced, FinishIt());
  EXPECT_EQ(world_.RowsThere(), 400);
}

TEST_P(CompletedTwice, TheSameContentIsCommittedEachTime) {
  Write();
  for (int i = 0; i < 3; ++i) ASSERT_OK(CommitIt());
  EXPECT_EQ(world_.RowsThere(), 400);
}

TEST_P(CompletedTwice, AnObjectThatReplacedOursIsNoSuccess) {
  Write();
  ASSERT_OK(CommitIt());
  world_.transport().service().PutForeign("bucket", kKey, "an object of somebody else");
  EXPECT_KIND(ErrorKind::kUploadGone, CommitIt());
}

TEST_P(CompletedTwice, OnlyAnAnswerThatDoesNotProveLeadsToALook) {
  Write();
  ASSERT_OK(CommitIt());
  std::map<std::string, int> calls = world_.Calls();
  // Swift's tag is the digest of the parts' digests; RGW tells none, and HEAD does; where tags are words, the footer.
  const bool proves = GetParam().name == "Swift", opaque = GetParam().name == "OpaqueTwice";
  EXPECT_EQ(calls["HeadObject"], proves ? 0 : 1);
  EXPECT_EQ(calls["GetObject"] > 0, opaque);
  EXPECT_EQ(calls["CompleteMultipartUpload"], 1);
}

TEST_P(CompletedTwice, WhoeverMayOnlyWriteTakesTheStoreAtItsWord) {
  Write();
  world_.transport().service().Change([](S3Rules* rules) {
    for (S3Key& key : rules->signature.keys) key.denied = {"HeadObject", "GetObject", "ListParts"};
  });
  ASSERT_OK(CommitIt());
  EXPECT_EQ(world_.RowsThere(), 400);
}

TEST_P(CompletedTwice, ASingleRefusalToBeLookedAtIsNotTakenForAMissingRight) {
  Write();
  ASSERT_OK(FinishIt());
  world_.transport().Use(
      {{.when = {.operation = "HeadObject"}, .fault = {.apply = false, .status = 403, .code = "AccessDenied"}}});
  EXPECT_KIND(ErrorKind::kFenced, CommitIt());
  EXPECT_EQ(world_.transport().faults_fired(), 1);
}

INSTANTIATE_TEST_SUITE_P(Stores, CompletedTwice, ::testing::Values(Rgw(), Swift(), OpaqueTwice()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
