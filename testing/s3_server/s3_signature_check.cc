#include "testing/s3_server/s3_signature_check.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <set>
#include <utility>

#include "testing/s3_server/s3_digests.h"

namespace tailrace {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

struct Claim {
  std::string access_key_id, date, region, service, terminator;
  std::string signed_headers, signature;
  std::string time;  // 20260102T030405Z
  std::string token;
  std::string payload_hash;
  int64_t valid_s = 0;  // of a presigned URL
};

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return pieces;
}

std::optional<Timestamp> ParseTime(const std::string& text) {
  std::tm parts{};
  const char* const end = ::strptime(text.c_str(), "%Y%m%dT%H%M%SZ", &parts);
  if (end == nullptr || *end != '\0' || text.size() != 16) return std::nullopt;
  return Timestamp(std::chrono::seconds(::timegm(&parts)));
}

// The text behind "Name=" in the Authorization header.
std::string Field(const std::string& header, const std::string& name) {
  const size_t at = header.find(name + "=");
  if (at == header.npos) return {};
  const size_t begin = at + name.size() + 1;
  return header.substr(begin, std::min(header.find(',', begin), header.size()) - begin);
}

bool TakeScope(const std::string& credential, Claim* claim) {
  // The key itself may hold a slash; the scope has four pieces.
  std::vector<std::string> pieces = Split(credential, '/');
  if (pieces.size() < 5) return false;
  claim->terminator = pieces.back();
  claim->service = pieces[pieces.size() - 2];
  claim->region = pieces[pieces.size() - 3];
  claim->date = pieces[pieces.size() - 4];
  pieces.resize(pieces.size() - 4);
  for (const std::string& piece : pieces) claim->access_key_id += (claim->access_key_id.empty() ? "" : "/") + piece;
  return true;
}

std::variant<Claim, S3Error> ClaimOf(const S3Call& call) {
  const S3Error malformed{400, "AuthorizationHeaderMalformed", "The authorization header is malformed."};
  Claim claim;
  if (call.presigned()) {
    claim.signed_headers = call.Query("X-Amz-SignedHeaders");
    claim.signature = call.Query("X-Amz-Signature");
    claim.time = call.Query("X-Amz-Date");
    claim.token = call.Query("X-Amz-Security-Token");
    claim.payload_hash = "UNSIGNED-PAYLOAD";
    claim.valid_s = std::atoll(call.Query("X-Amz-Expires").c_str());
    if (call.Query("X-Amz-Algorithm") != kAlgorithm || !TakeScope(call.Query("X-Amz-Credential"), &claim) ||
        claim.valid_s < 1 || claim.valid_s > 7 * 86400) {
      return S3Error{400, "AuthorizationQueryParametersError", "The presigned query is malformed."};
    }
    return claim;
  }
  const std::string header = call.Header("authorization");
  if (!header.starts_with(std::string(kAlgorithm) + " ")) return malformed;
  claim.signed_headers = Field(header, "SignedHeaders");
  claim.signature = Field(header, "Signature");
  claim.time = call.Header("x-amz-date");
  claim.token = call.Header("x-amz-security-token");
  claim.payload_hash = call.Header("x-amz-content-sha256");
  if (!TakeScope(Field(header, "Credential"), &claim)) return malformed;
  if (claim.payload_hash.empty()) {
    return S3Error{400, "MissingSecurityHeader", "Your request is missing x-amz-content-sha256."};
  }
  return claim;
}

// Blanks at the ends go, runs of them inside become one.
std::string Trimmed(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == ' ' && (text.empty() || text.back() == ' ')) continue;
    text += c;
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string CanonicalQuery(const S3Call& call) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [name, value] : call.query) {
    if (name != "X-Amz-Signature") pairs.emplace_back(PercentEncode(name, false), PercentEncode(value, false));
  }
  std::sort(pairs.begin(), pairs.end());
  std::string text;
  for (const auto& [name, value] : pairs) text += (text.empty() ? "" : "&") + name + "=" + value;
  return text;
}

std::string ExpectedSignature(const S3Call& call, const Claim& claim, const std::string& secret) {
  std::string canonical = call.method + "\n" + call.raw_path + "\n" + CanonicalQuery(call) + "\n";
  for (const std::string& name : Split(claim.signed_headers, ';')) {
    canonical += name + ":" + Trimmed(call.Header(name)) + "\n";
  }
  canonical += "\n" + claim.signed_headers + "\n" + claim.payload_hash;
  const std::string scope = claim.date + "/" + claim.region + "/" + claim.service + "/aws4_request";
  const std::string to_sign =
      std::string(kAlgorithm) + "\n" + claim.time + "\n" + scope + "\n" + HexOf(Sha256Of(canonical));
  std::string key = HmacSha256("AWS4" + secret, claim.date);
  for (const std::string& piece : {claim.region, claim.service, std::string("aws4_request")}) {
    key = HmacSha256(key, piece);
  }
  return HexOf(HmacSha256(key, to_sign));
}

// The names of headers that must be signed and are not, or are listed wrongly.
std::optional<S3Error> CheckSignedHeaders(const S3Call& call, const Claim& claim) {
  const std::vector<std::string> listed = Split(claim.signed_headers, ';');
  const std::set<std::string> signed_names(listed.begin(), listed.end());
  if (!std::is_sorted(listed.begin(), listed.end()) || signed_names.size() != listed.size()) {
    return S3Error{400, "AuthorizationHeaderMalformed", "SignedHeaders is not sorted or names one twice."};
  }
  for (const auto& [name, value] : call.headers.fields()) {
    const std::string lower = Lower(name);
    const bool must =
        lower == "host" || lower == "content-type" || lower == "content-md5" || lower.starts_with("x-amz-");
    if (must && !signed_names.contains(lower)) {
      return S3Error{403, "AccessDenied", "There were headers present in the request which were not signed: " + lower};
    }
  }
  if (!signed_names.contains("host")) return S3Error{403, "AccessDenied", "The Host header is not signed."};
  return std::nullopt;
}

S3Error WrongRegion(const S3Call& call, const S3SignatureRules& rules, const Claim& claim) {
  const std::string said = "the region '" + claim.region + "' is wrong; expecting '" + rules.region + "'";
  switch (rules.wrong_region) {
    case WrongRegionAnswer::kMalformed400:
      return {400,
              "AuthorizationHeaderMalformed",
              "The authorization header is malformed; " + said,
              {{"Region", rules.region}}};
    case WrongRegionAnswer::kRedirect301:
      return {301,
              "PermanentRedirect",
              "The bucket must be addressed using the specified endpoint.",
              {{"Endpoint", call.Header("host")}},
              HttpHeaders{{"x-amz-bucket-region", rules.region}}};
    case WrongRegionAnswer::kRedirect307:
      return {307,
              "TemporaryRedirect",
              "Please re-send this request to the specified temporary endpoint.",
              {{"Endpoint", call.Header("host")}},
              HttpHeaders{{"x-amz-bucket-region", rules.region},
                          {"Location", "http://" + call.Header("host") + call.raw_path +
                                           (call.raw_query.empty() ? "" : "?" + call.raw_query)}}};
    case WrongRegionAnswer::kMalformedNoRegion:
      break;
  }
  return {400, "AuthorizationHeaderMalformed", "The authorization header is malformed."};
}

std::optional<S3Error> CheckTime(const Claim& claim, bool presigned, Timestamp now) {
  const auto time = ParseTime(claim.time);
  if (!time) return S3Error{403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header"};
  if (claim.time.substr(0, 8) != claim.date) {
    return S3Error{400, "AuthorizationHeaderMalformed", "The date of the scope is not that of the request."};
  }
  if (presigned && now > *time + std::chrono::seconds(claim.valid_s)) {
    return S3Error{403, "AccessDenied", "Request has expired"};
  }
  if ((!presigned && now > *time + std::chrono::minutes(15)) || *time > now + std::chrono::minutes(15)) {
    return S3Error{403,
                   "RequestTimeTooSkewed",
                   "The difference between the request time and the current time is too large.",
                   {{"RequestTime", claim.time}, {"MaxAllowedSkewMilliseconds", "900000"}}};
  }
  return std::nullopt;
}

std::optional<S3Error> CheckPayload(const S3Call& call, const Claim& claim) {
  if (claim.payload_hash == "UNSIGNED-PAYLOAD") return std::nullopt;
  if (claim.payload_hash.starts_with("STREAMING-")) {
    return S3Error{501, "NotImplemented", "aws-chunked bodies are not implemented here."};
  }
  if (claim.payload_hash == HexOf(Sha256Of(call.body))) return std::nullopt;
  return S3Error{400, "XAmzContentSHA256Mismatch",
                 "The provided 'x-amz-content-sha256' header does not match what was computed."};
}

std::optional<S3Error> CheckClaim(const S3Call& call, const Claim& claim, const S3SignatureRules& rules,
                                  Timestamp now) {
  if (claim.service != "s3" || claim.terminator != "aws4_request") {
    return S3Error{400, "AuthorizationHeaderMalformed", "The scope does not end in s3/aws4_request."};
  }
  const auto key = std::find_if(rules.keys.begin(), rules.keys.end(),
                                [&](const S3Key& known) { return known.access_key_id == claim.access_key_id; });
  if (key == rules.keys.end()) {
    return S3Error{403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records."};
  }
  if (auto error = CheckTime(claim, call.presigned(), now)) return error;
  if (claim.region != rules.region) return WrongRegion(call, rules, claim);
  if (auto error = CheckSignedHeaders(call, claim)) return error;
  if (claim.signature != ExpectedSignature(call, claim, key->secret_access_key)) {
    return S3Error{403, "SignatureDoesNotMatch",
                   "The request signature we calculated does not match the signature "
                   "you provided. Check your key and signing method."};
  }
  if (key->expired) return S3Error{400, "ExpiredToken", "The provided token has expired."};
  if (claim.token != key->session_token) {
    return S3Error{400, "InvalidToken", "The provided token is malformed or otherwise invalid."};
  }
  if (std::find(key->denied.begin(), key->denied.end(), call.operation) != key->denied.end()) {
    return S3Error{403, "AccessDenied", "Access Denied"};
  }
  return CheckPayload(call, claim);
}

}  // namespace

std::optional<S3Error> CheckSignature(const S3Call& call, const S3SignatureRules& rules, Timestamp now) {
  if (!call.presigned() && !call.HasHeader("authorization")) {
    if (rules.allow_anonymous) return std::nullopt;
    return S3Error{403, "AccessDenied", "Access Denied"};
  }
  auto claim = ClaimOf(call);
  if (auto* const error = std::get_if<S3Error>(&claim)) return *error;
  return CheckClaim(call, std::get<Claim>(claim), rules, now);
}

}  // namespace tailrace
