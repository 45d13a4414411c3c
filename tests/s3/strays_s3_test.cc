// Design section 5 over HTTP: parts that a lost process left in an upload and that no state names, on stores that let
// Complete leave them out, on Ceph's gateway, which does not, and on one that does not and that nobody knew to be such.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/s3/s3_world.h"

namespace tailrace::sim {
namespace {

constexpr int64_t kStateRows = 350;
constexpr int64_t kPart = 4 << 10;

StoreKind Untold() {
  StoreKind kind = Rgw();
  kind.name = "Untold";
  kind.limits = [](StoreLimits* limits) { limits->conditional_put = false; };
  return kind;
}

class StraysS3 : public ::testing::TestWithParam<StoreKind> {
 protected:
  StraysS3() : world_(GetParam()) {}

  // A state at row 350, whose writer is lost.
  WriterState State(const FileOptions& options = TinyParts()) {
    auto writer = ParquetStreamWriter::Open(world_.Process(), kKey, RowSchema(), options, Inline()).ValueOrDie();
    MustBeOk(WriteOn(writer.get(), kStateRows));
    return WriterState::FromBytes(writer->Checkpoint().ValueOrDie().ToBytes()).ValueOrDie();
  }
  int Parts(const WriterState& state) { return static_cast<int>(state.progress.receipts.size()); }
  // The highest number that the end of this state needs where nothing is in the way.
  int PlainEnd(const WriterState& state) {
    S3World other(Strict());
    auto writer = ParquetStreamWriter::Open(other.Process(), kKey, RowSchema(), state.options, Inline()).ValueOrDie();
    MustBeOk(WriteOn(writer.get(), kStateRows));
    MustBeOk(writer->Checkpoint().status());
    return writer->Close().ValueOrDie().receipts.back().number;
  }
  void Stray(const WriterState& state, int number, int64_t size_bytes) {
    MustBeOk(world_.PutStray(state.progress.upload_id, number, size_bytes));
  }
  Result<CommitInfo> FinishIt(const WriterState& state) { return Finish(state, world_.On(world_.Process())); }
  void ExpectFinishes(const WriterState& state) {
    ASSERT_OK_AND_ASSIGN(const CommitInfo info, FinishIt(state));
    EXPECT_EQ(info.rows, kStateRows);
    ExpectWhole(kStateRows);
    EXPECT_EQ(info.size_bytes, static_cast<int64_t>(world_.Object()->size()));
    ASSERT_OK(FinishIt(state));  // and again
    ExpectWhole(kStateRows);
  }
  void ExpectWhole(int64_t rows) {
    EXPECT_EQ(world_.RowsThere(), rows) << world_.LogText();
    EXPECT_TRUE(world_.OpenUploads().empty());
  }

  S3World world_;
};

TEST_P(StraysS3, AShortLastOne) {
  const WriterState state = State();
  Stray(state, PlainEnd(state) + 4, 100);
  ExpectFinishes(state);
}

TEST_P(StraysS3, AShortOneInTheMiddle) {
  const WriterState state = State();
  const int end = PlainEnd(state);
  Stray(state, end + 1, kPart);
  Stray(state, end + 2, 100);
  Stray(state, end + 3, kPart);
  Stray(state, end + 4, kPart);
  ExpectFinishes(state);
}

TEST_P(StraysS3, ShortOnesWhereTheEndGoes) {
  const WriterState state = State();
  for (int number = Parts(state) + 1; number <= PlainEnd(state) + 2; ++number) Stray(state, number, 100);
  ExpectFinishes(state);
}

TEST_P(StraysS3, AGapInTheNumbers) {
  const WriterState state = State();
  const int end = PlainEnd(state);
  Stray(state, end + 3, kPart);
  Stray(state, end + 30, kPart);
  Stray(state, end + 31, 7);
  ExpectFinishes(state);
}

TEST_P(StraysS3, TheHighestNumberIsTheStoresLast) {
  const WriterState state = State();
  Stray(state, PlainEnd(state) + 2, kPart);
  Stray(state, 10'000, kPart);
  ExpectFinishes(state);
}

TEST_P(StraysS3, AnEmptyRest) {
  // Parts of just the length that the rows of the state have.
  const WriterState first = State();
  FileOptions options = TinyParts();
  options.part_size_bytes = Parts(first) * kPart + static_cast<int64_t>(first.progress.unsent.size());
  options.parquet.row_group_bytes = TinyParts().parquet.row_group_bytes;
  MustBeOk(Abort(first, world_.On(world_.Process())).status());
  const WriterState state = State(options);
  ASSERT_EQ(Parts(state), 1);
  ASSERT_TRUE(state.progress.unsent.empty());
  Stray(state, 3, options.part_size_bytes);
  Stray(state, 4, 100);
  Stray(state, 6, options.part_size_bytes);
  ExpectFinishes(state);
}

// The strays of the following tests: full ones, a short one, a gap.
void LeaveStrays(S3World* world, const WriterState& state, int end) {
  MustBeOk(world->PutStray(state.progress.upload_id, end + 2, kPart));
  MustBeOk(world->PutStray(state.progress.upload_id, end + 3, 100));
  MustBeOk(world->PutStray(state.progress.upload_id, end + 6, 200));
}

// Dies at the n-th of its requests, done or not.
std::vector<FaultRule> DieAt(int nth, bool done) {
  FaultRule last{.when = {.operation = "*", .skip = nth, .times = 1},
                 .fault = {.apply = done, .no_reply = true, .end = Fault::End::kReset}};
  FaultRule rest{.when = {.operation = "*", .skip = nth, .times = -1},
                 .fault = {.apply = false, .no_reply = true, .end = Fault::End::kReset}};
  return {last, rest};
}

TEST_P(StraysS3, ACrashAtEachRequestAndAgain) {
  std::optional<std::string> calm;
  bool first_died = true;
  for (int first = 0; first_died; ++first) {
    bool second_died = true;
    for (int second = 0; second_died; ++second) {
      SCOPED_TRACE(std::to_string(first) + ", then " + std::to_string(second));
      S3World world(GetParam());
      world.setup().client.retry.max_attempts = 1;
      auto writer = ParquetStreamWriter::Open(world.Process(), kKey, RowSchema(), TinyParts(), Inline()).ValueOrDie();
      MustBeOk(WriteOn(writer.get(), kStateRows));
      const WriterState state = writer->Checkpoint().ValueOrDie();
      LeaveStrays(&world, state, Parts(state) + 2);
      const bool done = (first + second) % 2 == 0;
      world.transport().Use(DieAt(first, done));
      (void)Finish(state, world.On(world.Process()));
      first_died = world.transport().faults_fired() > 0;
      world.transport().Use(DieAt(second, !done));
      (void)Finish(state, world.On(world.Process()));
      second_died = world.transport().faults_fired() > 0;
      ASSERT_OK(Finish(state, world.Healthy()));
      ASSERT_EQ(world.RowsThere(), kStateRows) << world.LogText();
      ASSERT_TRUE(world.OpenUploads().empty());
      if (!calm) calm = world.Object();
      // Where strays are left out the plain end is one; else the layout follows from state and strays alone, or was
      // never needed since somebody had finished.
      EXPECT_TRUE(world.Object() == calm);
      ASSERT_LT(first + second, 100);
    }
  }
}

// While one finishes, another finishes in between, before each of its requests in turn.
TEST_P(StraysS3, TwoFinishersAtOnce) {
  bool met = true;
  for (int nth = 0; met; ++nth) {
    SCOPED_TRACE(nth);
    S3World world(GetParam());
    auto writer = ParquetStreamWriter::Open(world.Process(), kKey, RowSchema(), TinyParts(), Inline()).ValueOrDie();
    MustBeOk(WriteOn(writer.get(), kStateRows));
    const WriterState state = writer->Checkpoint().ValueOrDie();
    LeaveStrays(&world, state, Parts(state) + 2);
    int seen = 0;
    met = false;
    Status other;
    world.transport().SetHook([&](const S3Call&) {
      if (met || seen++ != nth) return;
      met = true;
      other = Finish(state, world.On(world.Process())).status();
    });
    const Result<CommitInfo> one = Finish(state, world.On(world.Process()));
    ASSERT_OK(other);
    ASSERT_OK(one);
    EXPECT_EQ(world.RowsThere(), kStateRows);
    EXPECT_TRUE(world.OpenUploads().empty());
    ASSERT_LT(nth, 100);
  }
}

// Two that write in turn, part by part: one stores a request's worth before each of the other's.
TEST_P(StraysS3, TwoFinishersInStep) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    S3World world(GetParam());
    auto writer = ParquetStreamWriter::Open(world.Process(), kKey, RowSchema(), TinyParts(), Inline()).ValueOrDie();
    MustBeOk(WriteOn(writer.get(), kStateRows));
    const WriterState state = writer->Checkpoint().ValueOrDie();
    LeaveStrays(&world, state, Parts(state) + 2);
    // Each dies after some of its requests, and is followed by the next; at the end one is let alone.
    for (int turn = 0; turn < 6; ++turn) {
      world.transport().Use(DieAt(static_cast<int>((seed * 7 + static_cast<uint64_t>(turn) * 3) % 9), turn % 2 == 0));
      (void)Finish(state, world.On(world.Process()));
    }
    ASSERT_OK(Finish(state, world.Healthy()));
    EXPECT_EQ(world.RowsThere(), kStateRows);
    EXPECT_TRUE(world.OpenUploads().empty());
  }
}

TEST_P(StraysS3, AResumeWhoseEndHasFewerParts) {
  const WriterState state = State();
  LeaveStrays(&world_, state, Parts(state) + 6);
  ASSERT_OK_AND_ASSIGN(auto writer,
                       ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = world_.Process()}));
  ASSERT_OK(WriteOn(writer.get(), kStateRows + 20));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK_AND_ASSIGN(const PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
  ASSERT_OK(Commit(fresh, world_.On(world_.Process())));
  ASSERT_OK(Commit(fresh, world_.On(world_.Process())));
  ExpectWhole(kStateRows + 20);
}

TEST_P(StraysS3, APendingCommitThatMeetsNewOnes) {
  auto writer = ParquetStreamWriter::Open(world_.Process(), kKey, RowSchema(), TinyParts(), Inline()).ValueOrDie();
  ASSERT_OK(WriteOn(writer.get(), kStateRows));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  ASSERT_OK(WriteOn(writer.get(), 500));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  LeaveStrays(&world_, state, 40);
  ASSERT_OK_AND_ASSIGN(const PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
  ASSERT_OK_AND_ASSIGN(const CommitInfo info, Commit(fresh, world_.On(world_.Process())));
  EXPECT_EQ(info.rows, 500);
  EXPECT_EQ(info.size_bytes, static_cast<int64_t>(world_.Object()->size()));
  ExpectWhole(500);
}

TEST(StraysKnown, OnlyWhereTheyAreLeftOutForSureNoStateIsCarriedAndOnlyWhereTheyAreRefusedIsListed) {
  for (const StrayParts known : {StrayParts::kUnknown, StrayParts::kLeftOut, StrayParts::kRefused}) {
    S3World world(Strict());
    world.setup().limits->stray_parts = known;
    auto writer = ParquetStreamWriter::Open(world.Process(), kKey, RowSchema(), TinyParts(), Inline()).ValueOrDie();
    MustBeOk(WriteOn(writer.get(), kStateRows));
    MustBeOk(writer->Checkpoint().status());
    MustBeOk(WriteOn(writer.get(), 500));
    ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
    EXPECT_EQ(pending.state.has_value(), known != StrayParts::kLeftOut);
    EXPECT_EQ(world.Calls()["ListParts"], known == StrayParts::kRefused ? 1 : 0);
    ASSERT_OK_AND_ASSIGN(const PendingCommit fresh, PendingCommit::FromBytes(pending.ToBytes()));
    ASSERT_OK(Commit(fresh, world.On(world.Process())));
    EXPECT_EQ(world.RowsThere(), 500);
    EXPECT_EQ(world.Calls()["ListParts"], known == StrayParts::kRefused ? 1 : 0);
  }
}

TEST(StraysKnown, AWriteWithoutAStateCarriesNoneWhateverTheStoreDoes) {
  S3World world(Rgw());
  auto writer = ParquetStreamWriter::Open(world.Process(), kKey, RowSchema(), TinyParts(), Inline()).ValueOrDie();
  MustBeOk(WriteOn(writer.get(), 500));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  EXPECT_FALSE(pending.state);
  EXPECT_EQ(world.Calls()["ListParts"], 0);
}

INSTANTIATE_TEST_SUITE_P(Stores, StraysS3, ::testing::Values(Strict(), Rgw(), Untold()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
