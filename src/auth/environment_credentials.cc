#include "auth/profile_credentials.h"
#include "base/iso_time.h"

namespace tailrace {

Result<std::optional<Credentials>> EnvironmentCredentials(const CredentialSources& sources) {
  const auto id = sources.Variable("AWS_ACCESS_KEY_ID"), secret = sources.Variable("AWS_SECRET_ACCESS_KEY");
  if (!id && !secret) return std::nullopt;
  if (!id || !secret) {
    return MakeError(ErrorKind::kInvalid,
                     std::string("environment: ") + (id ? "AWS_ACCESS_KEY_ID is set and AWS_SECRET_ACCESS_KEY is not"
                                                        : "AWS_SECRET_ACCESS_KEY is set and AWS_ACCESS_KEY_ID is not"));
  }
  Credentials credentials{.access_key_id = *id, .secret_access_key = *secret};
  credentials.session_token =
      sources.Variable("AWS_SESSION_TOKEN").value_or(sources.Variable("AWS_SECURITY_TOKEN").value_or(""));
  if (const auto expires = sources.Variable("AWS_CREDENTIAL_EXPIRATION")) {
    credentials.expires = ParseIsoTime(*expires);
    if (!credentials.expires) {
      return MakeError(ErrorKind::kInvalid,
                       "environment: AWS_CREDENTIAL_EXPIRATION is no time like 2026-01-31T12:00:00Z");
    }
  }
  return credentials;
}

}  // namespace tailrace
