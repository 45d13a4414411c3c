// P10 over S3: a whole life, with everything that goes wrong in it, at trace level. No key, token or signature stands
// in what is printed, in an error, a state, a pending commit or what is shown of them.
#include <mutex>
#include <set>

#include "base/base64.h"
#include "store/s3/s3_open.h"
#include "tailrace/event_exporters.h"
#include "testing/fake_environment.h"
#include "testing/temp_folder.h"
#include "testing/tls_certificate.h"
#include "tests/cases/s3_cases.h"

namespace tailrace::sim {
namespace {

constexpr char kToken[] = "SESSION/TOKEN+of=the+test";
constexpr char kCustomerKey[] = "0123456789customer-key-abcdef012";

class CasesS3Secrets : public S3Cases {
 protected:
  CasesS3Secrets() : server_tls_(MakeServer()) {
    folder_.Write("ca.pem", authority_.certificate);
    options_.s3.endpoint = server_tls_->endpoint();
    options_.s3.ca_file = folder_.PathOf("ca.pem");
    options_.s3.credentials.reset();
    options_.s3.max_attempts = 2;
    options_.s3.encryption = {.kind = S3EncryptionKind::kSseC, .customer_key = kCustomerKey};
    // What a client must not show but every request carries: seen on the wire, sent back in messages.
    server_tls_->SetHook([this](const S3Call& call) { return Overhear(call); });
  }

  std::unique_ptr<S3Server> MakeServer() const {
    S3ServerOptions options{.tls = MakeServerCertificate({"localhost"}, {"127.0.0.1"}, &authority_)};
    options.rules.signature.keys[0].session_token = kToken;
    options.rules.min_part_bytes = 1;
    return std::make_unique<S3Server>(std::move(options));
  }

  std::optional<Fault> Overhear(const S3Call& call) {
    const std::string authorization = call.Header("authorization");
    const size_t at = authorization.find("Signature=");
    const std::lock_guard lock(mutex_);
    if (at != authorization.npos) signatures_.insert(authorization.substr(at + 10));
    if (call.operation != echoed_) return std::nullopt;
    std::string all;
    for (const auto& [name, value] : call.headers.fields()) {
      if (name != "x-amz-content-sha256") all += value + " ";
    }
    return Fault{.apply = false, .status = 400, .code = "Echo", .message = all};
  }
  void Echo(const std::string& operation) {
    const std::lock_guard lock(mutex_);
    echoed_ = operation;
  }

  Result<std::shared_ptr<MultipartStore>> Open(std::string secret = {}) const {
    const S3Key key = server_tls_->key();
    const Environment environment = FakeEnvironment({{"AWS_ACCESS_KEY_ID", key.access_key_id},
                                                     {"AWS_SECRET_ACCESS_KEY", key.secret_access_key + secret},
                                                     {"AWS_SESSION_TOKEN", kToken},
                                                     {"TAILRACE_LOG", "trace"}});
    ARROW_ASSIGN_OR_RAISE(const StoreAndKey at, OpenS3Url(Url(), options_, environment));
    return at.store;
  }

  // Everything that a user may see of a write and its failures.
  Result<std::string> Life() {
    std::string seen;
    const auto failed = [&](const Status& status) { seen += status.ok() ? "NOT FAILED\n" : status.ToString() + "\n"; };
    ARROW_ASSIGN_OR_RAISE(const auto store, Open());
    ARROW_ASSIGN_OR_RAISE(const auto wrong, Open("x"));
    failed(WriteAll(wrong).status());
    for (const char* operation : {"CreateMultipartUpload", "UploadPart", "HeadObject", "ListParts"}) {
      Echo(operation);
      failed(operation == std::string("HeadObject") ? store->Head(key_).status()
             : operation == std::string("ListParts")
                 ? store->OpenUpload(key_, {"u"}).ValueOrDie()->ListParts({}).status()
                 : WriteAll(store).status());
    }
    RuntimeOptions told = Inline();
    told.observer = CombineObservers({MakeJsonObserver([&](std::string_view line) { seen.append(line) += "\n"; }),
                                      MakeLogObserver([&](std::string_view line) { seen.append(line) += "\n"; })});
    Echo("UploadPart");
    {
      const auto doomed = ParquetStreamWriter::Open(store, key_, RowSchema(), file_, told).ValueOrDie();
      ARROW_RETURN_NOT_OK(WriteUpTo(doomed.get(), 1000, 250));
      failed(doomed->Checkpoint().status());
    }
    Echo("");
    server_tls_->Use({{.when = {.operation = "UploadPart", .times = -1},
                       .fault = {.read_body_bytes = 9, .no_reply = true, .end = Fault::End::kReset}}});
    failed(WriteAll(store).status());
    server_tls_->Use(std::vector<FaultRule>());
    const auto writer = ParquetStreamWriter::Open(store, key_, RowSchema(), file_, told).ValueOrDie();
    ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), 1000, 250));
    ARROW_ASSIGN_OR_RAISE(const WriterState state, writer->Checkpoint());
    seen += state.ToBytes() + state.target.ToUrl();
    ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
    seen += pending.ToBytes() + pending.target.ToUrl();
    ARROW_RETURN_NOT_OK(Commit(pending, {.store = store, .observer = told.observer}));
    ARROW_RETURN_NOT_OK(Commit(pending, {.store = store}));
    failed(Finish(state, {.store = wrong, .observer = told.observer}).status());
    server_tls_->service().Change([](S3Rules* rules) { rules->signature.keys[0].expired = true; });
    failed(Commit(pending, {.store = store}).status());
    return seen;
  }

  const TlsCertificate authority_ = MakeCertificateAuthority("Tailrace Test Authority");
  const TempFolder folder_;
  std::mutex mutex_;
  std::set<std::string> signatures_;
  std::string echoed_;
  const std::unique_ptr<S3Server> server_tls_;
};

TEST_F(CasesS3Secrets, NoneStandsInAnyOutputErrorStateOrPendingCommit) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  const Result<std::string> life = Life();
  std::string seen = ::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr();
  ASSERT_OK(life);
  EXPECT_THAT(seen, HasSubstr("tailrace: PUT https://127.0.0.1:")) << "the trace is on";
  seen += *life;
  EXPECT_THAT(seen, Not(HasSubstr("NOT FAILED")));
  EXPECT_THAT(seen, HasSubstr("400 Echo"));
  EXPECT_THAT(seen, HasSubstr("\"event\":\"failed\"")) << "and so are events";
  EXPECT_THAT(seen, HasSubstr("SignatureDoesNotMatch"));
  EXPECT_THAT(seen, HasSubstr("ExpiredToken"));
  std::set<std::string> secrets = signatures_;
  EXPECT_GT(secrets.size(), 10u);
  const S3Key key = server_tls_->key();
  secrets.insert({key.access_key_id, key.secret_access_key, kToken, kCustomerKey, EncodeBase64(kCustomerKey)});
  for (const std::string& secret : secrets) EXPECT_EQ(seen.find(secret), std::string::npos) << secret;
  EXPECT_EQ(seen.find("X-Amz-Signature"), std::string::npos);
}

}  // namespace
}  // namespace tailrace::sim
