#include "auth/sigv4.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/iso_time.h"

namespace tailrace {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
// Set or changed on the way, by libcurl or by a proxy.
constexpr std::string_view kUnsignedHeaders[] = {"accept-encoding",   "authorization", "connection",     "expect",
                                                 "transfer-encoding", "user-agent",    "x-amzn-trace-id"};

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Without blanks at both ends, and one for each run of them.
std::string Squeeze(std::string_view text) {
  std::string squeezed;
  bool blank = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t') {
      blank = !squeezed.empty();
      continue;
    }
    if (blank) squeezed += ' ';
    blank = false;
    squeezed += c;
  }
  return squeezed;
}

// Sorted by name; values of one name are joined in their order.
using SignedHeaders = std::map<std::string, std::string>;

SignedHeaders HeadersToSign(const HttpHeaders& headers, const HttpUrl& url) {
  SignedHeaders signed_headers;
  for (const auto& [field, value] : headers.fields()) {
    std::string name = ToLower(field);
    if (std::find(std::begin(kUnsignedHeaders), std::end(kUnsignedHeaders), name) != std::end(kUnsignedHeaders))
      continue;
    const auto [it, is_new] = signed_headers.try_emplace(std::move(name), Squeeze(value));
    if (!is_new) it->second += "," + Squeeze(value);
  }
  signed_headers.try_emplace("host", url.Authority());
  return signed_headers;
}

std::string NamesOf(const SignedHeaders& headers) {
  std::string names;
  for (const auto& [name, value] : headers) names += (names.empty() ? "" : ";") + name;
  return names;
}

// Sorted by name, then value, both as encoded: not by the bytes of "name=value", since '=' stands after digits.
std::string CanonicalQuery(std::string_view query) {
  std::vector<std::pair<std::string_view, std::string_view>> parameters;
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    if (one.empty()) continue;
    const size_t equals = std::min(one.find('='), one.size());
    parameters.emplace_back(one.substr(0, equals), one.substr(std::min(equals + 1, one.size())));
  }
  std::sort(parameters.begin(), parameters.end());
  std::string canonical;
  for (const auto& [name, value] : parameters) {
    if (!canonical.empty()) canonical += '&';
    canonical.append(name).append("=").append(value);
  }
  return canonical;
}

std::string CanonicalRequest(std::string_view method, const HttpUrl& url, const SignedHeaders& headers,
                             std::string_view payload_hash) {
  std::string text(method);
  text += "\n" + url.path + "\n" + CanonicalQuery(url.query) + "\n";
  for (const auto& [name, value] : headers) text += name + ":" + value + "\n";
  return text + "\n" + NamesOf(headers) + "\n" + std::string(payload_hash);
}

// "20130524/us-east-1/s3/aws4_request"
std::string ScopeText(const SigningScope& scope, const std::string& time) {
  return time.substr(0, 8) + "/" + scope.region + "/" + scope.service + "/aws4_request";
}

std::string Signature(const std::string& canonical_request, const Credentials& credentials, const SigningScope& scope,
                      const std::string& time) {
  const std::string to_sign = std::string(kAlgorithm) + "\n" + time + "\n" + ScopeText(scope, time) + "\n" +
                              ToHex(Sha256(std::string_view(canonical_request)));
  Sha256Digest key = HmacSha256("AWS4" + credentials.secret_access_key, time.substr(0, 8));
  for (const std::string_view step :
       {std::string_view(scope.region), std::string_view(scope.service), std::string_view("aws4_request")}) {
    key = HmacSha256(key, step);
  }
  return ToHex(HmacSha256(key, to_sign));
}

}  // namespace

void SignRequest(HttpRequest* request, const Credentials& credentials, const SigningScope& scope, Timestamp now,
                 std::string_view payload_hash) {
  if (credentials.anonymous()) return;
  const std::string time = FormatBasicTime(now);
  HttpHeaders& headers = request->headers;
  headers.Set("x-amz-date", time);
  headers.Remove("x-amz-security-token");
  if (!credentials.session_token.empty()) headers.Add("x-amz-security-token", credentials.session_token);
  if (scope.service == "s3") headers.Set("x-amz-content-sha256", std::string(payload_hash));
  const SignedHeaders to_sign = HeadersToSign(headers, request->url);
  const std::string signature =
      Signature(CanonicalRequest(request->method, request->url, to_sign, payload_hash), credentials, scope, time);
  headers.Set("Authorization", std::string(kAlgorithm) + " Credential=" + credentials.access_key_id + "/" +
                                   ScopeText(scope, time) + ",SignedHeaders=" + NamesOf(to_sign) +
                                   ",Signature=" + signature);
}

Result<HttpUrl> PresignUrl(std::string_view method, const HttpUrl& url, const Credentials& credentials,
                           const SigningScope& scope, Timestamp now, std::chrono::seconds valid_for) {
  constexpr std::chrono::seconds kLongest = std::chrono::hours(7 * 24);
  if (credentials.anonymous()) return MakeError(ErrorKind::kInvalid, "anonymous credentials cannot sign a URL");
  if (valid_for < std::chrono::seconds(1) || valid_for > kLongest) {
    return MakeError(ErrorKind::kInvalid, "a signed URL can be valid for 1 to " + std::to_string(kLongest.count()) +
                                              " seconds, not " + std::to_string(valid_for.count()));
  }
  const std::string time = FormatBasicTime(now);
  const SignedHeaders headers = HeadersToSign({}, url);
  std::vector<std::pair<std::string, std::string>> parameters = {
      {"X-Amz-Algorithm", std::string(kAlgorithm)},
      {"X-Amz-Credential", credentials.access_key_id + "/" + ScopeText(scope, time)},
      {"X-Amz-Date", time},
      {"X-Amz-Expires", std::to_string(valid_for.count())},
      {"X-Amz-SignedHeaders", NamesOf(headers)}};
  if (!credentials.session_token.empty()) parameters.emplace_back("X-Amz-Security-Token", credentials.session_token);
  HttpUrl presigned = url;
  if (!presigned.query.empty()) presigned.query += '&';
  presigned.query += EncodeQuery(std::move(parameters));
  const std::string payload_hash(scope.service == "s3" ? kUnsignedPayload : kEmptyPayloadHash);
  presigned.query += "&X-Amz-Signature=" +
                     Signature(CanonicalRequest(method, presigned, headers, payload_hash), credentials, scope, time);
  return presigned;
}

}  // namespace tailrace
