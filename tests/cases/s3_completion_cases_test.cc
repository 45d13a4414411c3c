// Cases of the kind "multipart rules and completion", over S3. Numbers: docs/promises.md.
#include <thread>

#include "tests/cases/s3_cases.h"

namespace tailrace::sim {
namespace {

class CasesS3Completion : public S3Cases {};

TEST_F(CasesS3Completion, C01TheLastPartNumberIsKeptForTheFooterAndTheStateStillFinishes) {
  Use("store-few-parts");
  options_.limits->max_parts = 12;
  const auto store = Store();
  const auto writer = Open(store);
  Status refused;
  while (refused.ok() && writer->rows() < 100'000) refused = WriteUpTo(writer.get(), writer->rows() + 100, 100);
  EXPECT_KIND(ErrorKind::kLimit, refused);
  EXPECT_THAT(refused.message(), HasSubstr("12 parts"));
  EXPECT_THAT(refused.message(), HasSubstr("part_size_bytes"));
  EXPECT_EQ(server_.Content(key_), std::nullopt);
  const int64_t rows = writer->rows();
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  ASSERT_OK(Finish(state, Process()));
  ExpectRows(rows);
}

TEST_F(CasesS3Completion, C01ALimitThatNobodyKnewOfIsNamedAndNothingIsPublished) {
  Use("store-few-parts");
  auto writer = Open(Store());
  Status refused = WriteUpTo(writer.get(), 10'000, 250);
  EXPECT_KIND(ErrorKind::kLimit, refused);
  EXPECT_THAT(refused.message(), HasSubstr("part 13 of 'dir/k.parquet'"));
  EXPECT_THAT(refused.message(), HasSubstr("between 1 and 12"));
  EXPECT_THAT(refused.message(), HasSubstr("part_size_bytes"));
  writer.reset();
  ExpectNothing();
}

TEST_F(CasesS3Completion, C05A200WithAnErrorInItIsTriedAgain) {
  Use("complete-200-error-once");
  ASSERT_OK(Publish());
  EXPECT_EQ(Calls("CompleteMultipartUpload"), 2);
  ExpectRows();
}

TEST_F(CasesS3Completion, C05A200ThatMakesNoSenseIsNeverSuccess) {
  for (const char* body :
       {"", "<html>welcome</html>", "{}", "<?xml version=\"1.0\"?><Error><Code>Intern", "<Other/>"}) {
    SCOPED_TRACE(body);
    server_.Use({{.when = {.operation = "CompleteMultipartUpload", .times = -1},
                  .fault = {.apply = false, .status = 200, .body = body}}});
    const Result<CommitInfo> info = Publish();
    ASSERT_FALSE(info.ok());
    EXPECT_KIND(ErrorKind::kTransient, info);
    EXPECT_EQ(OutcomeOf(info.status()), Outcome::kRetry);
    EXPECT_EQ(server_.Content(key_), std::nullopt);
  }
}

TEST_F(CasesS3Completion, C05A200WithAnErrorInItIsNeverSuccess) {
  Use("complete-200-error-always");
  options_.s3.max_attempts = 3;
  const Result<CommitInfo> info = Publish();
  ASSERT_FALSE(info.ok());
  EXPECT_EQ(OutcomeOf(info.status()), Outcome::kRetry);
  EXPECT_THAT(info.status().message(), HasSubstr("200 InternalError"));
  EXPECT_THAT(info.status().message(), HasSubstr("gave up after 3 attempts"));
  EXPECT_EQ(server_.Content(key_), std::nullopt);
}

TEST_F(CasesS3Completion, C06ALostAnswerIsSettledByLookingAtTheObject) {
  for (const char* script : {"complete-answer-lost", "complete-answer-cut", "complete-503-applied"}) {
    SCOPED_TRACE(script);
    key_ = std::string("dir/") + script;
    Use(script);
    ASSERT_OK_AND_ASSIGN(const CommitInfo info, Publish());
    EXPECT_EQ(info.rows, rows_);
    ExpectRows();
    EXPECT_TRUE(server_.service().Uploads().empty());
  }
}

TEST_F(CasesS3Completion, C06WhereMetadataIsLostTheContentTells) {
  for (const bool telling_tags : {true, false}) {
    key_ = std::string("dir/") + (telling_tags ? "tags" : "footer");
    Use("complete-answer-lost");
    server_.service().Change([&](S3Rules* rules) {
      rules->keeps_metadata = false;
      rules->opaque_etags = !telling_tags;
      rules->checksums = telling_tags ? S3Rules::Checksums::kStrict : S3Rules::Checksums::kIgnored;
    });
    ASSERT_OK_AND_ASSIGN(const CommitInfo info, Publish());
    EXPECT_TRUE(info.already_committed);
    ExpectRows();
  }
  // Of others' bytes that look alike nothing is taken for ours.
  key_ = "dir/other";
  Use("complete-lost-then-replaced");
  EXPECT_FALSE(Publish().ok());
  EXPECT_EQ(server_.Content(key_), "an object of somebody else");
}

TEST_F(CasesS3Completion, C06ACompleteThatNeverArrivedIsSentAgain) {
  for (const char* script : {"complete-reset-in-body", "complete-closed-unread"}) {
    SCOPED_TRACE(script);
    key_ = std::string("dir/") + script;
    server_.ResetLog();
    Use(script);
    ASSERT_OK(Publish());
    EXPECT_EQ(Calls("CompleteMultipartUpload"), 3) << "two were lost";
    ExpectRows();
  }
}

TEST_F(CasesS3Completion, C06ARepetitionThatIsRefusedInAnyWordsIsNoProofOfAFailure) {
  for (const auto& [status, code] : {std::pair(404, ""), std::pair(400, "InvalidRequest"), std::pair(409, "Conflict"),
                                     std::pair(404, "NoSuchKey"), std::pair(405, "MethodNotAllowed")}) {
    SCOPED_TRACE(status);
    key_ = "dir/" + std::to_string(status) + code;
    options_.s3.max_attempts = 3;
    server_.Use({{.when = {.operation = "CompleteMultipartUpload"}, .fault = {.status = 503, .body = ""}},
                 {.when = {.operation = "CompleteMultipartUpload", .times = -1},
                  .fault = {.apply = false, .status = status, .code = code}}});
    ASSERT_OK(Publish());
    ExpectRows();
  }
}

TEST_F(CasesS3Completion, C06AnObjectThatSomebodyPutMeanwhileIsNotTakenForOurs) {
  Use("complete-lost-then-replaced");
  const Result<CommitInfo> info = Publish();
  ASSERT_FALSE(info.ok());
  EXPECT_EQ(OutcomeOf(info.status()), Outcome::kGone) << info.status();
  EXPECT_EQ(server_.Content(key_), "an object of somebody else");
}

TEST_F(CasesS3Completion, C08AnExpiredUploadIsOneKindWithKeyAndIdWithoutARetryLoop) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1500));
  ASSERT_GE(state.progress.receipts.size(), 3u);
  server_.service().ExpireUpload(state.progress.upload_id.text);
  server_.ResetLog();
  const Status resumed = ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = Store()}).status();
  const Status finished = Finish(state, Process()).status();
  for (const Status& status : {resumed, finished}) {
    EXPECT_KIND(ErrorKind::kUploadGone, status);
    EXPECT_THAT(status.message(), HasSubstr("'dir/k.parquet'"));
    EXPECT_THAT(status.message(), HasSubstr(state.progress.upload_id.text));
  }
  EXPECT_LE(server_.log().size(), 10u) << server_.LogText();
  ExpectNothing();
}

TEST_F(CasesS3Completion, C08AnUploadThatExpiresWhilePartsAreBeingPutEndsTheWriteAtOnce) {
  Use("upload-expires");
  const auto writer = Open(Store());
  const Status failed = WriteUpTo(writer.get(), 10'000, 250);
  EXPECT_KIND(ErrorKind::kUploadGone, failed);
  EXPECT_EQ(Calls("UploadPart"), 3) << server_.LogText();
  EXPECT_EQ(Calls("CompleteMultipartUpload"), 0);
}

TEST_F(CasesS3Completion, C12AFailedPartIsReportedAsItIsAndTheUploadIsAborted) {
  server_.Use({{.when = {.operation = "UploadPart", .part_number = 2, .times = -1},
                .fault = {.apply = false, .status = 400, .code = "InvalidRequest"}}});
  const Result<PendingCommit> pending = WriteAll(Store());
  EXPECT_KIND(ErrorKind::kInvalid, pending);
  EXPECT_THAT(pending.status().message(),
              HasSubstr("part 2 of 'dir/k.parquet' in bucket 'bucket': 400 InvalidRequest"));
  EXPECT_EQ(Calls("AbortMultipartUpload"), 1);
  EXPECT_EQ(Calls("CompleteMultipartUpload"), 0);
  ExpectNothing();
}

TEST_F(CasesS3Completion, C12AFailedAbortDoesNotHideTheFirstError) {
  Use("part-400-always");
  options_.s3.max_attempts = 2;
  const Result<PendingCommit> pending = WriteAll(Store());
  EXPECT_KIND(ErrorKind::kInvalid, pending);
  EXPECT_THAT(pending.status().message(), HasSubstr("400 InvalidRequest"));
  EXPECT_EQ(Calls("AbortMultipartUpload"), 2) << "tried again once, as max_attempts says";
  EXPECT_EQ(server_.Content(key_), std::nullopt);
}

TEST_F(CasesS3Completion, C18OneDeniedCreateEndsThatFileAloneAndHangsNobody) {
  Use("create-second-denied");
  std::vector<Status> outcomes(4);
  std::vector<std::thread> writers;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    writers.emplace_back([this, i, &outcomes] {
      outcomes[i] = [&]() -> Status {
        const auto store = Store();
        RuntimeOptions runtime;
        runtime.memory_budget_bytes = 1 << 20;
        ARROW_ASSIGN_OR_RAISE(const auto writer,
                              ParquetStreamWriter::Open(store, "f" + std::to_string(i), RowSchema(), file_, runtime));
        ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), rows_, 250));
        ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
        return Commit(pending, {.store = store}).status();
      }();
    });
  }
  for (std::thread& writer : writers) writer.join();
  int denied = 0;
  for (const Status& outcome : outcomes) {
    if (outcome.ok()) continue;
    ++denied;
    EXPECT_KIND(ErrorKind::kDenied, outcome);
    EXPECT_THAT(outcome.message(), HasSubstr("CreateMultipartUpload"));
  }
  EXPECT_EQ(denied, 1);
  EXPECT_EQ(server_.service().Objects().size(), 3u);
  EXPECT_TRUE(server_.service().Uploads().empty());
}

TEST_F(CasesS3Completion, C31PartsThatGoIntoAnAbortedUploadAreGoneAtTheCommit) {
  Use("upload-gone-at-complete");
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
  server_.ResetLog();
  const Result<CommitInfo> info = Commit(pending, {.store = store});
  EXPECT_KIND(ErrorKind::kUploadGone, info);
  EXPECT_LE(server_.log().size(), 4u) << server_.LogText();
  ExpectNothing();
}

TEST_F(CasesS3Completion, C32AnAnswerThatIsLateIsWaitedFor) {
  Use("complete-slow-white-space");
  options_.s3.request_timeout = std::chrono::milliseconds(300);  // between two bytes
  ASSERT_OK(Publish());
  EXPECT_EQ(Calls("CompleteMultipartUpload"), 1);
  ExpectRows();
}

TEST_F(CasesS3Completion, C32ATimeOutThenInProgressThenNoUploadIsSuccess) {
  Use("complete-times-out-then-in-progress");
  options_.s3.complete_timeout = std::chrono::milliseconds(300);
  ASSERT_OK(Publish());
  ExpectRows();
}

TEST_F(CasesS3Completion, C32InProgressIsWaitedForWhileTheObjectIsNotThere) {
  for (const char* script : {"complete-in-progress-500", "complete-in-progress-409"}) {
    SCOPED_TRACE(script);
    key_ = std::string("dir/") + script;
    Use(script);
    ASSERT_OK(Publish());
    ExpectRows();
  }
}

class CasesS3Conditions : public S3Cases {
 protected:
  CasesS3Conditions() { file_.overwrite = OverwritePolicy::kFailIfExists; }
};

TEST_F(CasesS3Conditions, C50TheOwnLostAnswerIsNotSomebodyElse) {
  for (const bool honoured : {true, false}) {
    options_.limits->conditional_put = honoured;
    for (const bool small : {true, false}) {
      SCOPED_TRACE(std::string(small ? "PUT" : "Complete") + (honoured ? ", conditions known" : ""));
      WriteSmall(small);
      key_ = std::string("dir/") + (small ? "put" : "upload") + (honoured ? "1" : "0");
      Use(small ? "put-answer-lost" : "complete-answer-lost");
      ASSERT_OK(Publish());
      ExpectRows();
    }
  }
}

TEST_F(CasesS3Conditions, C50AConflictIsTriedAgain) {
  for (const bool small : {true, false}) {
    WriteSmall(small);
    key_ = small ? "dir/put" : "dir/upload";
    server_.ResetLog();
    Use(small ? "put-409-once" : "complete-409-once");
    ASSERT_OK(Publish());
    EXPECT_EQ(Calls(small ? "PutObject" : "CompleteMultipartUpload"), 2);
    ExpectRows();
  }
}

TEST_F(CasesS3Conditions, C50AConflictThatStaysSaysThatThePartsMustBeSentAgain) {
  WriteSmall(false);
  Use("complete-409-always");
  const Status refused = Publish().status();
  EXPECT_EQ(KindOf(refused), ErrorKind::kPrecondition);
  EXPECT_THAT(refused.message(), HasSubstr("its parts must be sent again"));
  EXPECT_GT(Calls("CompleteMultipartUpload"), 1);
  EXPECT_EQ(server_.Content(key_), std::nullopt);
}

TEST_F(CasesS3Conditions, C50AnObjectOfSomebodyElseStays) {
  for (const bool honoured : {true, false}) {
    options_.limits->conditional_put = honoured;
    for (const bool small : {true, false}) {
      WriteSmall(small);
      server_.service().PutForeign("bucket", key_, "theirs");
      EXPECT_KIND(ErrorKind::kPrecondition, Publish());
      EXPECT_EQ(server_.Content(key_), "theirs");
    }
  }
}

}  // namespace
}  // namespace tailrace::sim
