// Cases about stores that are busy, damaged answers and damaged bodies, over S3. Numbers: docs/promises.md.
#include <set>

#include "store/s3/s3_calls.h"
#include "tests/cases/s3_cases.h"

namespace tailrace::sim {
namespace {

using std::chrono::milliseconds;

class CasesS3Busy : public S3Cases {
 protected:
  Status PublishWith(const std::shared_ptr<S3Store>& store) {
    ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, WriteAll(store));
    return Commit(pending, {.store = store, .clock = &clock_}).status();
  }
};

TEST_F(CasesS3Busy, C43ABurstOfSlowDownIsWaitedOutWithJitterAndFewerRequests) {
  Use("part-slow-down-burst");
  const auto store = StoreWithClock(&clock_);
  file_.part_size_bytes = 4 << 10;
  ASSERT_OK(PublishWith(store));
  ExpectRows();
  EXPECT_GT(server_.faults_fired(), 4);
  const std::vector<milliseconds> waits = clock_.sleeps();
  // One that is drawn as nothing is not slept.
  EXPECT_LE(static_cast<int>(waits.size()), server_.faults_fired());
  EXPECT_GT(static_cast<int>(waits.size()), server_.faults_fired() / 2);
  EXPECT_GT(std::set<milliseconds>(waits.begin(), waits.end()).size(), waits.size() / 2) << "they are drawn";
}

TEST_F(CasesS3Busy, C43EachSlowDownLeavesRoomForFewerRequests) {
  server_.Use({{.when = {.operation = "UploadPart", .part_number = 1, .times = 3},
                .fault = {.apply = false, .status = 503, .code = "SlowDown"}}});
  const auto store = StoreWithClock(&clock_);
  const S3Client* const client = store->context().client;
  EXPECT_EQ(client->request_room(), 16);
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({key_, WriteId{"w"}}));
  ASSERT_OK(upload->PutPart({.number = 1, .body = ByteSlices(ByteSlice::Copy("bytes"))}));
  EXPECT_EQ(client->request_room(), 4);
}

TEST_F(CasesS3Busy, C43RetryAfterIsWaitedForInFull) {
  Use("part-429-retry-after");
  ASSERT_OK(PublishWith(StoreWithClock(&clock_)));
  ExpectRows();
  const std::vector<milliseconds> waits = clock_.sleeps();
  ASSERT_EQ(waits.size(), 2u);
  for (const milliseconds wait : waits) EXPECT_GE(wait, milliseconds(1000));
}

TEST_F(CasesS3Busy, C43RetryAfterMayBeADateOfTheServersClock) {
  const Timestamp at = server_.service().Now() + std::chrono::seconds(40);
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::weekday weekday(day);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(at - day));
  constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  char text[64];
  std::snprintf(text, sizeof text, "%s, %02u %s %d %02d:%02d:%02d GMT", kDays[weekday.c_encoding()],
                static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
                static_cast<int>(date.year()), static_cast<int>(time.hours().count()),
                static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
  server_.Use({{.when = {.operation = "UploadPart", .part_number = 1},
                .fault = {.apply = false, .status = 503, .code = "SlowDown", .headers = {{"retry-after", text}}}}});
  ASSERT_OK(PublishWith(StoreWithClock(&clock_)));
  ASSERT_EQ(clock_.sleeps().size(), 1u);
  EXPECT_GE(clock_.sleeps()[0], milliseconds(35'000));
}

TEST_F(CasesS3Busy, WhatMayGoAwayIsSentAgainWithTheSameBytes) {
  for (const char* script : {"part-answer-lost", "part-answer-cut", "part-bad-digest-once", "part-closed-before-body",
                             "part-refused-before-body", "part-request-timeout", "part-reset-in-body", "proxy-html-502",
                             "clock-ahead", "clock-jumps", "create-answer-lost", "get-body-cut"}) {
    SCOPED_TRACE(script);
    Use(script);
    key_ = std::string("dir/") + script;
    const auto store = Store();
    ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
    ASSERT_OK(Commit(pending, {.store = store}));
    ExpectRows();
    Rules([](S3Rules* rules) { rules->clock_offset = {}; });
  }
}

TEST_F(CasesS3Busy, WhatCannotChangeIsSentOnce) {
  for (const auto& [status, code] :
       {std::pair(400, "InvalidRequest"), std::pair(400, "MalformedXML"), std::pair(403, "AccessDenied"),
        std::pair(404, "NoSuchBucket"), std::pair(405, "MethodNotAllowed"), std::pair(411, "MissingContentLength"),
        std::pair(413, "EntityTooLarge"), std::pair(501, "NotImplemented")}) {
    server_.ResetLog();
    server_.Use({{.when = {.operation = "UploadPart", .part_number = 2, .times = -1},
                  .fault = {.apply = false, .status = status, .code = code}}});
    const Result<PendingCommit> pending = WriteAll(Store());
    ASSERT_FALSE(pending.ok());
    EXPECT_THAT(pending.status().message(), HasSubstr(code));
    int sent = 0;
    for (const S3LogEntry& entry : server_.log()) sent += entry.part_number == 2;
    EXPECT_EQ(sent, 1) << code;
    ExpectNothing();
  }
}

TEST_F(CasesS3Busy, AttemptsAndCauseStandInTheError) {
  Use("part-500-always");
  options_.s3.max_attempts = 3;
  const Result<PendingCommit> pending = WriteAll(StoreWithClock(&clock_));
  EXPECT_KIND(ErrorKind::kTransient, pending);
  EXPECT_THAT(pending.status().message(), HasSubstr("UploadPart of part 2 of 'dir/k.parquet' in bucket 'bucket'"));
  EXPECT_THAT(pending.status().message(), HasSubstr("500 InternalError"));
  EXPECT_THAT(pending.status().message(), HasSubstr("(request TAILRACE"));
  EXPECT_THAT(pending.status().message(), HasSubstr("gave up after 3 attempts"));
  EXPECT_THAT(pending.status().message(), HasSubstr("(max_attempts)"));
}

TEST_F(CasesS3Busy, ADeadStoreIsGivenUpSoonByAllWhoShareIt) {
  server_.Use({{.when = {.operation = "*", .times = -1},
                .fault = {.read_body_bytes = 0, .no_reply = true, .end = Fault::End::kReset}}});
  const auto store = StoreWithClock(&clock_);
  for (int i = 0; i < 30; ++i) EXPECT_KIND(ErrorKind::kTransient, store->Head("k"));
  server_.ResetLog();
  EXPECT_KIND(ErrorKind::kTransient, store->Head("k"));
  EXPECT_EQ(server_.log().size(), 1u) << "the budget of repetitions is used up";
}

// Flips one byte of the body of part `number`, between the encoder's checksum and the wire.
class FlippingTransport final : public HttpTransport {
 public:
  FlippingTransport(int number, int times) : query_("partNumber=" + std::to_string(number) + "&"), times_(times) {}
  Result<HttpResponse> Send(const HttpRequest& request, const HttpSendOptions& options) override {
    if (!request.url.query.starts_with(query_) || request.method != "PUT" || times_ == 0) {
      return inner_->Send(request, options);
    }
    --times_;
    HttpRequest damaged = request;
    std::string bytes = request.body.ToString();
    bytes[bytes.size() / 2] ^= 1;
    damaged.body = ByteSlices(ByteSlice::Copy(std::move(bytes)));
    return inner_->Send(damaged, options);
  }

 private:
  const std::string query_;
  int times_;
  const std::shared_ptr<HttpTransport> inner_ = MakeCurlTransport({}).ValueOrDie();
};

class CasesS3Integrity : public S3Cases {};

TEST_F(CasesS3Integrity, AByteThatChangesAfterTheEncoderIsRefusedByTheServerAndThePartSentAgain) {
  const auto store = StoreWithClock(&clock_, std::make_shared<FlippingTransport>(2, 1));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
  ASSERT_OK(Commit(pending, {.store = store}));
  ExpectRows();
  int refused = 0;
  for (const S3LogEntry& entry : server_.log()) refused += entry.code == "BadDigest";
  EXPECT_EQ(refused, 1);
}

TEST_F(CasesS3Integrity, BytesThatStayDamagedAreNeverPublished) {
  options_.s3.max_attempts = 3;
  const auto store = StoreWithClock(&clock_, std::make_shared<FlippingTransport>(2, 1000));
  const Result<PendingCommit> pending = WriteAll(store);
  EXPECT_KIND(ErrorKind::kTransient, pending);
  EXPECT_THAT(pending.status().message(), HasSubstr("BadDigest"));
  ExpectNothing();
}

// A store that keeps checksums and says another one of the whole object than that of what was sent.
TEST_F(CasesS3Integrity, TheStoresChecksumOfTheWholeObjectIsComparedAtComplete) {
  server_.Use(
      {{.when = {.operation = "CompleteMultipartUpload"},
        .fault = {.body = "<CompleteMultipartUploadResult><ETag>${etag}</ETag>"
                          "<ChecksumCRC64NVME>AAAAAAAAAAA=</ChecksumCRC64NVME></CompleteMultipartUploadResult>"}}});
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({key_, WriteId{"w"}}));
  ASSERT_OK_AND_ASSIGN(const PartReceipt receipt,
                       upload->PutPart({.number = 1, .body = ByteSlices(ByteSlice::Copy("some bytes"))}));
  const Result<ObjectMeta> made = upload->Complete({receipt}, {});
  EXPECT_KIND(ErrorKind::kInternal, made);
  EXPECT_THAT(made.status().message(), HasSubstr("checksum of the object"));
}

class CasesS3Answers : public S3Cases {
 protected:
  // The same whole life with another way of writing answers.
  void ExpectLife(const Fault& fault, const std::vector<std::string>& operations = {"*"}) {
    std::vector<FaultRule> rules;
    for (const std::string& one : operations) rules.push_back({{.operation = one, .times = -1}, fault});
    server_.Use(std::move(rules));
    WriteSmall(true);
    ASSERT_OK(Publish());
    WriteSmall(false);
    ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = Store()}));
    ASSERT_OK(WriteUpTo(writer.get(), rows_, 250));
    ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
    ASSERT_OK(Commit(pending, Process()));
    ASSERT_OK_AND_ASSIGN(const CommitInfo again, Commit(pending, Process()));
    EXPECT_TRUE(again.already_committed);
    EXPECT_EQ(again.size_bytes, static_cast<int64_t>(server_.Content(key_)->size()));
    ExpectRows();
  }
};

TEST_F(CasesS3Answers, InChunks) { ExpectLife({.framing = Fault::Framing::kChunked}); }
TEST_F(CasesS3Answers, InHttp10UntilTheConnectionCloses) { ExpectLife({.framing = Fault::Framing::kHttp10}); }
TEST_F(CasesS3Answers, WithHeadersInUpperCase) { ExpectLife({.upper_case_headers = true}); }
TEST_F(CasesS3Answers, AfterAByteOrderMarkAndWhiteSpace) {
  ExpectLife({.lead = "\xef\xbb\xbf \n"}, {"CreateMultipartUpload", "CompleteMultipartUpload", "ListParts"});
}

TEST_F(CasesS3Answers, APageOfHtmlIsNoSuccess) {
  Fault page{.apply = false, .status = 200, .body = "<html><body><h1>Please log in</h1></body></html>"};
  page.headers = {{"Content-Type", "text/html"}, {"ETag", std::nullopt}};
  server_.Use({{.when = {.operation = "*", .times = -1}, .fault = page}});
  WriteSmall(true);
  EXPECT_FALSE(Publish().ok());
  WriteSmall(false);
  EXPECT_FALSE(Publish().ok());
  ExpectNothing();
}

TEST_F(CasesS3Answers, AnUploadOfAnotherKindOfAnswerIsNeverTakenForOne) {
  Use("answers-truncated-xml");
  EXPECT_KIND(ErrorKind::kInternal, Publish());
  EXPECT_EQ(server_.Content(key_), std::nullopt);
}

}  // namespace
}  // namespace tailrace::sim
