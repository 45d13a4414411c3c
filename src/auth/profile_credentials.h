// Credentials that a profile describes, through as many other profiles as it takes.
#pragma once

#include <optional>
#include <string>

#include "auth/aws_config.h"
#include "auth/credential_http.h"
#include "auth/credential_value.h"

namespace tailrace {

// nullopt where the profile is not asked for and missing, or says nothing of credentials. kInvalid where it is asked
// for and missing, refers to itself, or lacks something; the message names profile and setting.
Result<std::optional<Credentials>> ProfileCredentials(const CredentialContext& context);

// Static credentials of the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
// AWS_CREDENTIAL_EXPIRATION. nullopt where there are none; kInvalid for one without the other.
Result<std::optional<Credentials>> EnvironmentCredentials(const CredentialSources& sources);

}  // namespace tailrace
