// Cases about credentials that expire, over S3. Numbers: docs/promises.md.
#include <atomic>
#include <thread>

#include "store/s3/s3_open.h"
#include "testing/fake_environment.h"
#include "testing/temp_folder.h"
#include "tests/cases/s3_cases.h"

namespace tailrace::sim {
namespace {

std::string SoonAsIso(std::chrono::seconds from_now) {
  const auto at = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now() + from_now);
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(at - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()));
  return text;
}

// Gives a new key pair for each web identity token that it has not seen, and makes it known to the store.
class TokenService {
 public:
  TokenService(S3Service* store, std::chrono::seconds valid_for) : store_(store), valid_for_(valid_for) {}

  HttpUrl Url() const { return server_.Url(); }
  int calls() const { return calls_; }

 private:
  bool Serve(ServerConnection& connection, ServerRequest& request) {
    if (!connection.ReadBody(&request)) return false;
    const std::string id = "ASIA" + std::to_string(++calls_);
    const S3Key key{.access_key_id = id, .secret_access_key = "secret-" + id, .session_token = "token-" + id};
    store_->Change([&](S3Rules* rules) { rules->signature.keys.push_back(key); });
    const std::string action = "AssumeRoleWithWebIdentity";
    return connection.SendReply(200, "<" + action + "Response><" + action + "Result><Credentials><AccessKeyId>" + id +
                                         "</AccessKeyId><SecretAccessKey>secret-" + id +
                                         "</SecretAccessKey><SessionToken>token-" + id + "</SessionToken><Expiration>" +
                                         SoonAsIso(valid_for_) + "</Expiration></Credentials></" + action +
                                         "Result></" + action + "Response>");
  }

  S3Service* const store_;
  const std::chrono::seconds valid_for_;
  std::atomic<int> calls_ = 0;
  ScriptedServer server_{
      [this](ServerConnection& connection, ServerRequest& request) { return Serve(connection, request); }};
};

class CasesS3Expiry : public S3Cases {
 protected:
  CasesS3Expiry() {
    options_.s3.credentials.reset();
    folder_.Write("token", "first");
  }
  std::shared_ptr<MultipartStore> StoreOf(const TokenService& sts) const {
    return OpenS3Url(Url(), options_,
                     FakeEnvironment({{"AWS_WEB_IDENTITY_TOKEN_FILE", folder_.PathOf("token")},
                                      {"AWS_ROLE_ARN", "arn:aws:iam::1:role/r"},
                                      {"AWS_ENDPOINT_URL_STS", sts.Url().ToString()}}))
        .ValueOrDie()
        .store;
  }
  void ExpireAll() {
    Rules([](S3Rules* rules) {
      for (S3Key& key : rules->signature.keys) key.expired = true;
    });
  }

  // The first that the token service gave.
  void ExpireFirst() {
    Rules([](S3Rules* rules) { rules->signature.keys.at(1).expired = true; });
  }

  const TempFolder folder_;
};

TEST_F(CasesS3Expiry, C41KeysThatExpireInTheMiddleAreFetchedAgainAndThePartSentAgain) {
  TokenService sts(&server_.service(), std::chrono::hours(1));
  // The store's word, at every other call, each time with another token in the file.
  std::atomic<int> calls = 0;
  server_.SetHook([&](const S3Call&) -> std::optional<Fault> {
    if (++calls % 3 != 0) return std::nullopt;
    folder_.Write("token", "token " + std::to_string(calls));
    ExpireAll();
    return std::nullopt;
  });
  const auto store = StoreOf(sts);
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
  ASSERT_OK(Commit(pending, {.store = store}));
  ExpectRows();
  EXPECT_GE(sts.calls(), 3);
  int expired = 0;
  for (const S3LogEntry& entry : server_.log()) expired += entry.code == "ExpiredToken";
  EXPECT_EQ(expired, sts.calls() - 1) << "each was found out by one request";
}

TEST_F(CasesS3Expiry, C41KeysOfThreeSecondsAreRenewedAheadOfTheirEndWithoutOneRefusal) {
  TokenService sts(&server_.service(), std::chrono::seconds(3));
  const auto store = StoreOf(sts);
  const auto writer = Open(store);
  ASSERT_OK(WriteUpTo(writer.get(), 1000, 250));
  ASSERT_OK(writer->Checkpoint());
  // Requests that go on until the keys have been renewed, however fast this machine is.
  while (sts.calls() < 2) {
    EXPECT_KIND(ErrorKind::kNotFound, store->Head("another"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ExpireFirst();
  ASSERT_OK(WriteUpTo(writer.get(), rows_, 250));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  ASSERT_OK(Commit(pending, {.store = store}));
  ExpectRows();
  for (const S3LogEntry& entry : server_.log()) EXPECT_NE(entry.code, "ExpiredToken");
}

TEST_F(CasesS3Expiry, C41KeysThatNobodyRenewsEndInAnErrorThatSaysSo) {
  Use("keys-expire");
  const S3Key key = server_.key();
  options_.s3.credentials = {key.access_key_id, key.secret_access_key, "", {}};
  const Result<PendingCommit> pending = WriteAll(Store());
  EXPECT_KIND(ErrorKind::kDenied, pending);
  EXPECT_THAT(pending.status().message(), HasSubstr("ExpiredToken"));
  int refused = 0;
  for (const S3LogEntry& entry : server_.log()) refused += entry.operation == "UploadPart" && entry.status == 400;
  EXPECT_EQ(refused, 1) << "the same keys are not tried again";
}

TEST_F(CasesS3Expiry, C41ACallbackIsAskedAgain) {
  std::atomic<int> asked = 0;
  options_.s3.credentials_callback = [&]() -> Result<S3Credentials> {
    const S3Key key{.access_key_id = "AKID" + std::to_string(++asked)};
    server_.service().Change([&](S3Rules* rules) { rules->signature.keys.push_back(key); });
    return S3Credentials{key.access_key_id, key.secret_access_key, "", {}};
  };
  Use("keys-expire");
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
  ASSERT_OK(Commit(pending, {.store = store}));
  EXPECT_EQ(asked, 2);
  ExpectRows();
}

}  // namespace
}  // namespace tailrace::sim
