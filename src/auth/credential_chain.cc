#include "auth/credentials.h"
#include "auth/metadata_credentials.h"
#include "auth/profile_credentials.h"
#include "auth/sts.h"

namespace tailrace {
namespace {

using MaybeCredentials = std::optional<Credentials>;

Result<MaybeCredentials> WebIdentity(const CredentialContext& context) {
  const CredentialSources& sources = context.sources;
  const auto token_file = sources.Variable("AWS_WEB_IDENTITY_TOKEN_FILE");
  if (!token_file) return std::nullopt;
  const auto arn = sources.Variable("AWS_ROLE_ARN");
  if (!arn) {
    return MakeError(ErrorKind::kInvalid, "environment: AWS_WEB_IDENTITY_TOKEN_FILE is set and AWS_ROLE_ARN is not");
  }
  // A file that cannot be read says nothing of where the service is.
  ARROW_ASSIGN_OR_RAISE(const AwsConfig config, AwsConfig::Load(sources));
  ARROW_ASSIGN_OR_RAISE(const StsPlace sts, FindSts(sources, config, config.Profile(ProfileName(sources))));
  const Role role{.arn = *arn, .session_name = sources.Variable("AWS_ROLE_SESSION_NAME").value_or("")};
  ARROW_ASSIGN_OR_RAISE(Credentials credentials, AssumeRoleWithWebIdentity(context, sts, role, *token_file));
  return credentials;
}

// An instance that has no credentials to give is a source like one that is not configured, but worth a word.
Result<MaybeCredentials> Instance(const CredentialContext& context, std::string* word) {
  if (!InstanceIsConfigured(context.sources)) {
    *word = "instance metadata is turned off (AWS_EC2_METADATA_DISABLED)";
    return std::nullopt;
  }
  Result<Credentials> credentials = InstanceCredentials(context);
  if (!credentials.ok() && KindOf(credentials.status()) == ErrorKind::kNotFound) {
    *word = credentials.status().message();
    return std::nullopt;
  }
  ARROW_RETURN_NOT_OK(credentials.status());
  return *std::move(credentials);
}

Result<Credentials> WalkChain(const CredentialContext& context) {
  const CredentialSources& sources = context.sources;
  if (sources.profile.empty()) {
    ARROW_ASSIGN_OR_RAISE(MaybeCredentials found, EnvironmentCredentials(sources));
    if (found) return *std::move(found);
    ARROW_ASSIGN_OR_RAISE(found, WebIdentity(context));
    if (found) return *std::move(found);
  }
  ARROW_ASSIGN_OR_RAISE(MaybeCredentials found, ProfileCredentials(context));
  if (found) return *std::move(found);
  if (ContainerIsConfigured(sources)) return ContainerCredentials(context);
  std::string word;
  ARROW_ASSIGN_OR_RAISE(found, Instance(context, &word));
  if (found) return *std::move(found);
  return MakeError(ErrorKind::kDenied,
                   "no credentials: there are none in the environment (AWS_ACCESS_KEY_ID), no web identity "
                   "(AWS_WEB_IDENTITY_TOKEN_FILE), none in the profile '" +
                       ProfileName(sources) + "', no container endpoint (AWS_CONTAINER_CREDENTIALS_RELATIVE_URI); " +
                       word);
}

}  // namespace

std::shared_ptr<CredentialsProvider> DefaultCredentialChain(CredentialSources sources) {
  Clock* const clock = sources.clock;
  return RefreshingCredentials(
      "credentials", [sources = std::move(sources)](const CancelToken& cancel) { return WalkChain({sources, cancel}); },
      clock);
}

}  // namespace tailrace
