#include "auth/profile_credentials.h"

#include "auth/credentials_test.h"

namespace tailrace {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr char kConfig[] = "/home/me/.aws/config", kCredentials[] = "/home/me/.aws/credentials";

class Profile : public testing::Test {
 protected:
  Profile() {
    fake_.answer = [](const HttpRequest& request) {
      const bool token = request.body.ToString().find("WebIdentityToken") != std::string::npos;
      const std::string action = token ? "AssumeRoleWithWebIdentity" : "AssumeRole";
      // The answer's id tells whose request it was.
      const std::string who = request.headers.Get("authorization").value_or("Credential=nobody/");
      const size_t start = who.find("Credential=") + 11;
      const std::string id = "role-of-" + who.substr(start, who.find('/') - start);
      return HttpResponse{.status = 200, .body = StsXml(action, id, kLater)};
    };
  }
  Result<std::optional<Credentials>> Find(const std::string& config) {
    fake_.files[kConfig] = config;
    const CredentialSources sources = fake_.Sources();
    return ProfileCredentials({sources, fake_.cancel});
  }
  std::string IdIn(const std::string& config) {
    const auto found = Find(config);
    if (!found.ok()) return found.status().message();
    return *found ? (*found)->access_key_id : "none";
  }
  void ExpectInvalid(const std::string& config, const std::string& words) {
    const auto found = Find(config);
    ASSERT_FALSE(found.ok()) << config;
    EXPECT_EQ(KindOf(found.status()), ErrorKind::kInvalid) << found.status();
    EXPECT_THAT(found.status().ToString(), AllOf(HasSubstr(words), Not(HasSubstr("hunter2"))));
  }

  FakeSources fake_;
};

constexpr char kBase[] = "[profile base]\naws_access_key_id=BASE\naws_secret_access_key=hunter2\n";

TEST_F(Profile, StaticOnes) {
  fake_.files[kCredentials] = "[default]\naws_access_key_id=D\naws_secret_access_key=s\naws_session_token=t\n";
  const auto found = Find("");
  ASSERT_OK(found);
  ExpectCredentials(**found, "D", "s", "t");
}

TEST_F(Profile, OneThatSaysNothingIsNotConfigured) {
  EXPECT_EQ(IdIn(""), "none");
  EXPECT_EQ(IdIn("[default]\nregion=x\n"), "none");
  fake_.variables["AWS_PROFILE"] = "dev";
  EXPECT_EQ(IdIn("[profile dev]\nregion=x\n"), "none");
}

TEST_F(Profile, OneThatIsAskedForMustExist) {
  fake_.profile = "dev";
  ExpectInvalid("[default]\n", "profile 'dev'");
  fake_.profile = "";
  fake_.variables["AWS_PROFILE"] = "other";
  ExpectInvalid("[default]\n", "profile 'other'");
}

TEST_F(Profile, ARoleIsAssumedWithItsSourceProfile) {
  EXPECT_EQ(IdIn(std::string(kBase) + "[default]\nrole_arn=arn\nsource_profile=base\nrole_session_name=n\n"
                                      "external_id=e\nduration_seconds=1200\nregion=eu-north-1\n"),
            "role-of-BASE");
  const HttpRequest request = fake_.transport->requests().at(0);
  EXPECT_EQ(request.url.host, "sts.eu-north-1.amazonaws.com");
  EXPECT_THAT(request.body.ToString(),
              AllOf(HasSubstr("DurationSeconds=1200"), HasSubstr("ExternalId=e"), HasSubstr("RoleSessionName=n")));
}

TEST_F(Profile, RolesCanBeChained) {
  EXPECT_EQ(IdIn(std::string(kBase) + "[profile middle]\nrole_arn=arn1\nsource_profile=base\n"
                                      "[default]\nrole_arn=arn2\nsource_profile=middle\n"),
            "role-of-role-of-BASE");
}

TEST_F(Profile, AProfileMayBeItsOwnSource) {
  EXPECT_EQ(IdIn("[default]\nrole_arn=arn\nsource_profile=default\naws_access_key_id=OWN\naws_secret_access_key=s\n"),
            "role-of-OWN");
}

TEST_F(Profile, ACircleIsNamed) {
  ExpectInvalid(
      "[default]\nrole_arn=a\nsource_profile=b\n[profile b]\nrole_arn=b\nsource_profile=c\n"
      "[profile c]\nrole_arn=c\nsource_profile=default\n",
      "circle back to 'default'");
}

TEST_F(Profile, ARoleFromOtherSources) {
  fake_.variables["AWS_ACCESS_KEY_ID"] = "ENV";
  fake_.variables["AWS_SECRET_ACCESS_KEY"] = "s";
  EXPECT_EQ(IdIn("[default]\nrole_arn=a\ncredential_source=Environment\n"), "role-of-ENV");
  fake_.files["/home/me/token"] = "t";
  EXPECT_EQ(IdIn("[default]\nrole_arn=a\nweb_identity_token_file=~/token\n"), "role-of-nobody");

  const FakeTransport::Answer sts = fake_.answer;
  fake_.variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/x";
  fake_.answer = [&](const HttpRequest& request) -> Result<HttpResponse> {
    if (request.url.host == "169.254.170.2") return HttpResponse{.status = 200, .body = CredentialJson("ECS", kLater)};
    if (request.url.host != "169.254.169.254") return sts(request);
    if (request.method == "PUT") return HttpResponse{.status = 200, .body = "t"};
    return HttpResponse{.status = 200, .body = request.url.path.ends_with('/') ? "r" : CredentialJson("EC2", kLater)};
  };
  EXPECT_EQ(IdIn("[default]\nrole_arn=a\ncredential_source=EcsContainer\n"), "role-of-ECS");
  EXPECT_EQ(IdIn("[default]\nrole_arn=a\ncredential_source=Ec2InstanceMetadata\n"), "role-of-EC2");
}

TEST_F(Profile, ACredentialProcessIsRun) {
  fake_.process = [](const std::vector<std::string>&) -> Result<std::string> {
    return CredentialJson("P", kLater, "SessionToken");
  };
  EXPECT_EQ(IdIn("[default]\ncredential_process = get-keys --x\n"), "P");
}

TEST_F(Profile, WhatCannotWorkIsNamed) {
  ExpectInvalid("[default]\naws_access_key_id=A\n", "aws_secret_access_key is missing");
  ExpectInvalid("[default]\naws_secret_access_key=hunter2\n", "aws_access_key_id is missing");
  ExpectInvalid("[default]\nrole_arn=a\n", "source_profile, credential_source");
  ExpectInvalid("[default]\nrole_arn=a\nsource_profile=x\ncredential_source=Environment\n", "needs one of");
  ExpectInvalid("[default]\nrole_arn=a\nsource_profile=x\n", "'x' does not exist");
  ExpectInvalid("[default]\nrole_arn=a\nsource_profile=x\n[profile x]\nregion=r\n", "'x': it has no credentials");
  ExpectInvalid("[default]\nrole_arn=a\ncredential_source=Moon\n", "credential_source");
  ExpectInvalid("[default]\nrole_arn=a\ncredential_source=Environment\n", "AWS_ACCESS_KEY_ID");
  ExpectInvalid("[default]\nrole_arn=a\ncredential_source=EcsContainer\n", "container endpoint");
  ExpectInvalid(std::string(kBase) + "[default]\nrole_arn=a\nsource_profile=base\nmfa_serial=m\n", "mfa_serial");
  for (const char* seconds : {"899", "43201", "x", "1200s", "-1"}) {
    ExpectInvalid(std::string(kBase) + "[default]\nrole_arn=a\nsource_profile=base\nduration_seconds=" + seconds + "\n",
                  "duration_seconds");
  }
  ExpectInvalid("[default]\nhunter2\n", "/home/me/.aws/config:2");
}

TEST(EnvironmentCredentials, AreReadWholeOrNotAtAll) {
  FakeSources fake;
  EXPECT_EQ(*EnvironmentCredentials(fake.Sources()), std::nullopt);
  fake.variables["AWS_ACCESS_KEY_ID"] = "E";
  EXPECT_KIND(ErrorKind::kInvalid, EnvironmentCredentials(fake.Sources()));
  fake.variables["AWS_SECRET_ACCESS_KEY"] = "s";
  ExpectCredentials(**EnvironmentCredentials(fake.Sources()), "E", "s");
  fake.variables["AWS_SESSION_TOKEN"] = "t";
  fake.variables["AWS_CREDENTIAL_EXPIRATION"] = kLater;
  ExpectCredentials(**EnvironmentCredentials(fake.Sources()), "E", "s", "t");
  EXPECT_EQ((**EnvironmentCredentials(fake.Sources())).expires, ParseIsoTime(kLater));
  fake.variables["AWS_CREDENTIAL_EXPIRATION"] = "soon";
  EXPECT_KIND(ErrorKind::kInvalid, EnvironmentCredentials(fake.Sources()));
  fake.variables["AWS_ACCESS_KEY_ID"] = "";
  EXPECT_KIND(ErrorKind::kInvalid, EnvironmentCredentials(fake.Sources()));
}

}  // namespace
}  // namespace tailrace
