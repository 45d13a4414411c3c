// Cases about states, over S3: what is durable, what is damaged, who goes on. Numbers: docs/promises.md.
#include "store/s3/s3_calls.h"
#include "tests/cases/s3_cases.h"

namespace tailrace::sim {
namespace {

class CasesS3State : public S3Cases {};

TEST_F(CasesS3State, C10BytesBehindTheLastFullPartTravelInTheState) {
  file_.part_size_bytes = 5 << 20;
  Rules([](S3Rules* rules) { rules->min_part_bytes = 5 << 20; });
  options_.limits->min_part_bytes = 5 << 20;
  RuntimeOptions runtime = Inline();
  runtime.memory_budget_bytes = 64 << 20;
  const int64_t rows = 3000;  // well below one part
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(Store(), key_, RowSchema(), file_, runtime));
  ASSERT_OK(WriteUpTo(writer.get(), rows, 250));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  writer.reset();
  EXPECT_EQ(Calls("UploadPart"), 0);
  EXPECT_GT(state.progress.unsent.size(), 0u);
  ASSERT_OK_AND_ASSIGN(const WriterState again, WriterState::FromBytes(state.ToBytes()));
  ASSERT_OK_AND_ASSIGN(writer, ParquetStreamWriter::Resume(again, {.runtime = runtime, .store = Store()}));
  ASSERT_OK(WriteUpTo(writer.get(), rows + 500, 100));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, Process()));
  ExpectRows(rows + 500);
  ASSERT_OK_AND_ASSIGN(const std::string whole, UninterruptedBytes({rows}, rows + 500, file_, runtime));
  EXPECT_TRUE(*server_.Content(key_) == whole);
}

TEST_F(CasesS3State, C48ManySmallWritesBecomePartsOfFullSize) {
  const auto store = Store();
  const auto writer = Open(store);
  ASSERT_OK(WriteUpTo(writer.get(), rows_, 1));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  const int64_t parts = static_cast<int64_t>(pending.receipts.size());
  EXPECT_EQ(parts, PartLengths{file_.part_size_bytes}.PartsFor(pending.size_bytes));
  EXPECT_EQ(Calls("UploadPart"), parts);
  for (const PartReceipt& part : pending.receipts) {
    if (part.number == parts) continue;
    EXPECT_EQ(part.size_bytes, file_.part_size_bytes);
  }
  ASSERT_OK(Commit(pending, {.store = store}));
  ExpectRows();
}

// Both have a wrong idea of being the only one.
TEST_F(CasesS3State, C52OfTwoWhoResumeOneStateOneWinsAndNothingIsMixed) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
  ASSERT_OK_AND_ASSIGN(auto a, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = Store()}));
  ASSERT_OK_AND_ASSIGN(auto b, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = Store()}));
  ASSERT_OK(WriteUpTo(a.get(), 2000, 250));
  ASSERT_OK(WriteUpTo(b.get(), 3000, 250));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending_a, a->Close());
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending_b, b->Close());
  const Result<CommitInfo> first = Commit(pending_a, Process()), second = Commit(pending_b, Process());
  EXPECT_EQ(static_cast<int>(first.ok()) + static_cast<int>(second.ok()), 1) << first.status() << "\n"
                                                                             << second.status();
  ExpectRows(first.ok() ? 2000 : 3000);
  const Status lost = first.ok() ? second.status() : first.status();
  EXPECT_EQ(OutcomeOf(lost), Outcome::kFenced) << lost;
  EXPECT_TRUE(server_.service().Uploads().empty());
}

TEST_F(CasesS3State, C57ADamagedOrForeignStateIsRefusedWithoutARequest) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
  const std::string bytes = state.ToBytes();
  server_.ResetLog();
  for (size_t size : {size_t{0}, size_t{1}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_KIND(ErrorKind::kBadState, WriterState::FromBytes(bytes.substr(0, size)));
  }
  for (size_t at = 0; at < bytes.size(); at += 97) {
    std::string flipped = bytes;
    flipped[at] ^= 4;
    EXPECT_FALSE(WriterState::FromBytes(flipped).ok()) << at;
  }
  const auto elsewhere = [&](const std::function<void(S3Options*)>& change) {
    StoreOptions options = options_;
    change(&options.s3);
    return OpenStore(Url(), options).ValueOrDie().store;
  };
  for (const auto& store : {elsewhere([](S3Options* s3) { s3->endpoint = "http://127.0.0.1:9"; }),
                            elsewhere([](S3Options* s3) { s3->region = "eu-west-1"; }),
                            OpenStore("s3://other/" + key_, options_).ValueOrDie().store}) {
    EXPECT_KIND(ErrorKind::kBadState, Finish(state, {.store = store}));
    EXPECT_KIND(ErrorKind::kBadState, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
    EXPECT_KIND(ErrorKind::kBadState, Abort(state, {.store = store}));
  }
  EXPECT_TRUE(server_.log().empty()) << server_.LogText();
}

TEST_F(CasesS3State, C60TheStateSaysWhatIsDurableAndGoingOnFromThereLeavesNoGap) {
  auto store = Store();
  auto writer = Open(store);
  std::string state;
  int64_t durable = 0;
  for (int64_t batch = 1; batch <= 40; ++batch) {
    ASSERT_OK(WriteUpTo(writer.get(), durable + 50, 50));
    ASSERT_OK_AND_ASSIGN(const WriterState taken, writer->Checkpoint());
    EXPECT_EQ(taken.rows(), writer->durable_rows());
    durable = taken.rows();
    state = taken.ToBytes();
    if (batch % 10 != 0) continue;
    // Some rows more, which nobody was told of, and the process dies.
    ASSERT_OK(WriteUpTo(writer.get(), durable + 13, 13));
    writer.reset();
    ASSERT_OK_AND_ASSIGN(const WriterState last, WriterState::FromBytes(state));
    ASSERT_OK_AND_ASSIGN(writer, ParquetStreamWriter::Resume(last, {.runtime = Inline(), .store = Store()}));
    EXPECT_EQ(writer->rows(), durable);
  }
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, Process()));
  ExpectRows(durable);
}

class CasesS3Resume : public S3Cases {};

TEST_F(CasesS3Resume, LooksOnceBeforeAnyInputIsRead) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
  server_.ResetLog();
  ASSERT_OK(ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = Store()}));
  EXPECT_EQ(server_.calls(), (S3Calls{{"HeadObject", 1}, {"ListParts", 1}}));
}

TEST_F(CasesS3Resume, FindsAReplacedPart) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1500));
  const auto store = Store();
  const auto upload = store->OpenUpload(key_, state.progress.upload_id).ValueOrDie();
  ASSERT_OK(upload->PutPart({.number = 2, .body = ByteSlices(ByteSlice::Copy(std::string(16 << 10, 'x')))}));
  const Status status = ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}).status();
  EXPECT_KIND(ErrorKind::kFenced, status);
  EXPECT_EQ(DetailOf(status)->part_number, 2);
}

TEST_F(CasesS3Resume, FindsAVanishedUploadAndOneThatWasFinished) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1500));
  ASSERT_OK(Finish(state, Process()));
  const Status finished = ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = Store()}).status();
  EXPECT_KIND(ErrorKind::kFenced, finished);
  EXPECT_EQ(DetailOf(finished)->rows, 1500);
  server_.service().DeleteForeign("bucket", key_);
  EXPECT_KIND(ErrorKind::kUploadGone, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = Store()}));
}

TEST_F(CasesS3Resume, AWrongBucketOrEndpointIsRefusedAndNotGone) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1500));
  // The same name, but the bucket is not there (any more).
  Rules([](S3Rules* rules) { rules->buckets = {"another"}; });
  const Status finished = Finish(state, Process()).status();
  EXPECT_KIND(ErrorKind::kNotFound, finished);
  EXPECT_THAT(finished.message(), HasSubstr("NoSuchBucket"));
  EXPECT_EQ(OutcomeOf(finished), Outcome::kRetry);
  Rules([](S3Rules* rules) { rules->buckets = {"bucket"}; });
  ASSERT_OK(Finish(state, Process()));
}

class CasesS3Requests : public S3Cases {};

TEST_F(CasesS3Requests, AreExactOnTheGoodPath) {
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
  ASSERT_OK(Commit(pending, {.store = store}));
  EXPECT_EQ(server_.calls(), (S3Calls{{"CreateMultipartUpload", 1},
                                      {"UploadPart", static_cast<int>(pending.receipts.size())},
                                      {"CompleteMultipartUpload", 1}}));
  server_.ResetLog();
  WriteSmall(true);
  ASSERT_OK(Publish());
  EXPECT_EQ(server_.calls(), (S3Calls{{"PutObject", 1}}));
  server_.ResetLog();
  const auto writer = Open(store);
  ASSERT_OK(WriteUpTo(writer.get(), 10, 10));
  ASSERT_OK(writer->Checkpoint());
  ASSERT_OK_AND_ASSIGN(const PendingCommit small, writer->Close());
  ASSERT_OK(Commit(small, {.store = store}));
  EXPECT_EQ(server_.calls(),
            (S3Calls{{"CreateMultipartUpload", 1}, {"UploadPart", 1}, {"CompleteMultipartUpload", 1}}));
  EXPECT_EQ(server_.connections(), 2) << "kept alive: one for each store that was opened";
}

}  // namespace
}  // namespace tailrace::sim
