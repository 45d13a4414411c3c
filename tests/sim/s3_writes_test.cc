// Whole writes on the S3 store over the strict service: what they cost in requests, and that another process finds
// everything it needs in the value.
#include <gtest/gtest.h>

#include "store/s3/s3_fixture.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

class S3Writes : public S3Fixture {
 protected:
  S3Writes() : clock_now_(std::chrono::round<std::chrono::microseconds>(std::chrono::system_clock::now())) {
    // Write ids are made from the system's time.
    clock_.SetNow(clock_now_);
    StoreLimits limits;
    limits.conditional_put = true;
    setup_.limits = limits;
    file_.inline_max_bytes = 0;
  }

  std::unique_ptr<ParquetStreamWriter> Open(const std::shared_ptr<S3Store>& store) {
    return ParquetStreamWriter::Open(store, "dir/k.parquet", RowSchema(), file_, Inline()).ValueOrDie();
  }
  // Of a process that knows the value and this store.
  CommitOptions Process() { return {.store = Store(), .clock = &clock_}; }
  void ExpectRows(int64_t rows) {
    const std::optional<std::string> bytes = Object("dir/k.parquet");
    ASSERT_TRUE(bytes);
    ASSERT_OK_AND_ASSIGN(const std::vector<int64_t> counters, CountersOf(*bytes));
    EXPECT_EQ(counters, Counted(rows));
  }

  const Timestamp clock_now_;
  FileOptions file_ = SmallFile();
};

TEST_F(S3Writes, AFileOfNPartsIsCreateNAndComplete) {
  const auto store = Store();
  const auto writer = Open(store);
  MustBeOk(WriteUpTo(writer.get(), 3000, 100));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_GT(pending.receipts.size(), 3u);
  ASSERT_OK(Commit(pending, {.store = store, .clock = &clock_}));
  EXPECT_EQ(calls(), (Calls{{"CreateMultipartUpload", 1},
                            {"UploadPart", static_cast<int>(pending.receipts.size())},
                            {"CompleteMultipartUpload", 1}}));
  ExpectRows(3000);
}

TEST_F(S3Writes, ASmallFileIsOnePut) {
  file_.inline_max_bytes = 1 << 20;
  const auto store = Store();
  const auto writer = Open(store);
  MustBeOk(WriteUpTo(writer.get(), 5, 3));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  EXPECT_EQ(calls(), Calls{});
  ASSERT_OK(Commit(pending, {.store = store, .clock = &clock_}));
  EXPECT_EQ(calls(), (Calls{{"PutObject", 1}}));
  ExpectRows(5);
}

TEST_F(S3Writes, ASmallFileThatWasCheckpointedIsCreateOnePartAndComplete) {
  const auto store = Store();
  const auto writer = Open(store);
  MustBeOk(WriteUpTo(writer.get(), 5, 3));
  ASSERT_OK(writer->Checkpoint());
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, {.store = store, .clock = &clock_}));
  EXPECT_EQ(calls(), (Calls{{"CreateMultipartUpload", 1}, {"UploadPart", 1}, {"CompleteMultipartUpload", 1}}));
  ExpectRows(5);
}

TEST_F(S3Writes, AnotherProcessResumesLooksOnceAndCommits) {
  setup_.settings.object.storage_class = "STANDARD_IA";
  auto writer = Open(Store());
  MustBeOk(WriteUpTo(writer.get(), 1500, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  EXPECT_EQ(state.object.storage_class, "STANDARD_IA");
  EXPECT_EQ(state.object.checksum, S3Checksum::kCrc64Nvme);
  writer.reset();
  transport_->ResetLog();
  ASSERT_OK_AND_ASSIGN(const WriterState again, WriterState::FromBytes(state.ToBytes()));
  ASSERT_OK_AND_ASSIGN(writer, ParquetStreamWriter::Resume(again, {.runtime = Inline(), .store = Store()}));
  EXPECT_EQ(calls(), (Calls{{"HeadObject", 1}, {"ListParts", 1}}));
  MustBeOk(WriteUpTo(writer.get(), 3000, 70));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK_AND_ASSIGN(pending, PendingCommit::FromBytes(pending.ToBytes()));
  ASSERT_OK(Commit(pending, Process()));
  ExpectRows(3000);
  EXPECT_EQ(*Object("dir/k.parquet"), *UninterruptedBytes({1500}, 3000, file_));
  ASSERT_OK_AND_ASSIGN(const CommitInfo twice, Commit(pending, Process()));
  EXPECT_TRUE(twice.already_committed);
}

TEST_F(S3Writes, ALatePutGivesTheObjectWhatTheFirstProcessAskedFor) {
  file_.inline_max_bytes = 1 << 20;
  setup_.settings.object.acl = "bucket-owner-full-control";
  const auto writer = Open(Store());
  MustBeOk(WriteUpTo(writer.get(), 5, 3));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK_AND_ASSIGN(pending, PendingCommit::FromBytes(pending.ToBytes()));
  setup_.settings.object = {};
  ASSERT_OK(Commit(pending, Process()));
  const auto puts = transport_->log("PutObject");
  ASSERT_EQ(puts.size(), 1u);
  EXPECT_EQ(puts[0].call.Header("x-amz-acl"), "bucket-owner-full-control");
}

TEST_F(S3Writes, ALostAnswerToCompleteIsSettledByLookingAtTheObject) {
  const auto writer = Open(Store());
  MustBeOk(WriteUpTo(writer.get(), 1500, 100));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  Faults({{.when = {.operation = "CompleteMultipartUpload"}, .fault = {.end = Fault::End::kReset}}});
  ASSERT_OK(Commit(pending, Process()));
  EXPECT_EQ(calls()["CompleteMultipartUpload"], 1);
  ExpectRows(1500);
}

TEST_F(S3Writes, AbortingAfterTheCommitSaysSo) {
  const auto writer = Open(Store());
  MustBeOk(WriteUpTo(writer.get(), 1500, 100));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, Process()));
  ASSERT_OK_AND_ASSIGN(const AbortResult result, Abort(pending, Process()));
  EXPECT_EQ(result, AbortResult::kAlreadyCommitted);
  EXPECT_TRUE(Object("dir/k.parquet"));
}

TEST_F(S3Writes, AbortingTwiceIsFineAndLeavesNothing) {
  const auto writer = Open(Store());
  MustBeOk(WriteUpTo(writer.get(), 1500, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(const AbortResult result, Abort(state, Process()));
    EXPECT_EQ(result, AbortResult::kAborted);
  }
  EXPECT_TRUE(transport_->service().Uploads().empty());
  EXPECT_KIND(ErrorKind::kUploadGone, Finish(state, Process()));
}

TEST_F(S3Writes, AValueOfAnotherEndpointIsRefusedNotGone) {
  const auto writer = Open(Store());
  MustBeOk(WriteUpTo(writer.get(), 1500, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  transport_->ResetLog();
  setup_.settings.place.endpoint = "http://elsewhere:9000";
  EXPECT_KIND(ErrorKind::kBadState, Finish(state, Process()));
  EXPECT_EQ(calls(), Calls{});
}

}  // namespace
}  // namespace tailrace::sim
