#include "store/s3/s3_place.h"

#include <algorithm>
#include <array>

#include "auth/sigv4.h"

namespace tailrace {
namespace {

constexpr std::string_view kAwsSuffix = ".amazonaws.com";
constexpr std::string_view kAwsChinaSuffix = ".amazonaws.com.cn";
constexpr std::string_view kR2Suffix = ".r2.cloudflarestorage.com";
constexpr std::string_view kGcsHost = "storage.googleapis.com";

bool IsLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// "eu-west-1", "us-gov-east-1", "cn-north-1"
bool LooksLikeRegion(std::string_view text) {
  return std::count(text.begin(), text.end(), '-') >= 2 && text.back() >= '0' && text.back() <= '9' &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsLowerOrDigit(c) || c == '-'; });
}

// Letters of a path that are the same encoded and not, no empty and no dot segments: what is signed is then what
// arrives. `path` begins with '/' and does not end in one.
bool IsPlainPath(std::string_view path) {
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    if (segment.empty() || segment.find_first_not_of('.') == segment.npos) return false;
    if (UriEncode(segment, false) != segment) return false;
    path.remove_prefix(segment.size());
  }
  return true;
}

Status BadEndpoint(std::string_view why) {
  return MakeError(ErrorKind::kInvalid,
                   "S3 endpoint: " + std::string(why) + "; it looks like https://host or http://host:port");
}

}  // namespace

std::string S3Place::FirstRegion() const {
  if (!region.empty()) return region;
  return dialect == S3Dialect::kR2 || dialect == S3Dialect::kGcs ? "auto" : "us-east-1";
}

HttpUrl S3Place::BaseUrl(const std::string& of_region) const {
  HttpUrl url;
  if (endpoint.empty()) {
    url.scheme = "https";
    url.host = AwsHost{}.In(of_region);
  } else {
    url = HttpUrl::Parse(endpoint).ValueOr(HttpUrl{});  // was parsed when the place was made
    const std::optional<AwsHost> aws = of_region == FirstRegion() ? std::nullopt : ParseAwsHost(url.host);
    if (aws) url.host = aws->In(of_region);
  }
  if (virtual_host) url.host = bucket + "." + url.host;
  url.path = "/";
  return url;
}

std::string S3Place::PathBefore() const {
  if (endpoint.empty()) return {};
  const std::string path = HttpUrl::Parse(endpoint).ValueOr(HttpUrl{}).path;
  return path == "/" ? "" : path;
}

std::string S3Place::PathOf(const std::string& key) const {
  return PathBefore() + (virtual_host ? "/" : "/" + UriEncode(bucket, false) + "/") + UriEncode(key, true);
}

std::string S3Place::BucketPath() const { return PathBefore() + (virtual_host ? "/" : "/" + UriEncode(bucket, false)); }

Target S3Place::TargetOf(const std::string& key) const {
  return {.kind = "s3",
          .endpoint = endpoint,
          .region = region,
          .addressing = virtual_host ? "virtual" : "path",
          .bucket = bucket,
          .key = key};
}

Result<S3Place> S3Place::OfTarget(const Target& target) {
  if (target.kind != "s3") return MakeError(ErrorKind::kBadState, "target of kind '" + target.kind + "' is not in S3");
  if (target.bucket.empty()) return MakeError(ErrorKind::kBadState, "target.bucket: empty");
  if (target.addressing != "virtual" && target.addressing != "path") {
    return MakeError(ErrorKind::kBadState,
                     "target.addressing: '" + target.addressing + "' is neither virtual nor path");
  }
  S3Place place{.endpoint = target.endpoint,
                .region = target.region,
                .virtual_host = target.addressing == "virtual",
                .bucket = target.bucket};
  if (!target.endpoint.empty()) {
    Result<S3Endpoint> endpoint = ParseS3Endpoint(target.endpoint);
    if (!endpoint.ok()) return MakeError(ErrorKind::kBadState, "target.endpoint: " + endpoint.status().message());
    place.endpoint = endpoint->text;
    place.dialect = endpoint->dialect;
  }
  return place;
}

std::optional<AwsHost> ParseAwsHost(std::string_view host) {
  const std::string_view suffix = host.ends_with(kAwsChinaSuffix) ? kAwsChinaSuffix : kAwsSuffix;
  if (!host.ends_with(suffix)) return std::nullopt;
  host.remove_suffix(suffix.size());
  if (host == "s3" || host == "s3-external-1") return AwsHost{.plain = host == "s3"};
  constexpr std::array<std::string_view, 5> kPrefixes = {"s3.dualstack.", "s3-fips.dualstack.", "s3-fips.", "s3.",
                                                         "s3-"};
  for (std::string_view prefix : kPrefixes) {
    if (!host.starts_with(prefix)) continue;
    const std::string_view region = host.substr(prefix.size());
    if (!LooksLikeRegion(region)) continue;
    const bool plain = prefix == "s3." || prefix == "s3-";
    return AwsHost{.plain = plain, .region = std::string(region), .before = std::string(plain ? "s3." : prefix)};
  }
  return std::nullopt;
}

std::string AwsHost::In(const std::string& other_region) const {
  const bool china = other_region.starts_with("cn-");
  return before + other_region + std::string(china ? kAwsChinaSuffix : kAwsSuffix);
}

Result<S3Endpoint> ParseS3Endpoint(std::string_view text) {
  Result<HttpUrl> parsed = HttpUrl::Parse(text);
  if (!parsed.ok()) return BadEndpoint(parsed.status().message());
  std::string path = parsed->path;
  while (path.ends_with('/')) path.pop_back();
  if (!parsed->query.empty()) return BadEndpoint("it has a query");
  if (!IsPlainPath(path)) return BadEndpoint("its path holds more than letters, digits, '-', '_', '.', '~' and '/'");
  S3Endpoint endpoint{.text = parsed->scheme + "://" + parsed->Authority() + path};
  if (std::optional<AwsHost> aws = ParseAwsHost(parsed->host)) {
    endpoint.dialect = S3Dialect::kAws;
    endpoint.region = aws->region;
    if (aws->plain && parsed->scheme == "https" && parsed->port == 0 && path.empty()) endpoint.text.clear();
  } else if (parsed->host.ends_with(kR2Suffix)) {
    endpoint.dialect = S3Dialect::kR2;
  } else if (parsed->host == kGcsHost) {
    endpoint.dialect = S3Dialect::kGcs;
  }
  return endpoint;
}

bool IsAddress(std::string_view host) {
  return host.find(':') != host.npos || host.find_first_not_of("0123456789.") == host.npos;
}

bool IsHostLabel(std::string_view bucket) {
  return bucket.size() >= 3 && bucket.size() <= 63 && IsLowerOrDigit(bucket.front()) && IsLowerOrDigit(bucket.back()) &&
         std::all_of(bucket.begin(), bucket.end(), [](char c) { return IsLowerOrDigit(c) || c == '-'; });
}

}  // namespace tailrace
