// The promises on the local store, with its locks: a live writer keeps others out, a dead or closed one does not, and a
// published file never changes afterwards.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OnLocalFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tailrace-sim-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    StoreAndKey at = OpenStore((folder_ / "f.parquet").string()).ValueOrDie();
    store_ = at.store;
    key_ = at.key;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<ParquetStreamWriter> Open() {
    return ParquetStreamWriter::Open(store_, key_, RowSchema(), SmallFile(), Inline()).ValueOrDie();
  }
  Result<std::unique_ptr<ParquetStreamWriter>> Resume(const WriterState& state) {
    return ParquetStreamWriter::Resume(WriterState::FromBytes(state.ToBytes()).ValueOrDie(), {.runtime = Inline()});
  }
  WriterState StateAt(ParquetStreamWriter* writer, int64_t rows) {
    MustBeOk(WriteUpTo(writer, rows, 250));
    return writer->Checkpoint().ValueOrDie();
  }
  std::string Bytes() const {
    std::ifstream file(folder_ / "f.parquet", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool There() const { return fs::exists(folder_ / "f.parquet"); }
  // Everything in the folder but the published file.
  std::vector<std::string> Leftovers() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.is_regular_file() && entry.path().filename() != "f.parquet") names.push_back(entry.path().string());
    }
    return names;
  }

  fs::path folder_;
  std::shared_ptr<MultipartStore> store_;
  std::string key_;
};

TEST_F(OnLocalFiles, WriteCheckpointResumeCommitGivesTheUninterruptedBytesAndLeavesNothing) {
  auto writer = Open();
  WriterState state = StateAt(writer.get(), 800);
  ASSERT_OK(WriteUpTo(writer.get(), 1700, 250));
  writer.reset();
  ASSERT_OK_AND_ASSIGN(writer, Resume(state));
  state = StateAt(writer.get(), 1500);
  ASSERT_OK(WriteUpTo(writer.get(), 2500, 77));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  EXPECT_FALSE(There());
  ASSERT_OK(Commit(pending));
  ASSERT_OK_AND_ASSIGN(std::string expected, UninterruptedBytes({800, 1500}, 2500, SmallFile()));
  EXPECT_TRUE(Bytes() == expected);
  EXPECT_THAT(Leftovers(), IsEmpty());
}

TEST_F(OnLocalFiles, ALiveWriterKeepsOthersOutUntilItIsGone) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 800);
  for (const Status& status : {Resume(state).status(), Finish(state).status(), Abort(state).status()}) {
    ASSERT_EQ(KindOf(status), ErrorKind::kWriterAlive) << status.ToString();
    EXPECT_EQ(OutcomeOf(status), Outcome::kRetry);
    EXPECT_THAT(status.message(), HasSubstr("another writer in this process"));
  }
  writer.reset();
  ASSERT_OK(Finish(state));
  EXPECT_THAT(Leftovers(), IsEmpty());
}

TEST_F(OnLocalFiles, APartChangedBetweenCloseAndCommitFencesTheCommit) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 800);
  ASSERT_OK(WriteUpTo(writer.get(), 2000, 250));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK_AND_ASSIGN(auto other, Resume(state));
  StateAt(other.get(), 1000);  // other flush points: other bytes in the parts behind the state
  StateAt(other.get(), 2000);
  other.reset();
  EXPECT_KIND(ErrorKind::kFenced, Commit(pending));
  EXPECT_FALSE(There());
  ASSERT_OK(Finish(state));
}

TEST_F(OnLocalFiles, APublishedFileNeverChangesWhateverLateProcessesDo) {
  auto writer = Open();
  const WriterState early = StateAt(writer.get(), 800);
  const WriterState late = StateAt(writer.get(), 1600);
  ASSERT_OK(WriteUpTo(writer.get(), 2400, 250));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending));
  const std::string published = Bytes();
  EXPECT_KIND(ErrorKind::kFenced, Finish(early));
  EXPECT_KIND(ErrorKind::kFenced, Finish(late));
  EXPECT_KIND(ErrorKind::kPrecondition, Resume(early));
  ASSERT_OK_AND_ASSIGN(AbortResult aborted, Abort(late));
  EXPECT_EQ(aborted, AbortResult::kAlreadyCommitted);
  ASSERT_OK_AND_ASSIGN(CommitInfo again, Commit(pending));
  EXPECT_TRUE(again.already_committed);
  EXPECT_TRUE(Bytes() == published);
  EXPECT_THAT(Leftovers(), IsEmpty());
}

TEST_F(OnLocalFiles, ResumeTwiceFromOneStateHasOneWinner) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 800);
  writer.reset();
  ASSERT_OK_AND_ASSIGN(auto first, Resume(state));
  StateAt(first.get(), 1200);
  first.reset();
  ASSERT_OK_AND_ASSIGN(auto second, Resume(state));
  ASSERT_OK(WriteUpTo(second.get(), 2000, 250));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, second->Close());
  ASSERT_OK(Commit(pending));
  ASSERT_OK_AND_ASSIGN(std::string expected, UninterruptedBytes({800}, 2000, SmallFile()));
  EXPECT_TRUE(Bytes() == expected);
}

TEST_F(OnLocalFiles, ADamagedPartIsFoundBeforePublishing) {
  auto writer = Open();
  const WriterState state = StateAt(writer.get(), 2000);
  ASSERT_GE(state.progress.receipts.size(), 2u);
  writer.reset();
  ASSERT_EQ(Leftovers().size(), 1u);
  {
    std::fstream hidden(Leftovers().front(), std::ios::binary | std::ios::in | std::ios::out);
    hidden.seekp(state.progress.part_lengths.part_size_bytes + 100);
    hidden.put('\x55').put('\xaa').put('\x55');
  }
  EXPECT_KIND(ErrorKind::kFenced, Finish(state));
  EXPECT_KIND(ErrorKind::kFenced, Resume(state));
  EXPECT_FALSE(There());
}

TEST_F(OnLocalFiles, AnAbortedWriterLeavesNothing) {
  auto writer = Open();
  StateAt(writer.get(), 2000);
  ASSERT_OK(writer->Abort());
  EXPECT_THAT(Leftovers(), IsEmpty());
  EXPECT_KIND(ErrorKind::kInvalid, writer->Write(*Rows(0, 1)));
}

TEST_F(OnLocalFiles, AnInlineFileIsCommittedAndAbortedWithoutLeftovers) {
  const RuntimeOptions runtime{.executor = MakeInlineExecutor()};
  auto writer = ParquetStreamWriter::Open(store_, key_, RowSchema(), FileOptions{}, runtime).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 10, 10));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_TRUE(pending.is_inline());
  ASSERT_OK_AND_ASSIGN(AbortResult aborted, Abort(pending));
  EXPECT_EQ(aborted, AbortResult::kAborted);
  ASSERT_OK(Commit(pending));
  ASSERT_OK_AND_ASSIGN(CommitInfo again, Commit(PendingCommit::FromBytes(pending.ToBytes()).ValueOrDie()));
  EXPECT_TRUE(again.already_committed);
  EXPECT_THAT(Leftovers(), IsEmpty());
}

}  // namespace
}  // namespace tailrace::sim
