// Design section 5, "InvalidPart": what finish, commit and resume make of a stored part that is not as its receipt
// says, on stores with tags and checksums of every kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/s3/s3_world.h"

namespace tailrace::sim {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kStateRows = 350;
constexpr int64_t kRows = 500;

// A write with a state at row 350 and a pending commit at row 500, whose parts may be stored again by somebody else.
class PartLoss {
 public:
  explicit PartLoss(const StoreKind& kind) : world_(kind) {
    auto writer = ParquetStreamWriter::Open(world_.Process(), kKey, RowSchema(), TinyParts(), Inline()).ValueOrDie();
    MustBeOk(WriteOn(writer.get(), kStateRows));
    state_ = writer->Checkpoint().ValueOrDie();
    MustBeOk(WriteOn(writer.get(), kRows));
    pending_ = writer->Close().ValueOrDie();
    pending_ = PendingCommit::FromBytes(pending_.ToBytes()).ValueOrDie();
  }

  std::string PartBytes(int number) {
    return world_.transport().service().Uploads().at(state_.progress.upload_id.text).parts.at(number).bytes;
  }
  // As another process of the same write does.
  void StoreAgain(int number, std::string bytes) {
    auto upload = world_.Process()->OpenUpload(kKey, state_.progress.upload_id).ValueOrDie();
    const int64_t offset = (number - 1) * TinyParts().part_size_bytes;
    MustBeOk(upload->PutPart({number, offset, ByteSlices(ByteSlice::Copy(std::move(bytes)))}).status());
  }
  // Other bytes of the same length.
  void Replace(int number) {
    std::string bytes = PartBytes(number);
    for (char& c : bytes) c = static_cast<char>(c ^ 1);
    StoreAgain(number, std::move(bytes));
  }

  Result<CommitInfo> Finish() { return tailrace::Finish(state_, world_.On(world_.Process())); }
  Result<CommitInfo> Commit() { return tailrace::Commit(pending_, world_.On(world_.Process())); }
  Status Resume() {
    return ParquetStreamWriter::Resume(state_, {.runtime = Inline(), .store = world_.Process()}).status();
  }
  // All three of a value that names the part, with the same kind of error; nothing appears.
  void ExpectAllSay(ErrorKind kind, int part, const std::string& text) {
    for (const Status& status : {Finish().status(), Commit().status(), Resume()}) {
      EXPECT_KIND(kind, status);
      EXPECT_THAT(status.message(), HasSubstr(text));
      if (DetailOf(status) != nullptr && kind == ErrorKind::kFenced) {
        EXPECT_EQ(DetailOf(status)->part_number, part);
      }
    }
    EXPECT_EQ(world_.RowsThere(), std::nullopt);
    EXPECT_EQ(world_.OpenUploads().size(), 1u);
  }

  std::map<std::string, int> calls() { return world_.transport().calls(); }
  S3World& world() { return world_; }
  const WriterState& state() const { return state_; }
  int last_part() const { return pending_.receipts.back().number; }

 private:
  S3World world_;
  WriterState state_;
  PendingCommit pending_;
};

TEST(PartLossS3, AnEqualPartUnderANewTagIsTakenWithThatTag) {
  for (bool finish : {false, true}) {
    PartLoss write(Opaque());
    write.StoreAgain(1, write.PartBytes(1));
    write.world().transport().ResetLog();
    ASSERT_OK(finish ? write.Finish() : write.Commit());
    EXPECT_EQ(write.calls()["CompleteMultipartUpload"], 2);
    EXPECT_EQ(write.calls()["ListParts"], 1);
    EXPECT_EQ(write.world().RowsThere(), finish ? kStateRows : kRows);
  }
}

TEST(PartLossS3, AResumedWriterTakesTheNewTagOfAnEqualPart) {
  PartLoss write(Opaque());
  write.StoreAgain(1, write.PartBytes(1));
  ASSERT_OK_AND_ASSIGN(
      auto writer, ParquetStreamWriter::Resume(write.state(), {.runtime = Inline(), .store = write.world().Process()}));
  ASSERT_OK(WriteOn(writer.get(), kRows));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, write.world().On(write.world().Process())));
  EXPECT_EQ(write.world().RowsThere(), kRows);
}

TEST(PartLossS3, WhereTagsAreDigestsAnEqualPartIsNoEvent) {
  for (const StoreKind& kind : {Strict(), Swift()}) {
    PartLoss write(kind);
    write.StoreAgain(1, write.PartBytes(1));
    write.world().transport().ResetLog();
    ASSERT_OK(write.Commit());
    EXPECT_EQ(write.calls()["CompleteMultipartUpload"], 1);
    EXPECT_EQ(write.calls()["ListParts"], 0);
  }
}

TEST(PartLossS3, AReplacedPartThatNobodyHoldsIsFencedByNumber) {
  // By checksum; by tags that are digests; by checksum though tags tell nothing.
  for (const StoreKind& kind : {Strict(), Swift(), Rgw(), Opaque()}) {
    SCOPED_TRACE(kind.name);
    PartLoss write(kind);
    write.Replace(2);
    write.ExpectAllSay(ErrorKind::kFenced, 2, "part 2");
  }
}

TEST(PartLossS3, APartOfAnotherLengthIsFencedWhateverTagsAre) {
  PartLoss write(OpaqueUnsummed());
  write.StoreAgain(2, "short");
  write.ExpectAllSay(ErrorKind::kFenced, 2, "part 2");
}

TEST(PartLossS3, AnOpaqueTagWithoutAChecksumIsUnknown) {
  const std::pair<StoreKind, bool> cases[] = {
      {OpaqueUnsummed(), true}, {OpaqueUnsummed(), false}, {SealedUnsummed(), true}, {SealedUnsummed(), false}};
  for (const auto& [kind, equal] : cases) {
    SCOPED_TRACE(kind.name);
    PartLoss write(kind);
    equal ? write.StoreAgain(2, write.PartBytes(2)) : write.Replace(2);
    write.ExpectAllSay(ErrorKind::kOutcomeUnknown, 2, "part 2");
    EXPECT_EQ(OutcomeOf(write.Finish().status()), Outcome::kUnknown);
  }
}

TEST(PartLossS3, WhereListingIsDeniedItIsUnknownAndTheRightIsNamed) {
  PartLoss write(ListDenied());
  write.Replace(2);
  for (const Status& status : {write.Finish().status(), write.Commit().status()}) {
    EXPECT_KIND(ErrorKind::kOutcomeUnknown, status);
    EXPECT_THAT(status.message(), HasSubstr("ListParts"));
    EXPECT_THAT(status.message(), HasSubstr("AccessDenied"));
  }
  // A resume is told at the latest by its commit.
  ASSERT_OK_AND_ASSIGN(
      auto writer, ParquetStreamWriter::Resume(write.state(), {.runtime = Inline(), .store = write.world().Process()}));
  ASSERT_EQ(writer->warnings().size(), 1u);
  EXPECT_THAT(writer->warnings()[0], HasSubstr("could not be checked"));
  EXPECT_EQ(write.world().RowsThere(), std::nullopt);
}

// The end of a file is held by whoever finishes it: what replaced it is replaced in turn, for a while.
class EndReplaced : public ::testing::TestWithParam<StoreKind> {
 protected:
  // Before each of the first `times` Completes another process stores the last part.
  static int Run(PartLoss* write, int times, Result<CommitInfo>* result) {
    const int last = static_cast<int>(write->state().progress.receipts.size()) + 1;
    int left = times;
    bool inside = false;
    write->world().transport().SetHook([&, last](const S3Call& call) {
      if (call.operation != "CompleteMultipartUpload" || inside || left == 0) return;
      inside = true;
      --left;
      write->Replace(last);
      inside = false;
    });
    write->world().transport().ResetLog();
    *result = write->Finish();
    write->world().transport().SetHook({});
    return write->calls()["CompleteMultipartUpload"];
  }
};

TEST_P(EndReplaced, IsStoredAgainAndCommits) {
  for (int times : {1, 2, 3}) {
    PartLoss write(GetParam());
    Result<CommitInfo> finished = Status::Invalid("not run");
    EXPECT_EQ(Run(&write, times, &finished), times + 1);
    ASSERT_OK(finished);
    EXPECT_EQ(write.world().RowsThere(), kStateRows);
  }
}

TEST_P(EndReplaced, ThreeTimesAtMostThenRetry) {
  PartLoss write(GetParam());
  Result<CommitInfo> finished = Status::Invalid("not run");
  EXPECT_EQ(Run(&write, 1000, &finished), 4);
  ASSERT_FALSE(finished.ok());
  EXPECT_EQ(OutcomeOf(finished.status()), Outcome::kRetry);
  EXPECT_KIND(ErrorKind::kTransient, finished);
  EXPECT_THAT(finished.status().message(), HasSubstr("replaced by another process"));
  EXPECT_EQ(write.world().RowsThere(), std::nullopt);
  ASSERT_OK(write.Finish());
  EXPECT_EQ(write.world().RowsThere(), kStateRows);
}

INSTANTIATE_TEST_SUITE_P(Stores, EndReplaced,
                         ::testing::Values(Strict(), Rgw(), Opaque(), OpaqueUnsummed(), SealedUnsummed()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
