#include "store/s3/s3_resolve.h"

#include <initializer_list>

namespace tailrace {
namespace {

std::string FirstOf(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::optional<std::string> value = environment(name);
    if (value && !value->empty()) return *std::move(value);
  }
  return {};
}

// The endpoint of a URL that names none.
Result<S3Endpoint> EndpointFor(const S3Url& url, const S3Options& options, const Environment& environment,
                               const S3ProfileWords& profile) {
  if (!options.endpoint.empty()) return ParseS3Endpoint(options.endpoint);
  if (url.dialect == S3Dialect::kGcs) return ParseS3Endpoint("https://storage.googleapis.com");
  if (url.dialect == S3Dialect::kR2) {
    const std::string account = url.account.empty() ? FirstOf(environment, {"CLOUDFLARE_ACCOUNT_ID"}) : url.account;
    if (account.empty()) {
      return MakeError(ErrorKind::kInvalid,
                       "r2://" + url.bucket +
                           ": the account is missing: write r2://ACCOUNT@BUCKET/KEY or set CLOUDFLARE_ACCOUNT_ID");
    }
    return ParseS3Endpoint("https://" + account + ".r2.cloudflarestorage.com");
  }
  std::string text;
  if (environment("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS").value_or("") != "true") {
    text = FirstOf(environment, {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"});
    if (text.empty() && profile.endpoint) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<HttpUrl> said, profile.endpoint());
      if (said) text = said->ToString();
    }
  }
  if (text.empty()) return S3Endpoint{.text = {}, .dialect = S3Dialect::kAws, .region = {}};
  return ParseS3Endpoint(text);
}

bool WantsVirtualHost(const S3Url& url, const S3Options& options, const S3Place& place) {
  if (options.addressing == S3Addressing::kPath) return false;
  if (options.addressing == S3Addressing::kVirtualHost) return true;
  // A dot in the bucket does not match the store's TLS certificate.
  if (place.endpoint.starts_with("https") || place.endpoint.empty()) {
    if (!IsHostLabel(place.bucket)) return false;
  }
  return url.virtual_host.value_or(place.endpoint.empty());
}

}  // namespace

Result<S3Place> ResolveS3Place(const S3Url& url, const S3Options& options, const Environment& environment,
                               const S3ProfileWords& profile) {
  S3Place place{.bucket = url.bucket};
  S3Endpoint endpoint{.text = {}, .dialect = S3Dialect::kAws, .region = {}};
  if (!url.endpoint.empty()) {
    ARROW_ASSIGN_OR_RAISE(endpoint, ParseS3Endpoint(url.endpoint));
  } else if (!url.is_aws) {
    ARROW_ASSIGN_OR_RAISE(endpoint, EndpointFor(url, options, environment, profile));
  }
  if (endpoint.text.starts_with("http://") && !options.allow_http) {
    return MakeError(ErrorKind::kInvalid, "the endpoint " + endpoint.text + " is plain http, which allow_http refuses");
  }
  place.endpoint = endpoint.text;
  // An endpoint of its own, given for a URL of a service, is that service under another name.
  const bool renamed = endpoint.dialect == S3Dialect::kOther && url.dialect;
  place.dialect = renamed ? *url.dialect : endpoint.dialect;

  place.region = !url.region.empty() ? url.region : !options.region.empty() ? options.region : endpoint.region;
  const bool one_region = place.dialect == S3Dialect::kR2 || place.dialect == S3Dialect::kGcs;
  if (place.region.empty() && !one_region) {
    place.region = FirstOf(environment, {"AWS_REGION", "AWS_DEFAULT_REGION"});
    if (place.region.empty() && profile.region) place.region = profile.region().value_or("");
  }
  place.virtual_host = WantsVirtualHost(url, options, place);
  if (place.virtual_host && IsAddress(place.BaseUrl(place.FirstRegion()).host.substr(place.bucket.size() + 1))) {
    return MakeError(ErrorKind::kInvalid, "the bucket cannot stand before the address in " + place.endpoint +
                                              ": use path-style addressing, or the name of the host");
  }
  return place;
}

}  // namespace tailrace
