// Credentials as JSON: the form of the container endpoint, instance metadata and credential_process, which differ in
// one name.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "auth/credential_value.h"
#include "http/transport.h"

namespace tailrace {

// One JSON object; kDenied where it is damaged. The message names `origin` and repeats nothing of the text.
Result<nlohmann::json> ParseObject(std::string_view text, const std::string& origin);
// Empty where it is missing or no text.
std::string TextOf(const nlohmann::json& object, const std::string& name);
// AccessKeyId, SecretAccessKey, `token_name` and Expiration (ISO 8601), of which the last two may be missing.
Result<Credentials> CredentialsOf(const nlohmann::json& object, const std::string& token_name,
                                  const std::string& origin);

}  // namespace tailrace
