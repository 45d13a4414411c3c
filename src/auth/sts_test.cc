#include "auth/sts.h"

#include "auth/credentials_test.h"

namespace tailrace {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Credentials kBase{.access_key_id = "AKIDBASE", .secret_access_key = "base-secret", .session_token = "base-token"};
const Role kRole{.arn = "arn:aws:iam::1:role/r", .session_name = "job", .external_id = "ext", .duration_seconds = 900};

class Sts : public testing::Test {
 protected:
  StsPlace Place() {
    const CredentialSources sources = fake_.Sources();
    return FindSts(sources, AwsConfig::Load(sources).ValueOrDie(), nullptr).ValueOrDie();
  }
  Result<Credentials> Assume() {
    const CredentialSources sources = fake_.Sources();
    return AssumeRole({sources, fake_.cancel}, Place(), kRole, kBase);
  }
  Result<Credentials> AssumeByToken(const std::string& file) {
    const CredentialSources sources = fake_.Sources();
    return AssumeRoleWithWebIdentity({sources, fake_.cancel}, Place(), {.arn = "arn:r"}, file);
  }

  FakeSources fake_;
};

TEST_F(Sts, TheRegionNamesTheEndpoint) {
  EXPECT_EQ(Place().url.ToString(), "https://sts.amazonaws.com/");
  EXPECT_EQ(Place().region, "us-east-1");
  fake_.variables["AWS_REGION"] = "eu-central-1";
  EXPECT_EQ(Place().url.ToString(), "https://sts.eu-central-1.amazonaws.com/");
  fake_.variables["AWS_REGION"] = "cn-north-1";
  EXPECT_EQ(Place().url.ToString(), "https://sts.cn-north-1.amazonaws.com.cn/");
  fake_.variables["AWS_ENDPOINT_URL_STS"] = "http://127.0.0.1:9000";
  EXPECT_EQ(Place().url.ToString(), "http://127.0.0.1:9000/");
  EXPECT_EQ(Place().region, "cn-north-1");
}

TEST_F(Sts, AssumeRoleIsSigned) {
  fake_.answer = [](const HttpRequest&) {
    return HttpResponse{.status = 200, .body = StsXml("AssumeRole", "A", kLater)};
  };
  const auto found = Assume();
  ExpectCredentials(found, "A", "secret-A", "token-A");
  EXPECT_EQ(found->expires, ParseIsoTime(kLater));
  const HttpRequest request = fake_.transport->requests().at(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.body.ToString(),
            "Action=AssumeRole&DurationSeconds=900&ExternalId=ext&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr"
            "&RoleSessionName=job&Version=2011-06-15");
  EXPECT_THAT(request.headers.Get("authorization").value_or(""),
              AllOf(StartsWith("AWS4-HMAC-SHA256 Credential=AKIDBASE/20260101/us-east-1/sts/aws4_request"),
                    HasSubstr("x-amz-security-token")));
  EXPECT_EQ(request.headers.Get("x-amz-security-token"), "base-token");
}

TEST_F(Sts, AWebIdentityIsNotSignedAndItsTokenIsReadEachTime) {
  fake_.answer = [](const HttpRequest&) {
    return HttpResponse{.status = 200, .body = StsXml("AssumeRoleWithWebIdentity", "W", kLater)};
  };
  fake_.files["/token"] = "first\n";
  ExpectCredentials(AssumeByToken("/token"), "W", "secret-W", "token-W");
  fake_.files["/token"] = "second";
  ExpectCredentials(AssumeByToken("/token"), "W", "secret-W", "token-W");
  const auto requests = fake_.transport->requests();
  EXPECT_EQ(requests.at(0).headers.Get("authorization"), std::nullopt);
  EXPECT_THAT(requests.at(0).body.ToString(), HasSubstr("WebIdentityToken=first"));
  EXPECT_THAT(requests.at(0).body.ToString(), HasSubstr("RoleSessionName=tailrace-"));
  EXPECT_THAT(requests.at(1).body.ToString(), HasSubstr("WebIdentityToken=second"));
}

TEST_F(Sts, AMissingOrEmptyTokenFileIsNamed) {
  const auto missing = AssumeByToken("/token");
  EXPECT_KIND(ErrorKind::kNotFound, missing);
  EXPECT_THAT(missing.status().message(), HasSubstr("/token"));
  fake_.files["/token"] = "\n";
  EXPECT_KIND(ErrorKind::kDenied, AssumeByToken("/token"));
}

HttpResponse ErrorReply(int status, const std::string& code, const std::string& message) {
  return {.status = status,
          .body = "<ErrorResponse xmlns=\"x\"><Error><Type>Sender</Type><Code>" + code + "</Code><Message>" + message +
                  "</Message></Error></ErrorResponse>"};
}

TEST_F(Sts, ARefusalTellsCodeAndMessage) {
  fake_.answer = [](const HttpRequest&) {
    return ErrorReply(403, "AccessDenied", "User: u is not authorized to perform: sts:AssumeRole");
  };
  const auto found = Assume();
  EXPECT_KIND(ErrorKind::kDenied, found);
  EXPECT_THAT(found.status().message(), AllOf(HasSubstr("AssumeRole at sts.amazonaws.com: status 403 AccessDenied"),
                                              HasSubstr("not authorized to perform")));
  EXPECT_EQ(fake_.transport->requests().size(), 1u);
}

TEST_F(Sts, AMessageThatRepeatsASecretIsLeftOut) {
  fake_.answer = [](const HttpRequest&) { return ErrorReply(400, "InvalidClientTokenId", "token base-token is bad"); };
  EXPECT_THAT(Assume().status().ToString(), AllOf(HasSubstr("InvalidClientTokenId"), Not(HasSubstr("base-token"))));
}

TEST_F(Sts, WhatMayGoAwayIsTriedAgain) {
  int calls = 0;
  fake_.answer = [&](const HttpRequest&) -> Result<HttpResponse> {
    if (++calls == 1) return MakeError(ErrorKind::kTransient, "reset");
    if (calls == 2) return HttpResponse{.status = 503};
    return HttpResponse{.status = 200, .body = StsXml("AssumeRole", "A", kLater)};
  };
  ExpectCredentials(Assume(), "A", "secret-A", "token-A");
  EXPECT_EQ(fake_.clock.sleeps().size(), 2u);
  fake_.answer = [](const HttpRequest&) { return HttpResponse{.status = 500}; };
  EXPECT_KIND(ErrorKind::kTransient, Assume());
  EXPECT_EQ(fake_.transport->requests().size(), 6u);
}

TEST_F(Sts, DamagedRepliesAreRefused) {
  const std::string good = StsXml("AssumeRole", "A", kLater);
  EXPECT_OK(ParseStsReply(good, "AssumeRole"));
  EXPECT_KIND(ErrorKind::kDenied, ParseStsReply(good, "AssumeRoleWithWebIdentity"));
  EXPECT_KIND(ErrorKind::kDenied, ParseStsReply(StsXml("AssumeRole", "", kLater), "AssumeRole"));
  EXPECT_KIND(ErrorKind::kDenied, ParseStsReply(StsXml("AssumeRole", "A", "soon"), "AssumeRole"));
  for (size_t size = 0; size < good.size() - 1; ++size) {
    const auto found = ParseStsReply(good.substr(0, size), "AssumeRole");
    ASSERT_FALSE(found.ok()) << size;
    ASSERT_EQ(KindOf(found.status()), ErrorKind::kDenied);
  }
}

}  // namespace
}  // namespace tailrace
