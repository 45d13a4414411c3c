#include "auth/sso_credentials.h"

#include "auth/credentials_test.h"

namespace tailrace {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr char kConfig[] = "/home/me/.aws/config";
constexpr char kSession[] =
    "[profile dev]\nsso_session = corp\nsso_account_id = 123\nsso_role_name = Reader & co\n"
    "[sso-session corp]\nsso_start_url = https://corp.example/start\nsso_region = eu-west-1\n";
constexpr char kReply[] =
    R"({"roleCredentials":{"accessKeyId":"S","secretAccessKey":"secret-S","sessionToken":"token-S","expiration":1767240000000}})";

class Sso : public testing::Test {
 protected:
  Sso() {
    fake_.files[kConfig] = kSession;
    fake_.answer = [](const HttpRequest&) { return HttpResponse{.status = 200, .body = kReply}; };
  }
  void Cache(const std::string& key, const std::string& expires) {
    fake_.files["/home/me/.aws/sso/cache/" + SsoCacheFile(key)] =
        R"({"accessToken":"sso-token","expiresAt":")" + expires + R"(","region":"eu-west-1"})";
  }
  Result<Credentials> Find() {
    const CredentialSources sources = fake_.Sources();
    const AwsConfig config = AwsConfig::Load(sources).ValueOrDie();
    return SsoCredentials({sources, fake_.cancel}, config, *config.Profile("dev"), "dev");
  }

  FakeSources fake_;
};

TEST_F(Sso, TheCachesFilesAreNamedBySha1) {
  // printf corp | sha1sum
  EXPECT_EQ(SsoCacheFile("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d.json");
}

TEST_F(Sso, ASessionsTokenGetsCredentials) {
  Cache("corp", kLater);
  const auto found = Find();
  ExpectCredentials(found, "S", "secret-S", "token-S");
  EXPECT_EQ(found->expires, Timestamp(std::chrono::seconds(1'767'240'000)));
  const HttpRequest request = fake_.transport->requests().at(0);
  EXPECT_EQ(
      request.url.ToString(),
      "https://portal.sso.eu-west-1.amazonaws.com/federation/credentials?account_id=123&role_name=Reader%20%26%20co");
  EXPECT_EQ(request.headers.Get("x-amz-sso_bearer_token"), "sso-token");
}

TEST_F(Sso, AnOlderProfileIsCachedByItsStartUrl) {
  fake_.files[kConfig] =
      "[profile dev]\nsso_start_url = https://old.example/start\nsso_region = eu-west-1\nsso_account_id = 1\n"
      "sso_role_name = r\n";
  Cache("https://old.example/start", "2026-01-01T06:00:00UTC");
  fake_.variables["AWS_ENDPOINT_URL_SSO"] = "http://127.0.0.1:1/";
  EXPECT_OK(Find());
  EXPECT_EQ(fake_.transport->requests().at(0).url.WithoutQuery(), "http://127.0.0.1:1/federation/credentials");
}

TEST_F(Sso, WithoutAGoodTokenTheMessageSaysHowToLogIn) {
  const auto expect_log_in = [&](const std::string& why) {
    const auto found = Find();
    EXPECT_KIND(ErrorKind::kDenied, found);
    EXPECT_THAT(found.status().ToString(),
                AllOf(HasSubstr(why), HasSubstr("aws sso login --profile dev"), Not(HasSubstr("sso-token"))));
  };
  expect_log_in("no token in the cache");
  Cache("corp", "2025-12-31T23:59:59Z");
  expect_log_in("expired at 2025-12-31T23:59:59Z");
  Cache("corp", "soon");
  expect_log_in("damaged");
  Cache("corp", kLater);
  fake_.answer = [](const HttpRequest&) { return HttpResponse{.status = 401}; };
  expect_log_in("refused");
}

TEST_F(Sso, WhatIsMissingIsNamed) {
  Cache("corp", kLater);
  const std::string whole = kSession;
  for (const char* setting : {"sso_account_id", "sso_role_name", "sso_start_url", "sso_region"}) {
    std::string text = whole;
    text.insert(text.find(setting), "# ");
    fake_.files[kConfig] = text;
    const auto found = Find();
    EXPECT_KIND(ErrorKind::kInvalid, found);
    EXPECT_THAT(found.status().message(), HasSubstr(setting));
  }
  fake_.files[kConfig] = whole.substr(0, whole.find("[sso-session"));
  EXPECT_THAT(Find().status().message(), HasSubstr("[sso-session corp]"));
}

TEST_F(Sso, DamagedAnswersAreDenied) {
  Cache("corp", kLater);
  const std::string good = kReply;
  for (size_t size = 0; size < good.size(); ++size) {
    fake_.answer = [&](const HttpRequest&) { return HttpResponse{.status = 200, .body = good.substr(0, size)}; };
    const auto found = Find();
    ASSERT_FALSE(found.ok()) << size;
    ASSERT_EQ(KindOf(found.status()), ErrorKind::kDenied);
    ASSERT_THAT(found.status().ToString(), Not(HasSubstr("secret-S")));
  }
}

}  // namespace
}  // namespace tailrace
