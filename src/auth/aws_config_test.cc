#include "auth/aws_config.h"

#include "auth/credentials_test.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

constexpr char kConfig[] = "/home/me/.aws/config", kCredentials[] = "/home/me/.aws/credentials";

TEST(AwsConfig, MissingFilesAreEmptyOnes) {
  FakeSources fake;
  ASSERT_OK_AND_ASSIGN(const AwsConfig config, AwsConfig::Load(fake.Sources()));
  EXPECT_EQ(config.Profile("default"), nullptr);
}

TEST(AwsConfig, TheCredentialsFileWinsAndTheRestStays) {
  FakeSources fake;
  fake.files[kConfig] = "[default]\nregion=a\naws_access_key_id=config\n[profile dev]\nregion=b\n[dev]\nregion=no\n";
  fake.files[kCredentials] = "[default]\naws_access_key_id=credentials\n[only]\nregion=c\n";
  ASSERT_OK_AND_ASSIGN(const AwsConfig config, AwsConfig::Load(fake.Sources()));
  EXPECT_EQ(config.Profile("default")->Get("region"), "a");
  EXPECT_EQ(config.Profile("default")->Get("aws_access_key_id"), "credentials");
  EXPECT_EQ(config.Profile("dev")->Get("region"), "b");
  EXPECT_EQ(config.Profile("only")->Get("region"), "c");
  EXPECT_EQ(config.Profile("nobody"), nullptr);
}

TEST(AwsConfig, ProfileDefaultGoesBeforeDefault) {
  FakeSources fake;
  fake.files[kConfig] = "[profile default]\nregion=right\n[default]\nregion=wrong\n";
  ASSERT_OK_AND_ASSIGN(const AwsConfig config, AwsConfig::Load(fake.Sources()));
  EXPECT_EQ(config.Profile("default")->Get("region"), "right");
}

TEST(AwsConfig, VariablesNameTheFiles) {
  FakeSources fake;
  fake.variables["AWS_CONFIG_FILE"] = "/etc/aws.ini";
  fake.variables["AWS_SHARED_CREDENTIALS_FILE"] = "~/keys";
  fake.files["/etc/aws.ini"] = "[profile a]\nregion=1\n";
  fake.files["/home/me/keys"] = "[b]\nregion=2\n";
  ASSERT_OK_AND_ASSIGN(const AwsConfig config, AwsConfig::Load(fake.Sources()));
  EXPECT_NE(config.Profile("a"), nullptr);
  EXPECT_NE(config.Profile("b"), nullptr);
}

TEST(AwsConfig, ADamagedFileIsNamed) {
  FakeSources fake;
  fake.files[kCredentials] = "[default]\nsecret without equals\n";
  const auto config = AwsConfig::Load(fake.Sources());
  EXPECT_KIND(ErrorKind::kInvalid, config);
  EXPECT_THAT(config.status().message(), HasSubstr("/home/me/.aws/credentials:2"));
}

TEST(DefaultEndpoint, ComesFromServicesThenTheProfile) {
  FakeSources fake;
  EXPECT_EQ(*DefaultEndpoint(fake.Sources(), "s3"), std::nullopt);
  fake.files["/home/me/.aws/config"] =
      "[default]\nendpoint_url = http://all:1\n[profile p]\nservices = own\n"
      "endpoint_url = http://p:1\n[services own]\ns3 =\n  endpoint_url = http://s3:1\n";
  EXPECT_EQ((*DefaultEndpoint(fake.Sources(), "s3"))->host, "all");
  fake.profile = "p";
  EXPECT_EQ((*DefaultEndpoint(fake.Sources(), "s3"))->host, "s3");
  EXPECT_EQ((*DefaultEndpoint(fake.Sources(), "sts"))->host, "p");
  fake.files["/home/me/.aws/config"] = "[profile p]\nendpoint_url = nonsense\n";
  EXPECT_KIND(ErrorKind::kInvalid, DefaultEndpoint(fake.Sources(), "s3"));
}

TEST(DefaultRegion, EnvironmentThenProfile) {
  FakeSources fake;
  EXPECT_EQ(DefaultRegion(fake.Sources()), std::nullopt);
  fake.files[kConfig] = "[default]\nregion=of-default\n[profile dev]\nregion=of-dev\n";
  EXPECT_EQ(DefaultRegion(fake.Sources()), "of-default");
  fake.variables["AWS_PROFILE"] = "dev";
  EXPECT_EQ(DefaultRegion(fake.Sources()), "of-dev");
  fake.profile = "default";
  EXPECT_EQ(DefaultRegion(fake.Sources()), "of-default");
  fake.variables["AWS_DEFAULT_REGION"] = "second";
  EXPECT_EQ(DefaultRegion(fake.Sources()), "second");
  fake.variables["AWS_REGION"] = "first";
  EXPECT_EQ(DefaultRegion(fake.Sources()), "first");
  fake.variables["AWS_REGION"] = "";
  EXPECT_EQ(DefaultRegion(fake.Sources()), "second");
}

std::string EndpointIn(FakeSources* fake, const std::string& service) {
  const CredentialSources sources = fake->Sources();
  const AwsConfig config = AwsConfig::Load(sources).ValueOrDie();
  const auto url = ConfiguredEndpoint(sources, config, config.Profile("default"), service);
  if (!url.ok()) return url.status().message();
  return *url ? (*url)->ToString() : "none";
}

TEST(ConfiguredEndpoint, TheMoreSpecificWins) {
  FakeSources fake;
  EXPECT_EQ(EndpointIn(&fake, "sts"), "none");
  fake.files[kConfig] =
      "[default]\nendpoint_url=http://profile\nservices=mine\n[services mine]\nsso =\n"
      "  endpoint_url = http://services\n";
  EXPECT_EQ(EndpointIn(&fake, "sts"), "http://profile/");
  EXPECT_EQ(EndpointIn(&fake, "sso"), "http://services/");
  fake.variables["AWS_ENDPOINT_URL"] = "http://global:1";
  EXPECT_EQ(EndpointIn(&fake, "sso"), "http://global:1/");
  fake.variables["AWS_ENDPOINT_URL_STS"] = "http://own/base";
  EXPECT_EQ(EndpointIn(&fake, "sts"), "http://own/base");
  EXPECT_EQ(EndpointIn(&fake, "sso"), "http://global:1/");
  fake.variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "TRUE";
  EXPECT_EQ(EndpointIn(&fake, "sts"), "none");
}

TEST(ConfiguredEndpoint, AMalformedOneNamesTheSetting) {
  FakeSources fake;
  fake.variables["AWS_ENDPOINT_URL_STS"] = "localhost:9000";
  EXPECT_THAT(EndpointIn(&fake, "sts"), HasSubstr("AWS_ENDPOINT_URL_STS"));
}

}  // namespace
}  // namespace tailrace
