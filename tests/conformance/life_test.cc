// Whole files on each store: written, resumed, finished, committed, by the library itself.
#include "tests/conformance/conformance_fixture.h"

#include "tailrace/commit.h"
#include "tailrace/state.h"
#include "tailrace/writer.h"
#include "testing/fake_clock.h"
#include "tests/sim/writes.h"

namespace tailrace {
namespace {

constexpr int64_t kBatchRows = 1000;

class Lives : public ConformanceTest {
 protected:
  // The limits are what the first answer tells, but for the strict server's smaller parts.
  void SetUp() override {
    EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key("nothing")));
    StoreLimits limits = store()->limits();
    limits.min_part_bytes = std::min(limits.min_part_bytes, differs().part_bytes);
    store_ = under_test_->With([&](StoreOptions* options) { options->limits = limits; });
    if (store_ == nullptr) store_ = under_test_->store();
  }

  FileOptions File() {
    FileOptions options = sim::SmallFile();
    options.part_size_bytes = std::max(options.part_size_bytes, store_->limits().min_part_bytes);
    return options;
  }
  // So many that two parts are full, and more.
  int64_t EnoughRows() {
    const int64_t probe = 2000;
    const auto bytes = sim::UninterruptedBytes({}, probe, File(), Runtime()).ValueOrDie();
    return std::max<int64_t>(6000, 5 * File().part_size_bytes / 2 / (static_cast<int64_t>(bytes.size()) / probe));
  }
  static RuntimeOptions Runtime() {
    RuntimeOptions runtime = sim::Inline();
    runtime.memory_budget_bytes = 64 << 20;  // for two parts of the smallest size that stores take
    return runtime;
  }
  std::unique_ptr<ParquetStreamWriter> Open(const FileOptions& options) {
    return ParquetStreamWriter::Open(store_, Key(), sim::RowSchema(), options, Runtime()).ValueOrDie();
  }
  std::unique_ptr<ParquetStreamWriter> Open() { return Open(File()); }
  std::unique_ptr<ParquetStreamWriter> Resume(const std::string& state) {
    return ParquetStreamWriter::Resume(WriterState::FromBytes(state).ValueOrDie(),
                                       {.runtime = Runtime(), .store = store_})
        .ValueOrDie();
  }
  CommitOptions Store() { return {.store = store_, .settle_timeout = std::chrono::seconds(2)}; }
  void ExpectAbort(const WriterState& state, AbortResult expected) {
    ASSERT_OK_AND_ASSIGN(const AbortResult result, Abort(state, Store()));
    EXPECT_EQ(result, expected);
  }
  std::string Bytes() {
    const int64_t size = store()->Head(Key()).ValueOrDie().size_bytes;
    return store()->GetRange(Key(), 0, size, "").ValueOrDie();
  }

  std::shared_ptr<MultipartStore> store_;
};
TAILRACE_ON_EACH_STORE(Lives);

TEST_P(Lives, ResumedFileIsTheUninterruptedOne) {
  const int64_t rows = EnoughRows(), first = rows / 3, second = rows * 2 / 3;
  auto writer = Open();
  ASSERT_OK(sim::WriteUpTo(writer.get(), first, kBatchRows));
  ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
  writer.reset();
  writer = Resume(state.ToBytes());
  ASSERT_OK(sim::WriteUpTo(writer.get(), second, kBatchRows));
  ASSERT_OK_AND_ASSIGN(state, writer->Checkpoint());
  // A lost process: what it writes after its last state is written again, and makes strays.
  ASSERT_OK(sim::WriteUpTo(writer.get(), rows, kBatchRows));
  writer.reset();
  writer = Resume(state.ToBytes());
  ASSERT_OK(sim::WriteUpTo(writer.get(), rows, kBatchRows));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
  ASSERT_OK_AND_ASSIGN(const CommitInfo done, Commit(pending, Store()));
  EXPECT_EQ(done.rows, rows);
  const std::string bytes = Bytes();
  EXPECT_EQ(sim::CountersOf(bytes).ValueOrDie(), sim::Counted(rows));
  EXPECT_TRUE(bytes == sim::UninterruptedBytes({first, second}, rows, File(), Runtime()).ValueOrDie());
  // Again, next week.
  ASSERT_OK_AND_ASSIGN(const CommitInfo again,
                       Commit(PendingCommit::FromBytes(pending.ToBytes()).ValueOrDie(), Store()));
  // A store that answers a second Complete as it did the first does not tell the two apart.
  EXPECT_EQ(again.already_committed, !differs().completes_twice);
  EXPECT_TRUE(OpenUploadsOf(Key()).empty());
}

TEST_P(Lives, FinishedFromAnOldStateLeavesStraysBehind) {
  const int64_t rows = EnoughRows();
  auto writer = Open();
  ASSERT_OK(sim::WriteUpTo(writer.get(), rows / 4, kBatchRows));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  ASSERT_OK(sim::WriteUpTo(writer.get(), rows, kBatchRows));
  writer.reset();
  const WriterState old = WriterState::FromBytes(state.ToBytes()).ValueOrDie();
  ASSERT_OK_AND_ASSIGN(const CommitInfo done, Finish(old, Store()));
  EXPECT_EQ(done.rows, rows / 4);
  EXPECT_EQ(sim::CountersOf(Bytes()).ValueOrDie(), sim::Counted(rows / 4));
  if (differs().gone_part_is_transient) return;  // then nobody can tell that it is done
  ASSERT_OK_AND_ASSIGN(const CommitInfo again, Finish(old, Store()));
  EXPECT_EQ(again.already_committed, differs().refuses_part_after_complete || !differs().completes_twice);
  EXPECT_TRUE(OpenUploadsOf(Key()).empty());
}

TEST_P(Lives, SmallFileIsOnePut) {
  FileOptions options = File();
  options.inline_max_bytes = 1 << 20;
  auto writer = Open(options);
  ASSERT_OK(sim::WriteUpTo(writer.get(), 100, 50));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  const std::string bytes = pending.ToBytes();
  ASSERT_OK(Commit(pending, Store()));
  ASSERT_OK_AND_ASSIGN(const CommitInfo again, Commit(PendingCommit::FromBytes(bytes).ValueOrDie(), Store()));
  EXPECT_TRUE(again.already_committed);
  EXPECT_EQ(sim::CountersOf(Bytes()).ValueOrDie(), sim::Counted(100));
}

TEST_P(Lives, AbortedWriteIsGone) {
  auto writer = Open();
  ASSERT_OK(sim::WriteUpTo(writer.get(), 500, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  writer.reset();
  ExpectAbort(state, AbortResult::kAborted);
  ExpectAbort(state, AbortResult::kAborted);
  // It looks again for some seconds before it says so.
  FakeClock clock;
  CommitOptions options = Store();
  options.clock = &clock;
  const auto finished = Finish(state, options);
  const Outcome expected = differs().gone_part_is_transient ? Outcome::kRetry : Outcome::kGone;
  EXPECT_EQ(OutcomeOf(finished.status()), expected) << finished.status().ToString();
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
  EXPECT_TRUE(OpenUploadsOf(Key()).empty());
}

// Some server answers 200 to completing an upload that is gone, where any object at all is under the key.
TEST_P(Lives, ForeignObjectIsNeverSuccess) {
  auto writer = Open();
  ASSERT_OK(sim::WriteUpTo(writer.get(), 500, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  const std::string bytes = pending.ToBytes();
  writer.reset();
  ASSERT_OK(store_->OpenUpload(Key(), state.progress.upload_id).ValueOrDie()->Abort());
  ASSERT_OK(store()->Put(Key(), SlicesOf("foreign"), NewWrite(), {}));
  FakeClock clock;
  CommitOptions options = Store();
  options.clock = &clock;
  for (const Status& ended :
       {Commit(PendingCommit::FromBytes(bytes).ValueOrDie(), options).status(), Finish(state, options).status()}) {
    EXPECT_THAT(OutcomeOf(ended), ::testing::AnyOf(Outcome::kGone, Outcome::kRetry)) << ended.ToString();
  }
  EXPECT_TRUE(Holds(Key(), "foreign"));
}

TEST_P(Lives, AbortAfterCommitTakesNothingAway) {
  auto writer = Open();
  ASSERT_OK(sim::WriteUpTo(writer.get(), 500, 100));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  writer.reset();
  ASSERT_OK(Finish(state, Store()));
  ExpectAbort(state, AbortResult::kAlreadyCommitted);
  EXPECT_EQ(sim::CountersOf(Bytes()).ValueOrDie(), sim::Counted(500));
}

}  // namespace
}  // namespace tailrace
