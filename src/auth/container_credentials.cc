#include <algorithm>

#include <nlohmann/json.hpp>

#include "auth/credential_json.h"
#include "auth/metadata_credentials.h"

namespace tailrace {
namespace {

constexpr char kRelative[] = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
constexpr char kFull[] = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
constexpr char kTokenFile[] = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";
constexpr char kToken[] = "AWS_CONTAINER_AUTHORIZATION_TOKEN";
// Of the agents of ECS and EKS.
constexpr const char* kAgents[] = {"169.254.170.2", "169.254.170.23", "fd00:ec2::23"};

// "127.0.0.1" and all of its network; a name such as "127.evil.example" is none of it.
bool IsLoopback(const std::string& host) {
  if (host == "localhost" || host == "::1") return true;
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos;
}

Result<HttpUrl> EndpointOf(const CredentialSources& sources) {
  if (const auto relative = sources.Variable(kRelative)) {
    Result<HttpUrl> url = HttpUrl::Parse(std::string("http://") + kAgents[0] + *relative);
    if (!relative->starts_with('/') || !url.ok()) {
      return MakeError(ErrorKind::kInvalid, std::string(kRelative) + " is no path; it begins with '/'");
    }
    return url;
  }
  Result<HttpUrl> url = HttpUrl::Parse(sources.Variable(kFull).value_or(""));
  if (!url.ok()) return WithContext(url.status(), kFull);
  const bool trusted =
      IsLoopback(url->host) || std::find(std::begin(kAgents), std::end(kAgents), url->host) != std::end(kAgents);
  if (url->scheme == "https" || trusted) return url;
  return MakeError(ErrorKind::kInvalid, std::string(kFull) + " names the host '" + url->host +
                                            "', which may be asked for credentials only over https");
}

// Empty where there is none.
Result<std::string> Authorization(const CredentialSources& sources) {
  std::string token = sources.Variable(kToken).value_or("");
  if (const auto path = sources.Variable(kTokenFile)) {
    Result<std::string> read = sources.read_file(*path);
    if (!read.ok()) return WithContext(read.status(), kTokenFile);
    token = *std::move(read);
    if (token.ends_with('\n')) token.pop_back();
    if (token.ends_with('\r')) token.pop_back();
  }
  if (token.find_first_of("\r\n") == token.npos) return token;
  return MakeError(ErrorKind::kInvalid, "the container's authorization token has a line end in it");
}

}  // namespace

bool ContainerIsConfigured(const CredentialSources& sources) {
  return sources.Variable(kRelative) || sources.Variable(kFull);
}

Result<Credentials> ContainerCredentials(const CredentialContext& context) {
  ARROW_ASSIGN_OR_RAISE(const HttpUrl url, EndpointOf(context.sources));
  ARROW_ASSIGN_OR_RAISE(const std::string token, Authorization(context.sources));
  HttpRequest request{.method = "GET", .url = url, .resend_on_stale_connection = true};
  request.headers.Add("Accept", "application/json");
  if (!token.empty()) request.headers.Add("Authorization", token);
  const std::string origin = "container endpoint " + url.Authority();
  ARROW_ASSIGN_OR_RAISE(const HttpResponse response,
                        Ask(context, request, {.timeout = std::chrono::seconds(2), .direct = true}));
  if (response.status != 200) {
    const ErrorKind kind = response.status >= 500 ? ErrorKind::kTransient : ErrorKind::kDenied;
    return MakeError(kind, origin + ": status " + std::to_string(response.status));
  }
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json object, ParseObject(response.body, origin));
  return CredentialsOf(object, "Token", origin);
}

}  // namespace tailrace
