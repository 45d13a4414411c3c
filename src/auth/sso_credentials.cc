#include "auth/sso_credentials.h"

#include <openssl/evp.h>

#include <nlohmann/json.hpp>

#include "auth/credential_json.h"
#include "auth/uri_encode.h"
#include "base/iso_time.h"

namespace tailrace {
namespace {

using nlohmann::json;

struct SsoSettings {
  std::string cache_key;  // session name or start URL
  std::string region;
  std::string account_id;
  std::string role_name;
};

Result<SsoSettings> SettingsOf(const AwsConfig& config, const ConfigSection& profile, const std::string& profile_name) {
  const std::string origin = "profile '" + profile_name + "'";
  const ConfigSection* place = &profile;
  const auto session = profile.Get("sso_session");
  if (session && (place = config.SsoSession(*session)) == nullptr) {
    return MakeError(ErrorKind::kInvalid, origin + ": there is no [sso-session " + *session + "]");
  }
  for (const char* name : {"sso_start_url", "sso_region"}) {
    if (!place->Has(name)) return MakeError(ErrorKind::kInvalid, origin + ": " + name + " is missing");
  }
  for (const char* name : {"sso_account_id", "sso_role_name"}) {
    if (!profile.Has(name)) return MakeError(ErrorKind::kInvalid, origin + ": " + name + " is missing");
  }
  return SsoSettings{.cache_key = session ? *session : *place->Get("sso_start_url"),
                     .region = *place->Get("sso_region"),
                     .account_id = *profile.Get("sso_account_id"),
                     .role_name = *profile.Get("sso_role_name")};
}

Status LogIn(const std::string& profile_name, const std::string& why) {
  return MakeError(ErrorKind::kDenied, "SSO: " + why + "; run: aws sso login --profile " + profile_name);
}

Result<std::string> ReadToken(const CredentialSources& sources, const std::string& cache_key,
                              const std::string& profile_name) {
  const std::string path = ExpandHome(sources, "~/.aws/sso/cache/" + SsoCacheFile(cache_key));
  const Result<std::string> text = sources.read_file(path);
  if (!text.ok() && KindOf(text.status()) == ErrorKind::kNotFound) {
    return LogIn(profile_name, "there is no token in the cache");
  }
  ARROW_RETURN_NOT_OK(text.status());
  ARROW_ASSIGN_OR_RAISE(const json object, ParseObject(*text, path));
  const std::string token = TextOf(object, "accessToken");
  const std::optional<Timestamp> expires = ParseIsoTime(TextOf(object, "expiresAt"));
  if (token.empty() || !expires) return LogIn(profile_name, "the token in '" + path + "' is damaged");
  if (*expires <= sources.clock->Now()) {
    return LogIn(profile_name, "the token expired at " + FormatIsoTime(*expires));
  }
  return token;
}

Result<Credentials> ParseReply(const std::string& body, const std::string& origin) {
  ARROW_ASSIGN_OR_RAISE(const json object, ParseObject(body, origin));
  const auto role = object.find("roleCredentials");
  if (role == object.end() || !role->is_object()) {
    return MakeError(ErrorKind::kDenied, origin + ": the answer has no roleCredentials");
  }
  Credentials credentials{.access_key_id = TextOf(*role, "accessKeyId"),
                          .secret_access_key = TextOf(*role, "secretAccessKey"),
                          .session_token = TextOf(*role, "sessionToken")};
  const auto expires = role->find("expiration");
  // Milliseconds; far beyond any real time it is no number to calculate with.
  if (expires != role->end() && expires->is_number_integer() && expires->get<int64_t>() > 0 &&
      expires->get<int64_t>() < int64_t{1} << 43) {
    credentials.expires = Timestamp(std::chrono::milliseconds(expires->get<int64_t>()));
  }
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty() || !credentials.expires) {
    return MakeError(ErrorKind::kDenied, origin + ": the answer lacks accessKeyId, secretAccessKey or expiration");
  }
  return credentials;
}

}  // namespace

std::string SsoCacheFile(const std::string& session_or_url) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(session_or_url.data(), session_or_url.size(), digest, &size, EVP_sha1(), nullptr);
  std::string name;
  constexpr char kDigits[] = "0123456789abcdef";
  for (unsigned int i = 0; i < size; ++i) {
    name += kDigits[digest[i] >> 4];
    name += kDigits[digest[i] & 15];
  }
  return name + ".json";
}

Result<Credentials> SsoCredentials(const CredentialContext& context, const AwsConfig& config,
                                   const ConfigSection& profile, const std::string& profile_name) {
  const CredentialSources& sources = context.sources;
  ARROW_ASSIGN_OR_RAISE(const SsoSettings settings, SettingsOf(config, profile, profile_name));
  ARROW_ASSIGN_OR_RAISE(const std::string token, ReadToken(sources, settings.cache_key, profile_name));
  ARROW_ASSIGN_OR_RAISE(const std::optional<HttpUrl> configured, ConfiguredEndpoint(sources, config, &profile, "sso"));
  HttpRequest request{.method = "GET", .resend_on_stale_connection = true};
  request.url =
      configured ? *configured : HttpUrl{.scheme = "https", .host = "portal.sso." + settings.region + ".amazonaws.com"};
  while (request.url.path.ends_with('/')) request.url.path.pop_back();
  request.url.path += "/federation/credentials";
  request.url.query = EncodeQuery({{"role_name", settings.role_name}, {"account_id", settings.account_id}});
  request.headers.Add("x-amz-sso_bearer_token", token);
  const std::string origin = "SSO at " + request.url.Authority();
  ARROW_ASSIGN_OR_RAISE(const HttpResponse response, Ask(context, request, {}));
  if (response.status == 401) return LogIn(profile_name, "the token was refused");
  if (response.status != 200) {
    const ErrorKind kind = response.status >= 500   ? ErrorKind::kTransient
                           : response.status == 429 ? ErrorKind::kThrottled
                                                    : ErrorKind::kDenied;
    return MakeError(kind, origin + ": status " + std::to_string(response.status) + " for role " + settings.role_name);
  }
  return ParseReply(response.body, origin);
}

}  // namespace tailrace
