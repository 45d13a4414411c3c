// AWS's Security Token Service: a role's temporary credentials.
#pragma once

#include <optional>
#include <string>

#include "auth/aws_config.h"
#include "auth/credential_http.h"
#include "auth/credential_value.h"

namespace tailrace {

struct Role {
  std::string arn;
  std::string session_name;  // empty: one is made up
  std::string external_id;   // of AssumeRole alone
  std::optional<int> duration_seconds;
};

// Where the service is, and the region that its requests are signed for.
struct StsPlace {
  HttpUrl url;
  std::string region;
};

// The configured endpoint, else that of the region (its partition's domain), else the global one.
Result<StsPlace> FindSts(const CredentialSources& sources, const AwsConfig& config, const ConfigSection* profile);

// Signed with `base`. kDenied where the service refuses, with its code and message.
Result<Credentials> AssumeRole(const CredentialContext& context, const StsPlace& place, const Role& role,
                               const Credentials& base);
// Unsigned: the token in `token_file`, which is read each time, proves who asks.
Result<Credentials> AssumeRoleWithWebIdentity(const CredentialContext& context, const StsPlace& place, const Role& role,
                                              const std::string& token_file);

// The reply of either call; `action` as it was asked for.
Result<Credentials> ParseStsReply(std::string_view body, const std::string& action);

}  // namespace tailrace
