#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include "auth/credential_json.h"
#include "auth/metadata_credentials.h"
#include "auth/uri_encode.h"

namespace tailrace {
namespace {

constexpr char kOrigin[] = "instance metadata";
constexpr char kCredentialsPath[] = "/latest/meta-data/iam/security-credentials/";

int NumberOf(const CredentialSources& sources, const std::string& variable, int usual, int most) {
  const std::string text = sources.Variable(variable).value_or("");
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = error == std::errc() && end == text.data() + text.size() && number >= 1 && number <= most;
  return good ? number : usual;
}

bool SaysIpv6(const CredentialSources& sources) {
  std::string mode = sources.Variable("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE").value_or("");
  std::transform(mode.begin(), mode.end(), mode.begin(), [](unsigned char c) { return std::tolower(c); });
  return mode == "ipv6";
}

Result<HttpUrl> EndpointOf(const CredentialSources& sources) {
  if (const auto given = sources.Variable("AWS_EC2_METADATA_SERVICE_ENDPOINT")) {
    Result<HttpUrl> url = HttpUrl::Parse(*given);
    return url.ok() ? url : WithContext(url.status(), "AWS_EC2_METADATA_SERVICE_ENDPOINT");
  }
  return HttpUrl{.scheme = "http", .host = SaysIpv6(sources) ? "fd00:ec2::254" : "169.254.169.254"};
}

// One conversation with the service.
class Instance {
 public:
  Instance(const CredentialContext& context, HttpUrl endpoint) : context_(context), endpoint_(std::move(endpoint)) {
    options_.timeout = std::chrono::seconds(NumberOf(context.sources, "AWS_METADATA_SERVICE_TIMEOUT", 1, 60));
    options_.attempts = NumberOf(context.sources, "AWS_METADATA_SERVICE_NUM_ATTEMPTS", 2, 10);
    options_.direct = true;
  }

  Status Begin() {
    HttpRequest request = MakeRequest("PUT", "/latest/api/token");
    request.headers.Add("x-aws-ec2-metadata-token-ttl-seconds", "21600");
    const Result<HttpResponse> response = Ask(context_, request, options_);
    if (!response.ok()) {
      if (KindOf(response.status()) != ErrorKind::kTransient) return response.status();
      return MakeError(
          ErrorKind::kNotFound,
          std::string(kOrigin) + ": no answer from " + endpoint_.Authority() +
              " (in a container on an instance, its hop limit must be at least 2): " + response.status().message());
    }
    if (response->status != 200) return Unexpected(response->status, "a token");
    token_ = response->body;
    return Status::OK();
  }

  Result<std::string> Get(const std::string& path, const std::string& what) {
    HttpRequest request = MakeRequest("GET", path);
    request.headers.Add("x-aws-ec2-metadata-token", token_);
    ARROW_ASSIGN_OR_RAISE(const HttpResponse response, Ask(context_, request, options_));
    if (response.status != 200) return Unexpected(response.status, what);
    return response.body;
  }

 private:
  HttpRequest MakeRequest(const std::string& method, const std::string& path) const {
    HttpRequest request{.method = method, .url = endpoint_, .resend_on_stale_connection = true};
    while (request.url.path.ends_with('/')) request.url.path.pop_back();
    request.url.path += path;
    return request;
  }
  // Other clouds have another service at this address, which answers that it knows no such path or method.
  static Status Unexpected(int status, const std::string& what) {
    const ErrorKind kind = status >= 500                    ? ErrorKind::kTransient
                           : status == 401 || status == 403 ? ErrorKind::kDenied
                                                            : ErrorKind::kNotFound;
    return MakeError(kind, std::string(kOrigin) + ": status " + std::to_string(status) + " for " + what);
  }

  const CredentialContext& context_;
  const HttpUrl endpoint_;
  AskOptions options_;
  std::string token_;
};

}  // namespace

bool InstanceIsConfigured(const CredentialSources& sources) { return !sources.IsTrue("AWS_EC2_METADATA_DISABLED"); }

Result<Credentials> InstanceCredentials(const CredentialContext& context) {
  ARROW_ASSIGN_OR_RAISE(HttpUrl endpoint, EndpointOf(context.sources));
  Instance instance(context, std::move(endpoint));
  ARROW_RETURN_NOT_OK(instance.Begin());
  ARROW_ASSIGN_OR_RAISE(std::string role, instance.Get(kCredentialsPath, "the name of the role"));
  // One name a line; an instance has one role.
  role = role.substr(0, role.find_first_of("\r\n"));
  if (role.empty()) return MakeError(ErrorKind::kNotFound, std::string(kOrigin) + ": the instance has no role");
  ARROW_ASSIGN_OR_RAISE(const std::string body,
                        instance.Get(kCredentialsPath + UriEncode(role, /*keep_slash=*/false), "the credentials"));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json object, ParseObject(body, kOrigin));
  const std::string code = TextOf(object, "Code");
  if (!code.empty() && code != "Success") {
    return MakeError(ErrorKind::kDenied, std::string(kOrigin) + ": code " + ServerWords(code, {}));
  }
  return CredentialsOf(object, "Token", kOrigin);
}

}  // namespace tailrace
