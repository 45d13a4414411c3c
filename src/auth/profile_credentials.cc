#include "auth/profile_credentials.h"

#include <algorithm>
#include <charconv>

#include "auth/metadata_credentials.h"
#include "auth/process_credentials.h"
#include "auth/sso_credentials.h"
#include "auth/sts.h"

namespace tailrace {
namespace {

using MaybeCredentials = std::optional<Credentials>;

class Resolver {
 public:
  Resolver(const CredentialContext& context, const AwsConfig& config) : context_(context), config_(config) {}

  // nullopt where the profile says nothing of credentials. REQUIRES: it exists.
  Result<MaybeCredentials> Resolve(const std::string& name) {
    const ConfigSection& profile = *config_.Profile(name);
    if (profile.Has("role_arn")) return ResolveRole(name, profile);
    if (profile.Has("sso_session") || profile.Has("sso_start_url")) {
      return Some(SsoCredentials(context_, config_, profile, name));
    }
    if (profile.Has("aws_access_key_id") || profile.Has("aws_secret_access_key")) return Static(name, profile);
    if (profile.Has("credential_process")) {
      return Some(ProcessCredentials(context_, *profile.Get("credential_process")));
    }
    return MaybeCredentials();
  }

 private:
  static Result<MaybeCredentials> Some(Result<Credentials> credentials) {
    ARROW_RETURN_NOT_OK(credentials.status());
    return MaybeCredentials(*std::move(credentials));
  }

  static Status Invalid(const std::string& name, const std::string& what) {
    return MakeError(ErrorKind::kInvalid, "profile '" + name + "': " + what);
  }

  static Result<MaybeCredentials> Static(const std::string& name, const ConfigSection& profile) {
    for (const char* setting : {"aws_access_key_id", "aws_secret_access_key"}) {
      if (!profile.Has(setting)) return Invalid(name, std::string(setting) + " is missing beside its counterpart");
    }
    return MaybeCredentials(Credentials{.access_key_id = *profile.Get("aws_access_key_id"),
                                        .secret_access_key = *profile.Get("aws_secret_access_key"),
                                        .session_token = profile.Get("aws_session_token").value_or("")});
  }

  static Result<Role> RoleOf(const std::string& name, const ConfigSection& profile) {
    Role role{.arn = *profile.Get("role_arn"),
              .session_name = profile.Get("role_session_name").value_or(""),
              .external_id = profile.Get("external_id").value_or("")};
    if (profile.Has("mfa_serial")) return Invalid(name, "mfa_serial needs somebody to type a code: not supported");
    if (const auto text = profile.Get("duration_seconds")) {
      int seconds = 0;
      const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
      if (error != std::errc() || end != text->data() + text->size() || seconds < 900 || seconds > 43'200) {
        return Invalid(name, "duration_seconds is no number from 900 to 43200");
      }
      role.duration_seconds = seconds;
    }
    return role;
  }

  Result<MaybeCredentials> ResolveRole(const std::string& name, const ConfigSection& profile) {
    ARROW_ASSIGN_OR_RAISE(const Role role, RoleOf(name, profile));
    ARROW_ASSIGN_OR_RAISE(const StsPlace sts, FindSts(context_.sources, config_, &profile));
    if (const auto token_file = profile.Get("web_identity_token_file")) {
      return Some(AssumeRoleWithWebIdentity(context_, sts, role, ExpandHome(context_.sources, *token_file)));
    }
    ARROW_ASSIGN_OR_RAISE(const Credentials base, BaseOf(name, profile));
    return Some(AssumeRole(context_, sts, role, base));
  }

  // What a role is assumed with.
  Result<Credentials> BaseOf(const std::string& name, const ConfigSection& profile) {
    const auto source_profile = profile.Get("source_profile"), source = profile.Get("credential_source");
    if (source_profile.has_value() == source.has_value()) {
      return Invalid(name, "role_arn needs one of source_profile, credential_source and web_identity_token_file");
    }
    if (source) return FromSource(name, *source);
    if (config_.Profile(*source_profile) == nullptr) {
      return Invalid(name, "its source_profile '" + *source_profile + "' does not exist");
    }
    Result<MaybeCredentials> base = MaybeCredentials();
    if (*source_profile == name) {
      // A profile may name itself: its own static credentials are meant.
      base = Static(name, profile);
    } else {
      path_.push_back(name);
      if (std::find(path_.begin(), path_.end(), *source_profile) != path_.end()) {
        return Invalid(name, "source_profile leads in a circle back to '" + *source_profile + "'");
      }
      base = Resolve(*source_profile);
    }
    ARROW_RETURN_NOT_OK(base.status());
    if (!*base) return Invalid(*source_profile, "it has no credentials, and '" + name + "' needs them");
    return **std::move(base);
  }

  Result<Credentials> FromSource(const std::string& name, const std::string& source) {
    if (source == "Ec2InstanceMetadata") return InstanceCredentials(context_);
    if (source == "EcsContainer") {
      if (ContainerIsConfigured(context_.sources)) return ContainerCredentials(context_);
      return Invalid(name, "credential_source is EcsContainer, but there is no container endpoint here");
    }
    if (source != "Environment") {
      return Invalid(name, "credential_source is none of Environment, Ec2InstanceMetadata and EcsContainer");
    }
    ARROW_ASSIGN_OR_RAISE(const MaybeCredentials credentials, EnvironmentCredentials(context_.sources));
    if (credentials) return *credentials;
    return Invalid(name, "credential_source is Environment, but AWS_ACCESS_KEY_ID is not set");
  }

  const CredentialContext& context_;
  const AwsConfig& config_;
  std::vector<std::string> path_;  // the profiles that led here
};

}  // namespace

Result<std::optional<Credentials>> ProfileCredentials(const CredentialContext& context) {
  ARROW_ASSIGN_OR_RAISE(const AwsConfig config, AwsConfig::Load(context.sources));
  const std::string name = ProfileName(context.sources);
  if (config.Profile(name) != nullptr) return Resolver(context, config).Resolve(name);
  if (!ProfileIsAskedFor(context.sources)) return std::nullopt;
  return MakeError(ErrorKind::kInvalid, "profile '" + name + "' is in neither the AWS config nor the credentials file");
}

}  // namespace tailrace
