// Fail the n-th store operation, for every n, before or after its effect, and start again from what the failed process
// left outside, until a run meets no fault: the rows are there exactly once, the error is of the right kind and stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fault_store.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

constexpr int64_t kRows = 1200;
constexpr int64_t kCheckpointEvery = 300;

// What outlives a process.
struct Outside {
  std::optional<WriterState> state;
  std::optional<PendingCommit> pending;
  int failures = 0;
};

// After the first error every call returns it, and nothing but that.
void ExpectFirstErrorStays(ParquetStreamWriter* writer, const Status& first) {
  for (const Status& later : {writer->Write(*Rows(0, 1)), writer->Checkpoint().status(), writer->Close().status()}) {
    ASSERT_FALSE(later.ok());
    EXPECT_EQ(KindOf(later), KindOf(first)) << later.ToString();
  }
}

Status WriteAll(ParquetStreamWriter* writer, Outside* outside) {
  while (writer->rows() < kRows) {
    const int64_t next = std::min(kRows, (writer->rows() / kCheckpointEvery + 1) * kCheckpointEvery);
    ARROW_RETURN_NOT_OK(WriteUpTo(writer, next, 150));
    if (next == kRows) break;
    ARROW_ASSIGN_OR_RAISE(outside->state, writer->Checkpoint());
  }
  ARROW_ASSIGN_OR_RAISE(outside->pending, writer->Close());
  return Status::OK();
}

// One process: from the start, from the state, or only the commit.
Status RunOnce(const std::shared_ptr<MultipartStore>& store, const FileOptions& options, Outside* outside) {
  if (!outside->pending) {
    Result<std::unique_ptr<ParquetStreamWriter>> writer =
        outside->state ? ParquetStreamWriter::Resume(*outside->state, {.runtime = Inline(), .store = store})
                       : ParquetStreamWriter::Open(store, "k", RowSchema(), options, Inline());
    ARROW_RETURN_NOT_OK(writer);
    Status written = WriteAll(writer->get(), outside);
    if (!written.ok()) {
      ExpectFirstErrorStays(writer->get(), written);
      return written;
    }
  }
  ARROW_ASSIGN_OR_RAISE(PendingCommit fresh, PendingCommit::FromBytes(outside->pending->ToBytes()));
  return Commit(fresh, {.store = store, .settle_timeout = std::chrono::milliseconds(0)}).status();
}

struct Case {
  const char* name;
  ErrorKind kind;
  FaultTime time;
  bool small_file;
  bool carry = false;
};

class FailNthTest : public ::testing::TestWithParam<Case> {};

TEST_P(FailNthTest, RowsAreThereExactlyOnce) {
  const Case& c = GetParam();
  FileOptions options = SmallFile();
  if (c.small_file) options.inline_max_bytes = 1 << 20;
  if (c.carry) {
    options.checkpoint_mode = CheckpointMode::kCarry;
    options.carry_max_bytes = 64 << 10;
  }
  for (int64_t nth = 0, fired = 1; fired > 0; ++nth) {
    SCOPED_TRACE("fault at operation " + std::to_string(nth));
    auto memory = MemoryStore::Make({.object_crc64 = nth % 2 == 0});
    auto faulty = std::make_shared<FaultStore>(memory, FailNth(nth, c.kind, c.time));
    Outside outside;
    for (int run = 0;; ++run) {
      ASSERT_LT(run, 4);
      const Status status = RunOnce(faulty, options, &outside);
      if (status.ok()) break;
      ++outside.failures;
      EXPECT_TRUE(KindOf(status) == c.kind || KindOf(status) == ErrorKind::kOutcomeUnknown) << status.ToString();
    }
    fired = faulty->fired();
    EXPECT_LE(outside.failures, fired);
    ASSERT_TRUE(memory->Content("k").has_value());
    ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(*memory->Content("k")));
    EXPECT_EQ(counters, Counted(kRows));
    // A lost answer to CreateUpload leaves one upload that nobody knows; a fault in the abort of a write that had no
    // state leaves that one.
    EXPECT_LE(memory->Uploads().size(), static_cast<size_t>(fired));
    if (fired == 0) {
      EXPECT_TRUE(memory->Uploads().empty());
    }
    EXPECT_LT(nth, 200) << "the run does not end";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, FailNthTest,
    ::testing::Values(Case{"TransientBefore", ErrorKind::kTransient, FaultTime::kBefore, false},
                      Case{"TransientAfter", ErrorKind::kTransient, FaultTime::kAfter, false},
                      Case{"DeniedBefore", ErrorKind::kDenied, FaultTime::kBefore, false},
                      Case{"NoSpaceBefore", ErrorKind::kNoSpace, FaultTime::kBefore, false},
                      Case{"ThrottledAfter", ErrorKind::kThrottled, FaultTime::kAfter, false},
                      Case{"CarryTransientBefore", ErrorKind::kTransient, FaultTime::kBefore, false, true},
                      Case{"CarryTransientAfter", ErrorKind::kTransient, FaultTime::kAfter, false, true},
                      Case{"SmallTransientBefore", ErrorKind::kTransient, FaultTime::kBefore, true},
                      Case{"SmallTransientAfter", ErrorKind::kTransient, FaultTime::kAfter, true}),
    [](const auto& info) { return info.param.name; });

// Promise P6: no completion request follows an error.
TEST(P6FirstError, NothingIsCompletedAfterAFailedPart) {
  auto memory = MemoryStore::Make();
  auto faulty = std::make_shared<FaultStore>(memory, FailCall(StoreCall::kPutPart, 2, ErrorKind::kNoSpace));
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(faulty, "k", RowSchema(), SmallFile(), Inline()));
  ASSERT_OK(WriteUpTo(writer.get(), 500, 100));
  ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
  Status failed = WriteUpTo(writer.get(), 5000, 100);
  EXPECT_KIND(ErrorKind::kNoSpace, failed);
  EXPECT_THAT(failed.message(), ::testing::HasSubstr("part"));
  EXPECT_KIND(ErrorKind::kNoSpace, writer->Close());
  writer.reset();
  EXPECT_EQ(memory->calls().complete, 0);
  EXPECT_EQ(memory->calls().abort, 0) << "a state is outside, its upload must stay";
  ASSERT_OK(Finish(state, {.store = memory}));
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(memory->Content("k").value()));
  EXPECT_EQ(counters, Counted(500));
}

// Promise P1 and P9: what a writer that goes away leaves.
TEST(P9Dropping, AbortsWithoutAStateAndKeepsWithOne) {
  struct {
    OnError on_error;
    bool checkpoint;
    size_t uploads_left;
  } cases[] = {
      {OnError::kAuto, false, 0}, {OnError::kAuto, true, 1}, {OnError::kAbort, true, 0}, {OnError::kKeep, false, 1}};
  for (const auto& c : cases) {
    auto store = MemoryStore::Make();
    RuntimeOptions runtime = Inline();
    runtime.on_error = c.on_error;
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), runtime));
    ASSERT_OK(WriteUpTo(writer.get(), 3000, 300));
    if (c.checkpoint) {
      ASSERT_OK(writer->Checkpoint());
    }
    ASSERT_EQ(store->Uploads().size(), 1u);
    writer.reset();
    EXPECT_EQ(store->Uploads().size(), c.uploads_left);
    EXPECT_EQ(store->Content("k"), std::nullopt);
  }
}

TEST(P1NeverByAccident, ACloseWithoutACommitPublishesNothing) {
  for (int64_t rows : {0, 5, 3000}) {
    auto store = MemoryStore::Make();
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()));
    ASSERT_OK(WriteUpTo(writer.get(), rows, 300));
    ASSERT_OK(writer->Close());
    writer.reset();
    EXPECT_EQ(store->Content("k"), std::nullopt);
  }
}

}  // namespace
}  // namespace tailrace::sim
