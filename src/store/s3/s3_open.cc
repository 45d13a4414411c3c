#include "store/s3/s3_open.h"

#include <utility>

#include "auth/credentials.h"
#include "http/request_trace.h"
#include "store/s3/s3_resolve.h"
#include "store/s3/s3_settings.h"
#include "store/s3/s3_store.h"

namespace tailrace {
namespace {

Credentials CredentialsFrom(const S3Credentials& given) {
  return {.access_key_id = given.access_key_id,
          .secret_access_key = given.secret_access_key,
          .session_token = given.session_token,
          .expires = given.expires};
}

Status CheckOneWay(const S3Options& options) {
  const int ways = (options.anonymous ? 1 : 0) + (options.credentials ? 1 : 0) +
                   (options.credentials_callback ? 1 : 0) + (options.profile.empty() ? 0 : 1);
  if (ways > 1) {
    return MakeError(ErrorKind::kInvalid,
                     "S3 options: at most one of anonymous, credentials, credentials_callback and profile");
  }
  if (options.credentials &&
      (options.credentials->access_key_id.empty() || options.credentials->secret_access_key.empty())) {
    return MakeError(ErrorKind::kInvalid, "S3 option credentials: access_key_id and secret_access_key are both needed");
  }
  return Status::OK();
}

// R2's own variables, which come before AWS's in its case alone.
std::optional<Credentials> R2Credentials(const S3Place& place, const Environment& environment) {
  if (place.dialect != S3Dialect::kR2) return std::nullopt;
  const auto id = environment("R2_ACCESS_KEY_ID"), secret = environment("R2_SECRET_ACCESS_KEY");
  if (!id || !secret || id->empty() || secret->empty()) return std::nullopt;
  return Credentials{.access_key_id = *id, .secret_access_key = *secret};
}

std::shared_ptr<CredentialsProvider> ProviderFor(const S3Place& place, const S3Options& options,
                                                 const Environment& environment, CredentialSources sources) {
  if (options.anonymous) return AnonymousCredentials();
  if (options.credentials) return StaticCredentials(CredentialsFrom(*options.credentials));
  if (options.credentials_callback) {
    auto fetch = [callback = options.credentials_callback]() -> Result<Credentials> {
      ARROW_ASSIGN_OR_RAISE(const S3Credentials given, callback());
      return CredentialsFrom(given);
    };
    return RefreshingCredentials("credentials_callback", std::move(fetch), Clock::System());
  }
  if (options.profile.empty()) {
    if (std::optional<Credentials> own = R2Credentials(place, environment)) return StaticCredentials(*std::move(own));
  }
  return DefaultCredentialChain(std::move(sources));
}

Result<std::shared_ptr<HttpTransport>> TransportFor(const S3Options& options, const Environment& environment) {
  ARROW_RETURN_NOT_OK(CheckNumbers(options));
  CurlOptions curl;
  curl.max_connections = options.max_connections;
  curl.http2 = options.http2;
  curl.ca_file = options.ca_file;
  curl.proxy = options.proxy;
  curl.no_proxy = options.no_proxy;
  curl.environment = environment;
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<HttpTransport> transport, MakeCurlTransport(curl));
  return TraceIfAsked(std::move(transport), environment);
}

S3ClientOptions ClientOptionsFor(const S3Options& options) {
  S3ClientOptions client;
  client.retry.max_attempts = options.max_attempts;
  client.retry.timeout = options.retry_timeout;
  client.timeouts.connect = options.connect_timeout;
  client.timeouts.idle = options.request_timeout;
  client.timeouts.first_answer = options.request_timeout;
  client.slow_answer = options.complete_timeout;
  client.sign_payload = options.sign_payload;
  client.max_requests = options.max_connections;
  return client;
}

CredentialSources SourcesFor(const S3Options& options, const Environment& environment,
                             std::shared_ptr<HttpTransport> transport) {
  CredentialSources sources = CredentialSources::System(std::move(transport));
  sources.environment = environment;
  sources.profile = options.profile;
  return sources;
}

Result<StoreAndKey> Open(S3Place place, std::string key, const StoreOptions& options, const Environment& environment,
                         std::shared_ptr<HttpTransport> transport) {
  S3StoreSetup setup{.checksum_is_asked = options.s3.checksum.has_value(), .limits = options.limits};
  if (options.profile) {
    ARROW_RETURN_NOT_OK(options.profile->CheckIsFor(place.TargetOf(key)));
    if (!setup.limits) setup.limits = options.profile->limits;
    setup.probed_checksum = options.profile->checksum;
  }
  ARROW_ASSIGN_OR_RAISE(setup.settings, SettingsOf(std::move(place), options.s3));
  setup.client = ClientOptionsFor(options.s3);
  setup.client.credentials =
      ProviderFor(setup.settings.place, options.s3, environment, SourcesFor(options.s3, environment, transport));
  setup.client.transport = std::move(transport);
  return StoreAndKey{S3Store::Make(std::move(setup)), std::move(key)};
}

}  // namespace

Result<StoreAndKey> OpenS3Url(const std::string& url, const StoreOptions& options, const Environment& environment) {
  ARROW_RETURN_NOT_OK(CheckOneWay(options.s3));
  ARROW_ASSIGN_OR_RAISE(const S3Url parsed, ParseS3Url(url));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<HttpTransport> transport, TransportFor(options.s3, environment));
  const S3ProfileWords profile{
      .region = [&] { return DefaultRegion(SourcesFor(options.s3, environment, transport)); },
      .endpoint = [&] { return DefaultEndpoint(SourcesFor(options.s3, environment, transport), "s3"); }};
  ARROW_ASSIGN_OR_RAISE(S3Place place, ResolveS3Place(parsed, options.s3, environment, profile));
  return Open(std::move(place), parsed.key, options, environment, transport);
}

Result<StoreAndKey> OpenS3Target(const Target& target, const StoreOptions& options, const Environment& environment) {
  ARROW_RETURN_NOT_OK(CheckOneWay(options.s3));
  ARROW_ASSIGN_OR_RAISE(S3Place place, S3Place::OfTarget(target));
  if (place.endpoint.starts_with("http://") && !options.s3.allow_http) {
    return MakeError(ErrorKind::kInvalid,
                     "the endpoint " + place.endpoint + " is plain http, which allow_http refuses");
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<HttpTransport> transport, TransportFor(options.s3, environment));
  return Open(std::move(place), target.key, options, environment, transport);
}

}  // namespace tailrace
