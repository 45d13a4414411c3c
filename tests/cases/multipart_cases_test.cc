// Failures that users of other tools reported, of the kind "multipart rules and completion": what tailrace does with
// each, on a store that is stricter than the one that was reported. Numbers: docs/promises.md.
#include <cstring>
#include <random>
#include <thread>

#include <arrow/api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fault_store.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kKiB = 1024;

// One column of random bytes, 1 KiB a row: encodes to as much as it is.
std::shared_ptr<arrow::RecordBatch> Noise(int64_t rows, uint64_t seed) {
  std::mt19937_64 random(seed);
  arrow::BinaryBuilder builder;
  std::string value(kKiB, '\0');
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t i = 0; i < value.size(); i += 8) {
      const uint64_t bits = random();
      std::memcpy(value.data() + i, &bits, 8);
    }
    MustBeOk(builder.Append(value));
  }
  auto array = builder.Finish().ValueOrDie();
  return arrow::RecordBatch::Make(arrow::schema({arrow::field("b", arrow::binary())}), rows, {array});
}

FileOptions Scaled() {  // 5 MiB parts and MiB row groups, 1,024 times smaller
  FileOptions options;
  options.part_size_bytes = 5 * kKiB;
  options.inline_max_bytes = 0;
  options.parquet.codec = Codec::kNone;
  options.parquet.row_group_bytes = 128 * kKiB;
  return options;
}

StoreLimits StrictS3() {
  StoreLimits limits;
  limits.min_part_bytes = 5 * kKiB;
  limits.reads_settle_at_once = true;
  return limits;
}

std::vector<int64_t> PartSizes(const MemoryStore& store) {
  std::vector<int64_t> sizes;
  for (const auto& [id, upload] : store.Uploads()) {
    for (const auto& [number, bytes] : upload.parts) sizes.push_back(static_cast<int64_t>(bytes.size()));
  }
  return sizes;
}

TEST(CasesMultipart, C01TheLastPartNumberIsNeverSpentAndTheStateStillFinishes) {
  StoreLimits limits = StrictS3();
  limits.max_parts = 12;
  auto store = MemoryStore::Make({.limits = limits});
  FileOptions options = Scaled();
  options.parquet.row_group_bytes = 8 * kKiB;
  auto writer = ParquetStreamWriter::Open(store, "k", Noise(1, 0)->schema(), options, Inline()).ValueOrDie();
  Status refused;
  for (uint64_t i = 0; i < 70 && refused.ok(); ++i) refused = writer->Write(*Noise(1, i));
  EXPECT_KIND(ErrorKind::kLimit, refused);
  EXPECT_THAT(refused.message(), HasSubstr("12 parts"));
  EXPECT_THAT(refused.message(), HasSubstr("part_size_bytes"));
  EXPECT_GT(writer->rows(), 30) << "refused far too early";
  const int64_t rows = writer->rows();
  // Refused rows are not the writer's error: it can still take a state, and both finish.
  ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
  EXPECT_EQ(state.rows(), rows);
  EXPECT_EQ(store->Content("k"), std::nullopt);
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  EXPECT_LE(pending.receipts.size(), 12u);
  ASSERT_OK(Commit(pending, {.store = store}));
}

TEST(CasesMultipart, C02AllPartsButTheLastAreEqualAcrossFlushesCheckpointsAndResumes) {
  auto store = MemoryStore::Make({.limits = StrictS3(), .equal_parts = true});
  auto writer = ParquetStreamWriter::Open(store, "k", Noise(1, 0)->schema(), Scaled(), Inline()).ValueOrDie();
  int64_t rows = 0;
  for (int64_t group : {5, 7, 6, 5, 7}) {  // row groups of 5.3, 7.1, ... parts
    ASSERT_OK(writer->Write(*Noise(group, static_cast<uint64_t>(rows))));
    rows += group;
    ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
    ASSERT_OK_AND_ASSIGN(writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
  }
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  for (int64_t size : PartSizes(*store)) EXPECT_LE(size, 5 * kKiB);
  ASSERT_OK(Commit(pending, {.store = store}));
}

TEST(CasesMultipart, C04ACheckpointInTheMiddleOfAPartStoresNoShortPart) {
  auto store = MemoryStore::Make({.limits = StrictS3(), .equal_parts = true});
  auto writer = ParquetStreamWriter::Open(store, "k", Noise(1, 0)->schema(), Scaled(), Inline()).ValueOrDie();
  for (uint64_t i = 0; i < 20; ++i) {
    ASSERT_OK(writer->Write(*Noise(1, i)));
    ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
    EXPECT_LT(static_cast<int64_t>(state.progress.unsent.size()), 5 * kKiB);
    for (int64_t size : PartSizes(*store)) EXPECT_EQ(size, 5 * kKiB);
  }
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, {.store = store}));
}

TEST(CasesMultipart, C08AnUploadThatALifecycleRuleRemovedIsOneKindWithoutARetryLoop) {
  auto store = MemoryStore::Make();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 2000, 500));
  ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
  ASSERT_GE(state.progress.receipts.size(), 3u);
  writer.reset();
  store->ExpireUpload(state.progress.upload_id);
  store->ResetCalls();
  auto resumed = ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store});
  EXPECT_KIND(ErrorKind::kUploadGone, resumed);
  EXPECT_THAT(resumed.status().message(), HasSubstr("'k'"));
  EXPECT_THAT(resumed.status().message(), HasSubstr(state.progress.upload_id.text));
  EXPECT_KIND(ErrorKind::kUploadGone, Finish(state, {.store = store}));
  EXPECT_LT(store->calls().total(), 10);
  EXPECT_THAT(store->Keys(), IsEmpty());
}

TEST(CasesMultipart, C09FinishAgainFromAnOlderCopyOfTheStateIsCommitted) {
  auto store = MemoryStore::Make();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 500));
  ASSERT_OK_AND_ASSIGN(WriterState state, writer->Checkpoint());
  const std::string blob = state.ToBytes();
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(CommitInfo info, Finish(WriterState::FromBytes(blob).ValueOrDie(), {.store = store}));
    EXPECT_EQ(info.rows, 1000);
    EXPECT_EQ(info.already_committed, i > 0);
  }
}

TEST(CasesMultipart, C12AFailedLastPartIsReportedAsItIsAndTheUploadIsAbortedOnce) {
  auto memory = MemoryStore::Make();
  auto store = std::make_shared<FaultStore>(memory, [](const FaultPoint& point) {
    if (point.call == StoreCall::kPutPart && point.part_number >= 3)
      return MakeError(ErrorKind::kDenied, "400 from the store");
    if (point.call == StoreCall::kAbort && !point.done) return MakeError(ErrorKind::kTransient, "500 to the abort");
    return Status::OK();
  });
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  Status failed = WriteUpTo(writer.get(), 5000, 500);
  if (failed.ok()) failed = writer->Close().status();
  EXPECT_KIND(ErrorKind::kDenied, failed);
  EXPECT_THAT(failed.message(), HasSubstr("400 from the store"));
  EXPECT_THAT(failed.message(), HasSubstr("part 3"));
  writer.reset();
  int aborts = 0;
  for (const auto& entry : store->log()) aborts += entry.point.call == StoreCall::kAbort;
  EXPECT_EQ(aborts, 1);
  EXPECT_THAT(memory->Keys(), IsEmpty());
}

TEST(CasesMultipart, C19AFailedBackgroundPartFailsTheCloseWithNumberAndCause) {
  auto memory = MemoryStore::Make();
  auto store = std::make_shared<FaultStore>(memory, [](const FaultPoint& point) {
    return point.part_number == 5 ? MakeError(ErrorKind::kTransient, "500 until retries end") : Status::OK();
  });
  RuntimeOptions runtime = Inline();
  runtime.executor = MakeThreadPool(3);
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), runtime).ValueOrDie();
  Status failed = WriteUpTo(writer.get(), 6000, 100);
  if (failed.ok()) failed = writer->Close().status();
  EXPECT_KIND(ErrorKind::kTransient, failed);
  EXPECT_THAT(failed.message(), HasSubstr("part 5"));
  EXPECT_THAT(failed.message(), HasSubstr("500 until retries end"));
  EXPECT_THAT(memory->Keys(), IsEmpty());
  EXPECT_EQ(memory->calls().complete, 0);
}

TEST(CasesMultipart, C31AnUploadAbortedFromOutsideIsGoneAtTheLatestAtTheCommit) {
  auto store = MemoryStore::Make();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  ASSERT_OK(WriteUpTo(writer.get(), 3000, 500));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, writer->Close());
  store->ExpireUpload(pending.upload_id);
  store->ResetCalls();
  EXPECT_KIND(ErrorKind::kUploadGone, Commit(pending, {.store = store}));
  EXPECT_LT(store->calls().total(), 6);
}

TEST(CasesMultipart, C55TheNewestStateIsEnoughByItself) {
  auto store = MemoryStore::Make();
  auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
  std::string newest;
  for (int64_t row = 100; row <= 2000; row += 100) {
    ASSERT_OK(WriteUpTo(writer.get(), row, 100));
    newest = writer->Checkpoint().ValueOrDie().ToBytes();  // and the older ones are thrown away
  }
  writer.reset();
  ASSERT_OK(Finish(WriterState::FromBytes(newest).ValueOrDie(), {.store = store}));
  ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(store->Content("k").value()));
  EXPECT_EQ(counters, Counted(2000));
}

TEST(CasesMultipart, C85AFailureWhileTheFooterIsWrittenPublishesNothingAndTheStateResumes) {
  auto memory = MemoryStore::Make();
  std::optional<WriterState> state;
  {
    auto store = std::make_shared<FaultStore>(memory);
    auto writer = ParquetStreamWriter::Open(store, "k", RowSchema(), SmallFile(), Inline()).ValueOrDie();
    ASSERT_OK(WriteUpTo(writer.get(), 2000, 500));
    ASSERT_OK_AND_ASSIGN(state, writer->Checkpoint());
    store->SetFault(FailAll(StoreCall::kPutPart, ErrorKind::kTransient));
    EXPECT_KIND(ErrorKind::kTransient, writer->Close());
  }
  EXPECT_THAT(memory->Keys(), IsEmpty());
  ASSERT_OK_AND_ASSIGN(auto resumed, ParquetStreamWriter::Resume(*state, {.runtime = Inline(), .store = memory}));
  ASSERT_OK_AND_ASSIGN(PendingCommit pending, resumed->Close());
  ASSERT_OK(Commit(pending, {.store = memory}));
}

TEST(CasesMultipart, C105AFastProducerWaitsForASlowStoreWithinTheBudget) {
  auto memory = MemoryStore::Make();
  auto store = std::make_shared<FaultStore>(memory, [](const FaultPoint& point) {
    if (point.call == StoreCall::kPutPart && !point.done) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return Status::OK();
  });
  FileOptions options = Scaled();
  options.part_size_bytes = 64 * kKiB;
  RuntimeOptions runtime;
  runtime.executor = MakeThreadPool(2);
  runtime.memory_budget_bytes = 512 * kKiB;
  runtime.parts_in_flight = 2;
  auto writer = ParquetStreamWriter::Open(store, "k", Noise(1, 0)->schema(), options, runtime).ValueOrDie();
  // At any moment what was taken and is not stored stays within the budget and one batch.
  for (uint64_t i = 0; i < 300; ++i) {
    ASSERT_OK(writer->Write(*Noise(16, i)));
    int64_t stored = 0;
    for (int64_t size : PartSizes(*memory)) stored += size;
    ASSERT_LE(writer->rows() * kKiB - stored, 512 * kKiB + 64 * kKiB) << "after batch " << i;
  }
  ASSERT_OK(writer->Abort());
}

}  // namespace
}  // namespace tailrace::sim
