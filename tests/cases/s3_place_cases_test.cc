// Cases about how a store is reached, over S3: regions, addressing, TLS, proxies, silence. Numbers: docs/promises.md.
#include "store/s3/s3_open.h"
#include "store/s3/s3_resolve.h"
#include "testing/fake_environment.h"
#include "testing/temp_folder.h"
#include "testing/tls_certificate.h"
#include "tests/cases/s3_cases.h"

namespace tailrace::sim {
namespace {

using std::chrono::milliseconds;

class CasesS3Place : public S3Cases {};

TEST_F(CasesS3Place, C38AWrongRegionIsSignedAgainForTheOneThatTheStoreNames) {
  for (const char* script : {"region-301", "region-307", "region-400"}) {
    SCOPED_TRACE(script);
    key_ = std::string("dir/") + script;
    Use(script);
    server_.ResetLog();
    const auto store = Store();
    ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
    ASSERT_OK(Commit(pending, {.store = store}));
    EXPECT_EQ(Calls("CreateMultipartUpload"), 2) << "once wrong, once right";
    EXPECT_EQ(Calls("UploadPart"), static_cast<int>(pending.receipts.size()));
    EXPECT_EQ(Calls("CompleteMultipartUpload"), 1);
    ExpectRows();
    // The answer to HEAD has no body that could name the region.
    EXPECT_OK(Store()->Head(key_));
  }
}

TEST_F(CasesS3Place, C38WhereNobodyNamesTheRegionTheErrorSaysWhichWasUsed) {
  Use("region-silent");
  const Result<CommitInfo> info = Publish();
  EXPECT_KIND(ErrorKind::kDenied, info);
  EXPECT_THAT(info.status().message(), HasSubstr("signed for the region 'us-east-1'"));
  EXPECT_THAT(info.status().message(), HasSubstr("set the region"));
  EXPECT_EQ(server_.log().size(), 1u) << server_.LogText();
}

TEST_F(CasesS3Place, C38ARedirectWithoutAnythingIsNoSuccess) {
  for (const int status : {301, 302, 303, 307, 308}) {
    server_.Use({{.when = {.operation = "*", .times = -1}, .fault = {.apply = false, .status = status, .body = ""}}});
    WriteSmall(true);
    EXPECT_FALSE(Publish().ok()) << status;
    WriteSmall(false);
    EXPECT_FALSE(Publish().ok()) << status;
    ExpectNothing();
  }
}

TEST(CasesS3Addressing, C39ABucketWithDotsIsAddressedByPathUnlessItIsSaidOtherwise) {
  const auto place = [&](const std::string& url, S3Addressing addressing) {
    S3Options options;
    options.addressing = addressing;
    return ResolveS3Place(ParseS3Url(url).ValueOrDie(), options, FakeEnvironment({}), {}).ValueOrDie();
  };
  EXPECT_FALSE(place("s3://my.dotted.bucket/k", S3Addressing::kAuto).virtual_host);
  EXPECT_TRUE(place("s3://my.dotted.bucket/k", S3Addressing::kVirtualHost).virtual_host);
  EXPECT_TRUE(place("s3://my-bucket/k", S3Addressing::kAuto).virtual_host);
  EXPECT_FALSE(place("s3://my-bucket/k", S3Addressing::kPath).virtual_host);
}

// A server with a certificate for 127.0.0.1 and localhost, signed by an authority of its own.
class CasesS3Tls : public S3Cases {
 protected:
  CasesS3Tls() { folder_.Write("ca.pem", authority_.certificate); }

  std::unique_ptr<S3Server> Serve(const TlsCertificate& certificate) {
    auto server = std::make_unique<S3Server>(S3ServerOptions{.tls = certificate});
    server->service().Change([](S3Rules* rules) {
      rules->min_part_bytes = 1;
      rules->buckets.insert("my.dotted.bucket");
    });
    options_.s3.endpoint = server->endpoint();
    options_.s3.ca_file = folder_.PathOf("ca.pem");
    return server;
  }
  TlsCertificate Signed() const { return MakeServerCertificate({"localhost"}, {"127.0.0.1"}, &authority_); }
  // Of the options alone, or of an environment that says `variables`.
  Status PublishTo(const std::string& url, std::map<std::string, std::string> variables = {}) {
    ARROW_ASSIGN_OR_RAISE(const StoreAndKey at, OpenS3Url(url, options_, FakeEnvironment(std::move(variables))));
    ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, WriteAll(at.store));
    return Commit(pending, {.store = at.store}).status();
  }
  // One request is enough where TLS decides.
  Status Try() {
    const Status status = PublishTo(Url());
    EXPECT_EQ(status.message().find("gave up"), std::string::npos) << "sent again: " << status.message();
    return status;
  }

  const TempFolder folder_;
  const TlsCertificate authority_ = MakeCertificateAuthority("Tailrace Test Authority");
};

TEST_F(CasesS3Tls, C47APrivateAuthorityIsTakenFromOptionOrEnvironment) {
  const auto server = Serve(Signed());
  ASSERT_OK(PublishTo(Url()));
  options_.s3.ca_file.clear();
  ASSERT_OK(PublishTo(Url(), {{"AWS_CA_BUNDLE", folder_.PathOf("ca.pem")}}));
  ASSERT_OK(PublishTo(Url(), {{"SSL_CERT_FILE", folder_.PathOf("ca.pem")}}));
}

TEST_F(CasesS3Tls, C47NoProxyLeavesOutADeadProxyAlsoWithAPrivateAuthorityAndTimeOuts) {
  const auto server = Serve(Signed());
  options_.s3.request_timeout = std::chrono::seconds(20);
  options_.s3.connect_timeout = std::chrono::seconds(20);
  ASSERT_OK(PublishTo(Url(), {{"HTTPS_PROXY", "http://127.0.0.1:1"}, {"NO_PROXY", "127.0.0.1"}}));
  options_.s3.proxy = "http://127.0.0.1:1";
  options_.s3.no_proxy = "127.0.0.1,localhost";
  ASSERT_OK(PublishTo(Url()));
  options_.s3.no_proxy.clear();
  options_.s3.max_attempts = 1;
  const Status dead = PublishTo(Url());
  EXPECT_KIND(ErrorKind::kTransient, dead);
}

TEST_F(CasesS3Tls, C47PlainHttpTakesTimeOutsAndAMissingAuthorityToo) {
  options_.s3.request_timeout = std::chrono::seconds(20);
  options_.s3.connect_timeout = std::chrono::seconds(20);
  ASSERT_OK(PublishTo(Url(), {{"HTTPS_PROXY", "http://127.0.0.1:1"}}));
  ExpectRows();
  options_.s3.allow_http = false;
  EXPECT_KIND(ErrorKind::kInvalid, PublishTo(Url()));
}

TEST_F(CasesS3Tls, C39ABucketWithDotsWorksOverTls) {
  const auto server = Serve(Signed());
  ASSERT_OK(PublishTo("s3://my.dotted.bucket/k"));
}

TEST_F(CasesS3Tls, ASelfSignedCertificateIsRefused) {
  const auto server = Serve(MakeServerCertificate({"localhost"}, {"127.0.0.1"}, nullptr));
  const Status status = Try();
  EXPECT_KIND(ErrorKind::kDenied, status);
  EXPECT_THAT(status.message(), HasSubstr("certificate"));
  EXPECT_TRUE(server->log().empty());
}

TEST_F(CasesS3Tls, AnAuthorityThatNobodyKnowsIsRefused) {
  const auto server = Serve(Signed());
  folder_.Write("other.pem", MakeCertificateAuthority("Another").certificate);
  options_.s3.ca_file = folder_.PathOf("other.pem");
  EXPECT_KIND(ErrorKind::kDenied, Try());
  EXPECT_TRUE(server->log().empty());
}

TEST_F(CasesS3Tls, AnotherHostsCertificateIsRefused) {
  const auto server = Serve(MakeServerCertificate({"elsewhere.example"}, {"127.0.0.2"}, &authority_));
  EXPECT_KIND(ErrorKind::kDenied, Try());
  EXPECT_TRUE(server->log().empty());
}

TEST_F(CasesS3Tls, AnExpiredCertificateIsRefused) {
  const auto server = Serve(MakeServerCertificate({"localhost"}, {"127.0.0.1"}, &authority_, std::chrono::hours(-1)));
  const Status status = Try();
  EXPECT_KIND(ErrorKind::kDenied, status);
  EXPECT_THAT(status.message(), HasSubstr("expired"));
  EXPECT_TRUE(server->log().empty());
}

TEST_F(CasesS3Tls, C46ACustomersKeyGoesWithCreatePartsPutAndLooks) {
  const auto server = Serve(Signed());
  options_.s3.encryption = {.kind = S3EncryptionKind::kSseC, .customer_key = std::string(32, 'K')};
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenS3Url(Url(), options_, FakeEnvironment({})));
  const auto writer = Open(at.store);
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 250));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  ASSERT_OK(Finish(state, {.store = at.store}));
  ASSERT_OK_AND_ASSIGN(const CommitInfo again, Finish(state, {.store = at.store}));
  EXPECT_TRUE(again.already_committed);
  for (const S3LogEntry& entry : server->log()) {
    const bool sent = entry.headers.Get("x-amz-server-side-encryption-customer-key").has_value();
    EXPECT_EQ(sent, entry.operation != "CompleteMultipartUpload" && entry.operation != "ListParts") << entry.operation;
  }
}

class CasesS3Silence : public S3Cases {
 protected:
  CasesS3Silence() { options_.s3.request_timeout = milliseconds(500); }
};

TEST_F(CasesS3Silence, C42APeerThatNeverAnswersIsLeftAndThePartSentAgain) {
  Use("part-no-answer");
  ASSERT_OK(Publish());
  ExpectRows();
}

// More than sockets hold, so that the sender stands still.
TEST_F(CasesS3Silence, C42APeerThatReadsNothingIsLeftAndThePartSentAgain) {
  Use("part-not-read");
  options_.s3.request_timeout = milliseconds(2000);  // a busy machine stands still for a while, too
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({key_, WriteId{"w"}}));
  const Part part{.number = 1, .body = ByteSlices(ByteSlice::Copy(std::string(16 << 20, 'x')))};
  EXPECT_OK(upload->PutPart(part));
  EXPECT_GE(Calls("UploadPart"), 2);
}

TEST_F(CasesS3Silence, C42APeerThatStaysSilentIsAClearErrorAfterTheAttempts) {
  options_.s3.max_attempts = 2;
  for (const bool reads : {true, false}) {
    Fault silence{.no_reply = true, .end = Fault::End::kHang};
    if (!reads) silence.read_body_bytes = 0;
    server_.ResetLog();
    server_.Use({{.when = {.operation = "UploadPart", .times = -1}, .fault = silence}});
    const Result<CommitInfo> info = Publish();
    EXPECT_KIND(ErrorKind::kTransient, info);
    EXPECT_THAT(info.status().message(), HasSubstr("time-out"));
    EXPECT_THAT(info.status().message(), HasSubstr("gave up after 2 attempts"));
    EXPECT_EQ(server_.Content(key_), std::nullopt);
  }
}

TEST_F(CasesS3Silence, C42ACompleteThatIsNeverAnsweredEndsToo) {
  options_.s3.complete_timeout = milliseconds(100);
  server_.Use({{.when = {.operation = "CompleteMultipartUpload", .times = -1},
                .fault = {.apply = false, .no_reply = true, .end = Fault::End::kHang}}});
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
  const Result<CommitInfo> info = Commit(pending, {.store = store, .clock = &clock_});
  ASSERT_FALSE(info.ok());
  EXPECT_EQ(OutcomeOf(info.status()), Outcome::kRetry);
  server_.Use(std::vector<FaultRule>());
  ASSERT_OK(Commit(pending, {.store = store}));
  ExpectRows();
}

class CasesS3Ranges : public S3Cases {};

TEST_F(CasesS3Ranges, C49RangesAreAskedForAsTheyAreAndAnEncodedOneIsRefused) {
  ASSERT_OK(Publish());
  EXPECT_OK(Store()->GetRange(key_, 0, 4, ""));
  EXPECT_EQ(server_.log().back().headers.Get("Accept-Encoding"), "identity");
  Use("get-encoded-range");
  const Result<std::string> got = Store()->GetRange(key_, 0, 4, "");
  EXPECT_KIND(ErrorKind::kInternal, got);
  EXPECT_THAT(got.status().message(), HasSubstr("encoded (gzip)"));
}

TEST_F(CasesS3Ranges, C49AFooterThatCannotBeReadLeavesTheOutcomeUnknown) {
  Rules([](S3Rules* rules) { rules->checksums = S3Rules::Checksums::kIgnored; });
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
  ASSERT_OK(Finish(state, Process()));
  Use("get-encoded-range");
  const Result<CommitInfo> info = Finish(state, Process());
  ASSERT_FALSE(info.ok());
  EXPECT_EQ(OutcomeOf(info.status()), Outcome::kUnknown) << info.status();
}

}  // namespace
}  // namespace tailrace::sim
