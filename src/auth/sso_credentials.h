// Credentials from IAM Identity Center (SSO), with the access token that `aws sso login` has left in its cache.
#pragma once

#include <string>

#include "auth/aws_config.h"
#include "auth/credential_http.h"
#include "auth/credential_value.h"

namespace tailrace {

// `profile` has sso_session, or sso_start_url and sso_region, and sso_account_id and sso_role_name: kInvalid where one
// is missing. kDenied where there is no token or it expired: the message says to log in, with the profile's name.
Result<Credentials> SsoCredentials(const CredentialContext& context, const AwsConfig& config,
                                   const ConfigSection& profile, const std::string& profile_name);

// The file in ~/.aws/sso/cache/ for a session's name or, in older profiles, a start URL.
std::string SsoCacheFile(const std::string& session_or_url);

}  // namespace tailrace
