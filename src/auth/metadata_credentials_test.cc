#include "auth/metadata_credentials.h"

#include "auth/credentials_test.h"

namespace tailrace {
namespace {

using testing::HasSubstr;
using testing::Not;

class Metadata : public testing::Test {
 protected:
  Result<Credentials> Container() {
    const CredentialSources sources = fake_.Sources();
    return ContainerCredentials({sources, fake_.cancel});
  }
  Result<Credentials> Instance() {
    const CredentialSources sources = fake_.Sources();
    return InstanceCredentials({sources, fake_.cancel});
  }
  HttpRequest Asked(size_t i) { return fake_.transport->requests().at(i); }

  FakeSources fake_;
};

TEST_F(Metadata, ARelativeUriIsAskedAtTheAgentOfEcs) {
  fake_.variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/v2/credentials/x?y=1";
  fake_.answer = [](const HttpRequest&) { return HttpResponse{.status = 200, .body = CredentialJson("C", kLater)}; };
  const auto found = Container();
  ExpectCredentials(found, "C", "secret-C", "token-C");
  EXPECT_EQ(found->expires, ParseIsoTime(kLater));
  EXPECT_EQ(Asked(0).url.ToString(), "http://169.254.170.2/v2/credentials/x?y=1");
  EXPECT_EQ(Asked(0).headers.Get("authorization"), std::nullopt);
  EXPECT_TRUE(fake_.transport->options().at(0).direct);
  for (const char* path : {"credentials", "@evil.example/", ".evil.example/"}) {
    fake_.variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = path;
    EXPECT_KIND(ErrorKind::kInvalid, Container());
  }
}

TEST_F(Metadata, AFullUriOverPlainHttpMustBeNear) {
  fake_.answer = [](const HttpRequest&) { return HttpResponse{.status = 200, .body = CredentialJson("C", kLater)}; };
  for (const char* url :
       {"http://127.0.0.1:8080/x", "http://127.9.9.9/", "http://localhost/", "http://[::1]/", "http://169.254.170.2/",
        "http://169.254.170.23/v1", "http://[fd00:ec2::23]/v1", "https://credentials.example/x"}) {
    fake_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = url;
    SCOPED_TRACE(url);
    EXPECT_OK(Container());
  }
  const size_t asked = fake_.transport->requests().size();
  for (const char* url : {"http://credentials.example/x", "http://169.254.169.254/", "http://127.0.0.1.evil.example/",
                          "http://localhost.evil.example/", "http://10.0.0.1/", "ftp://localhost/", "localhost"}) {
    fake_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = url;
    EXPECT_KIND(ErrorKind::kInvalid, Container());
  }
  EXPECT_EQ(fake_.transport->requests().size(), asked);
}

TEST_F(Metadata, TheTokenFileIsReadEachTimeAndGoesBeforeTheToken) {
  fake_.answer = [](const HttpRequest&) { return HttpResponse{.status = 200, .body = CredentialJson("C", kLater)}; };
  fake_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://169.254.170.23/v1/credentials";
  fake_.variables["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "plain token";
  EXPECT_OK(Container());
  EXPECT_EQ(Asked(0).headers.Get("authorization"), "plain token");
  fake_.variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "/token";
  fake_.files["/token"] = "first\n";
  EXPECT_OK(Container());
  fake_.files["/token"] = "second";
  EXPECT_OK(Container());
  EXPECT_EQ(Asked(1).headers.Get("authorization"), "first");
  EXPECT_EQ(Asked(2).headers.Get("authorization"), "second");
  fake_.files["/token"] = "in\r\nX-Injected: 1";
  EXPECT_KIND(ErrorKind::kInvalid, Container());
  fake_.files.clear();
  EXPECT_KIND(ErrorKind::kNotFound, Container());
}

TEST_F(Metadata, DamagedAnswersAreRefusedWithoutRepeatingThem) {
  fake_.variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/x";
  const std::string good = CredentialJson("C", kLater);
  std::vector<std::string> bodies = {"",
                                     "null",
                                     "[]",
                                     "{}",
                                     R"({"AccessKeyId":1,"SecretAccessKey":"secret-C"})",
                                     R"({"AccessKeyId":"C","SecretAccessKey":null})",
                                     CredentialJson("C", "secret-C")};
  for (size_t size = 0; size < good.size(); ++size) bodies.push_back(good.substr(0, size));
  for (const std::string& body : bodies) {
    fake_.answer = [&](const HttpRequest&) { return HttpResponse{.status = 200, .body = body}; };
    const auto found = Container();
    ASSERT_FALSE(found.ok()) << body;
    EXPECT_EQ(KindOf(found.status()), ErrorKind::kDenied);
    EXPECT_THAT(found.status().ToString(), Not(HasSubstr("secret-C")));
  }
  fake_.answer = [](const HttpRequest&) { return HttpResponse{.status = 403}; };
  EXPECT_KIND(ErrorKind::kDenied, Container());
}

// An instance with the role "my role".
Result<HttpResponse> AnswerAsInstance(const HttpRequest& request) {
  const std::string& path = request.url.path;
  if (request.method == "PUT" && path == "/latest/api/token") {
    if (request.headers.Get("x-aws-ec2-metadata-token-ttl-seconds") != "21600") return HttpResponse{.status = 400};
    return HttpResponse{.status = 200, .body = "imds-token"};
  }
  if (request.headers.Get("x-aws-ec2-metadata-token") != "imds-token") return HttpResponse{.status = 401};
  const std::string base = "/latest/meta-data/iam/security-credentials/";
  if (path == base) return HttpResponse{.status = 200, .body = "my role\n"};
  if (path == base + "my%20role") return HttpResponse{.status = 200, .body = CredentialJson("I", kLater)};
  return HttpResponse{.status = 404};
}

TEST_F(Metadata, AnInstanceIsAskedInItsSecondVersion) {
  fake_.answer = AnswerAsInstance;
  ExpectCredentials(Instance(), "I", "secret-I", "token-I");
  EXPECT_EQ(fake_.transport->requests().size(), 3u);
  EXPECT_EQ(Asked(0).url.Authority(), "169.254.169.254");
  for (const HttpSendOptions& options : fake_.transport->options()) {
    EXPECT_TRUE(options.direct);
    EXPECT_EQ(options.timeouts.total, std::chrono::seconds(1));
  }
}

TEST_F(Metadata, VariablesMoveTheInstancesService) {
  fake_.answer = AnswerAsInstance;
  fake_.variables["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"] = "IPv6";
  EXPECT_OK(Instance());
  EXPECT_EQ(Asked(0).url.Authority(), "[fd00:ec2::254]");
  fake_.variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://127.0.0.1:1338/";
  fake_.variables["AWS_METADATA_SERVICE_TIMEOUT"] = "7";
  EXPECT_OK(Instance());
  EXPECT_EQ(Asked(3).url.WithoutQuery(), "http://127.0.0.1:1338/latest/api/token");
  EXPECT_EQ(fake_.transport->options().at(3).timeouts.total, std::chrono::seconds(7));
}

TEST_F(Metadata, NoInstanceIsSaidSoonAndWithAHint) {
  fake_.variables["AWS_METADATA_SERVICE_NUM_ATTEMPTS"] = "3";
  const auto found = Instance();
  EXPECT_KIND(ErrorKind::kNotFound, found);
  EXPECT_THAT(found.status().message(), HasSubstr("hop limit"));
  EXPECT_EQ(fake_.transport->requests().size(), 3u);
}

TEST_F(Metadata, NoRoleIsNotFoundAndARefusalIsDenied) {
  for (const auto& [path, status, body, kind] : std::vector<std::tuple<std::string, int, std::string, ErrorKind>>{
           {"/latest/api/token", 403, "", ErrorKind::kDenied},
           {"/latest/api/token", 404, "", ErrorKind::kNotFound},
           {"/latest/api/token", 405, "", ErrorKind::kNotFound},
           {"/latest/api/token", 503, "", ErrorKind::kTransient},
           {"/latest/meta-data/iam/security-credentials/", 404, "", ErrorKind::kNotFound},
           {"/latest/meta-data/iam/security-credentials/", 200, "", ErrorKind::kNotFound},
           {"/latest/meta-data/iam/security-credentials/my%20role", 500, "", ErrorKind::kTransient},
           {"/latest/meta-data/iam/security-credentials/my%20role", 200, R"({"Code":"AssumeRoleUnauthorizedAccess"})",
            ErrorKind::kDenied}}) {
    fake_.answer = [&, path = path, status = status, body = body](const HttpRequest& request) -> Result<HttpResponse> {
      if (request.url.path == path) return HttpResponse{.status = status, .body = body};
      return AnswerAsInstance(request);
    };
    EXPECT_KIND(kind, Instance());
  }
}

TEST_F(Metadata, TheInstanceCanBeTurnedOff) {
  EXPECT_TRUE(InstanceIsConfigured(fake_.Sources()));
  fake_.variables["AWS_EC2_METADATA_DISABLED"] = "True";
  EXPECT_FALSE(InstanceIsConfigured(fake_.Sources()));
}

}  // namespace
}  // namespace tailrace
