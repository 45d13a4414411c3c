#include "auth/sts.h"

#include <pugixml.hpp>

#include "auth/sigv4.h"
#include "base/iso_time.h"

namespace tailrace {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

HttpRequest MakeRequest(const StsPlace& place, const std::string& action, const Role& role, Timestamp now,
                        Parameters parameters) {
  const int64_t second = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  parameters.insert(
      parameters.end(),
      {{"Action", action},
       {"Version", "2011-06-15"},
       {"RoleArn", role.arn},
       {"RoleSessionName", role.session_name.empty() ? "tailrace-" + std::to_string(second) : role.session_name}});
  if (role.duration_seconds) parameters.emplace_back("DurationSeconds", std::to_string(*role.duration_seconds));
  HttpRequest request{.method = "POST", .url = place.url, .resend_on_stale_connection = true};
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/xml"}};
  request.body.Append(ByteSlice::Copy(EncodeQuery(std::move(parameters))));
  return request;
}

// What a refusal means: <ErrorResponse><Error><Code/><Message/>.
Status Refusal(const HttpResponse& response, const std::string& origin, const std::vector<std::string>& secrets) {
  pugi::xml_document document;
  document.load_buffer(response.body.data(), response.body.size());
  const pugi::xml_node error = document.child("ErrorResponse").child("Error");
  const std::string code = error.child_value("Code");
  const bool throttled = response.status == 429 || code.starts_with("Throttl");
  const bool transient = response.status >= 500 || code == "IDPCommunicationError";
  const ErrorKind kind = throttled ? ErrorKind::kThrottled : transient ? ErrorKind::kTransient : ErrorKind::kDenied;
  return MakeError(kind, origin + ": status " + std::to_string(response.status) + " " + ServerWords(code, secrets) +
                             ": " + ServerWords(error.child_value("Message"), secrets));
}

Result<Credentials> Call(const CredentialContext& context, const HttpRequest& request, const std::string& action,
                         const std::vector<std::string>& secrets) {
  const std::string origin = action + " at " + request.url.Authority();
  ARROW_ASSIGN_OR_RAISE(const HttpResponse response, Ask(context, request, {.timeout = std::chrono::seconds(10)}));
  if (response.status != 200) return Refusal(response, origin, secrets);
  Result<Credentials> credentials = ParseStsReply(response.body, action);
  return credentials.ok() ? credentials : WithContext(credentials.status(), origin);
}

std::string TrimEnd(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

Result<StsPlace> FindSts(const CredentialSources& sources, const AwsConfig& config, const ConfigSection* profile) {
  std::string region = sources.Variable("AWS_REGION").value_or(sources.Variable("AWS_DEFAULT_REGION").value_or(""));
  if (region.empty() && profile != nullptr) region = profile->Get("region").value_or("");
  ARROW_ASSIGN_OR_RAISE(const std::optional<HttpUrl> configured, ConfiguredEndpoint(sources, config, profile, "sts"));
  const std::string signed_region = region.empty() ? "us-east-1" : region;
  if (configured) return StsPlace{*configured, signed_region};
  const std::string domain = region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
  const std::string host = region.empty() ? "sts.amazonaws.com" : "sts." + region + domain;
  return StsPlace{{.scheme = "https", .host = host}, signed_region};
}

Result<Credentials> ParseStsReply(std::string_view body, const std::string& action) {
  pugi::xml_document document;
  if (!document.load_buffer(body.data(), body.size())) return MakeError(ErrorKind::kDenied, "the answer is no XML");
  const pugi::xml_node node =
      document.child((action + "Response").c_str()).child((action + "Result").c_str()).child("Credentials");
  Credentials credentials{.access_key_id = node.child_value("AccessKeyId"),
                          .secret_access_key = node.child_value("SecretAccessKey"),
                          .session_token = node.child_value("SessionToken"),
                          .expires = ParseIsoTime(node.child_value("Expiration"))};
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty() || credentials.session_token.empty()) {
    return MakeError(ErrorKind::kDenied, "the answer lacks AccessKeyId, SecretAccessKey or SessionToken");
  }
  if (!credentials.expires) return MakeError(ErrorKind::kDenied, "the answer has no Expiration, or it is no time");
  return credentials;
}

Result<Credentials> AssumeRole(const CredentialContext& context, const StsPlace& place, const Role& role,
                               const Credentials& base) {
  const Timestamp now = context.sources.clock->Now();
  Parameters parameters;
  if (!role.external_id.empty()) parameters.emplace_back("ExternalId", role.external_id);
  HttpRequest request = MakeRequest(place, "AssumeRole", role, now, std::move(parameters));
  SignRequest(&request, base, {.region = place.region, .service = "sts"}, now, Sha256Hex(request.body));
  return Call(context, request, "AssumeRole", {base.secret_access_key, base.session_token, role.external_id});
}

Result<Credentials> AssumeRoleWithWebIdentity(const CredentialContext& context, const StsPlace& place, const Role& role,
                                              const std::string& token_file) {
  Result<std::string> read = context.sources.read_file(token_file);
  if (!read.ok()) return WithContext(read.status(), "web identity token file '" + token_file + "'");
  const std::string token = TrimEnd(*std::move(read));
  if (token.empty()) {
    return MakeError(ErrorKind::kDenied, "the web identity token file '" + token_file + "' is empty");
  }
  const std::string action = "AssumeRoleWithWebIdentity";
  const HttpRequest request =
      MakeRequest(place, action, role, context.sources.clock->Now(), {{"WebIdentityToken", token}});
  return Call(context, request, action, {token});
}

}  // namespace tailrace
