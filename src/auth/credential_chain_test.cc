// Which source the chain takes, and rotation (C41), over a real connection too.
#include <chrono>
#include <mutex>
#include <thread>

#include "auth/credentials.h"
#include "auth/credentials_test.h"
#include "testing/fake_environment.h"
#include "testing/scripted_server.h"
#include "testing/temp_folder.h"

namespace tailrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

constexpr char kConfig[] = "/home/me/.aws/config", kCredentials[] = "/home/me/.aws/credentials";

Result<HttpResponse> AnswerAll(const HttpRequest& request) {
  if (request.url.host == "169.254.170.2")
    return HttpResponse{.status = 200, .body = CredentialJson("CONTAINER", kLater)};
  if (request.url.host != "169.254.169.254") {
    return HttpResponse{.status = 200, .body = StsXml("AssumeRoleWithWebIdentity", "WEB", kLater)};
  }
  if (request.method == "PUT") return HttpResponse{.status = 200, .body = "t"};
  return HttpResponse{.status = 200,
                      .body = request.url.path.ends_with('/') ? "r" : CredentialJson("INSTANCE", kLater)};
}

class Chain : public testing::Test {
 protected:
  Result<Credentials> Find() { return DefaultCredentialChain(fake_.Sources())->Get(); }
  std::string Id() {
    const auto found = Find();
    return found.ok() ? found->access_key_id : found.status().ToString();
  }

  FakeSources fake_;
};

TEST_F(Chain, TheFirstThatIsConfiguredIsUsed) {
  fake_.answer = AnswerAll;
  fake_.variables["AWS_ACCESS_KEY_ID"] = "ENVIRONMENT";
  fake_.variables["AWS_SECRET_ACCESS_KEY"] = "s";
  fake_.variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/token";
  fake_.variables["AWS_ROLE_ARN"] = "arn";
  fake_.variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/x";
  fake_.files["/token"] = "t";
  fake_.files[kCredentials] = "[default]\naws_access_key_id=PROFILE\naws_secret_access_key=s\n";
  EXPECT_EQ(Id(), "ENVIRONMENT");
  fake_.variables.erase("AWS_ACCESS_KEY_ID");
  fake_.variables.erase("AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(Id(), "WEB");
  fake_.variables.erase("AWS_WEB_IDENTITY_TOKEN_FILE");
  EXPECT_EQ(Id(), "PROFILE");
  fake_.files.clear();
  EXPECT_EQ(Id(), "CONTAINER");
  fake_.variables.erase("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  EXPECT_EQ(Id(), "INSTANCE");
}

TEST_F(Chain, AProfileAskedForByOptionLeavesOutTheEnvironment) {
  fake_.variables["AWS_ACCESS_KEY_ID"] = "ENVIRONMENT";
  fake_.variables["AWS_SECRET_ACCESS_KEY"] = "s";
  fake_.variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/token";
  fake_.files[kCredentials] = "[dev]\naws_access_key_id=DEV\naws_secret_access_key=s\n";
  fake_.variables["AWS_PROFILE"] = "dev";
  EXPECT_EQ(Id(), "ENVIRONMENT");
  fake_.profile = "dev";
  EXPECT_EQ(Id(), "DEV");
}

TEST_F(Chain, AConfiguredSourceThatFailsIsNotPassedOver) {
  fake_.answer = [](const HttpRequest& request) -> Result<HttpResponse> {
    if (request.url.host == "169.254.170.2") return HttpResponse{.status = 403};
    return AnswerAll(request);
  };
  fake_.variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/x";
  EXPECT_KIND(ErrorKind::kDenied, Find());
  fake_.variables["AWS_ACCESS_KEY_ID"] = "half";
  EXPECT_KIND(ErrorKind::kInvalid, Find());
  fake_.variables.erase("AWS_ACCESS_KEY_ID");
  fake_.variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/token";
  EXPECT_KIND(ErrorKind::kInvalid, Find());
  fake_.variables.erase("AWS_WEB_IDENTITY_TOKEN_FILE");
  fake_.files[kConfig] = "[default]\nbroken\n";
  EXPECT_KIND(ErrorKind::kInvalid, Find());
}

TEST_F(Chain, NoSourceAtAllNamesAllOfThem) {
  const auto found = Find();
  EXPECT_KIND(ErrorKind::kDenied, found);
  EXPECT_THAT(found.status().message(),
              AllOf(HasSubstr("AWS_ACCESS_KEY_ID"), HasSubstr("AWS_WEB_IDENTITY_TOKEN_FILE"),
                    HasSubstr("profile 'default'"), HasSubstr("container endpoint"), HasSubstr("instance metadata")));
  fake_.variables["AWS_EC2_METADATA_DISABLED"] = "true";
  const size_t asked = fake_.transport->requests().size();
  EXPECT_THAT(Find().status().message(), HasSubstr("AWS_EC2_METADATA_DISABLED"));
  EXPECT_EQ(fake_.transport->requests().size(), asked);
}

TEST_F(Chain, AChangedCredentialsFileIsReadAfterExpiry) {
  fake_.files[kCredentials] = "[default]\naws_access_key_id=OLD\naws_secret_access_key=s\n";
  const auto provider = DefaultCredentialChain(fake_.Sources());
  const Credentials old = *provider->Get();
  fake_.files[kCredentials] = "[default]\naws_access_key_id=NEW\naws_secret_access_key=s\n";
  EXPECT_EQ(provider->Get()->access_key_id, "OLD");
  provider->Expired(old);
  EXPECT_EQ(provider->Get()->access_key_id, "NEW");
}

// A token service on a socket: each answer is good for `life`.
class TokenService {
 public:
  explicit TokenService(seconds life)
      : server_([this, life](ServerConnection& connection, ServerRequest& request) {
          if (!connection.ReadBody(&request)) return false;
          std::lock_guard lock(mutex_);
          bodies_.push_back(request.body);
          const Timestamp expires = Clock::System()->Now() + life;
          return connection.SendReply(
              200, StsXml("AssumeRoleWithWebIdentity", "id" + std::to_string(bodies_.size()), FormatIsoTime(expires)));
        }) {}
  std::string Url() const { return server_.Url().ToString(); }
  std::vector<std::string> bodies() {
    std::lock_guard lock(mutex_);
    return bodies_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> bodies_;
  ScriptedServer server_;
};

TEST(CredentialRotation, ShortLivedCredentialsAndAReplacedTokenFile) {
  TokenService service(seconds(4));
  const TempFolder folder;
  folder.Write("token", "first");
  const Environment environment = FakeEnvironment({{"AWS_WEB_IDENTITY_TOKEN_FILE", folder.PathOf("token")},
                                                   {"AWS_ROLE_ARN", "arn:aws:iam::1:role/r"},
                                                   {"AWS_CONFIG_FILE", folder.PathOf("config")},
                                                   {"AWS_SHARED_CREDENTIALS_FILE", folder.PathOf("credentials")},
                                                   {"AWS_ENDPOINT_URL_STS", service.Url()}});
  CurlOptions curl;
  curl.environment = environment;
  ASSERT_OK_AND_ASSIGN(auto transport, MakeCurlTransport(curl));
  CredentialSources sources = CredentialSources::System(transport);
  sources.environment = environment;
  const auto provider = DefaultCredentialChain(std::move(sources));

  ASSERT_OK_AND_ASSIGN(const Credentials first, provider->Get());
  ExpectCredentials(first, "id1", "secret-id1", "token-id1");
  folder.Write("token", "second");
  // Nobody ever gets what has expired, and nobody waits for long.
  const auto end = std::chrono::steady_clock::now() + seconds(6);
  while (std::chrono::steady_clock::now() < end) {
    ASSERT_OK_AND_ASSIGN(const Credentials got, provider->Get());
    ASSERT_GT(*got.expires, Clock::System()->Now());
    std::this_thread::sleep_for(milliseconds(20));
  }
  ASSERT_OK_AND_ASSIGN(const Credentials last, provider->Get());
  EXPECT_NE(last.access_key_id, "id1");
  EXPECT_THAT(service.bodies().at(0), HasSubstr("WebIdentityToken=first"));
  EXPECT_THAT(service.bodies().at(1), HasSubstr("WebIdentityToken=second"));

  // The store knows better than the clock.
  const size_t before = service.bodies().size();
  provider->Expired(last);
  ASSERT_OK_AND_ASSIGN(const Credentials fresh, provider->Get());
  EXPECT_NE(fresh.access_key_id, last.access_key_id);
  EXPECT_GT(service.bodies().size(), before);
}

TEST(CredentialSources, SystemReadsFilesAndSaysWhatIsWrong) {
  const TempFolder folder;
  folder.Write("file", "text\n");
  const CredentialSources sources = CredentialSources::System(nullptr);
  EXPECT_EQ(sources.read_file(folder.PathOf("file")).ValueOr("failed"), "text\n");
  EXPECT_KIND(ErrorKind::kNotFound, sources.read_file(folder.PathOf("missing")));
  EXPECT_KIND(ErrorKind::kNotFound, sources.read_file(folder.PathOf("file/below")));
  EXPECT_KIND(ErrorKind::kInvalid, sources.read_file(folder.path()));
  folder.Write("large", std::string((1 << 20) + 1, 'x'));
  EXPECT_KIND(ErrorKind::kInvalid, sources.read_file(folder.PathOf("large")));
}

}  // namespace
}  // namespace tailrace
