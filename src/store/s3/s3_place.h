// Where a bucket lives and how its objects are addressed. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <arrow/result.h>

#include "http/transport.h"
#include "tailrace/object.h"

namespace tailrace {

using arrow::Result;

// Which service answers; decides what is asked of it, never the bytes of an object.
enum class S3Dialect {
  kAws,
  kR2,     // Cloudflare R2
  kGcs,    // Google Cloud Storage through its XML API, with HMAC keys
  kOther,  // anything else that speaks S3
};

struct S3Place {
  S3Dialect dialect = S3Dialect::kAws;
  // "https://host[:port]", behind gateways also with a path: "https://host/s3"; empty for AWS itself, whose hosts
  // follow from the region.
  std::string endpoint;
  std::string region;  // as it was asked for; empty where nobody said
  bool virtual_host = false;
  std::string bucket;

  // What signatures begin with: `region`, or the service's usual one.
  std::string FirstRegion() const;
  // Scheme, host and port of the requests of a region, with path "/". AWS's hosts follow the region that the bucket
  // turns out to be in, dual-stack and FIPS ones too.
  HttpUrl BaseUrl(const std::string& of_region) const;
  // The path of a key on the wire, and that of the bucket itself, both behind the endpoint's own.
  std::string PathOf(const std::string& key) const;
  std::string BucketPath() const;

  // Region and endpoint as asked for, so that a redirect does not make it another target.
  Target TargetOf(const std::string& key) const;
  // kBadState where `target` is of another kind or not complete.
  static Result<S3Place> OfTarget(const Target& target);

 private:
  std::string PathBefore() const;
};

// An endpoint as a URL, checked: http or https, a host, a path that needs no encoding, no query. The dialect follows
// from its host.
struct S3Endpoint {
  std::string text;  // canonical; empty for AWS itself
  S3Dialect dialect = S3Dialect::kOther;
  std::string region;  // where the host names one
};
Result<S3Endpoint> ParseS3Endpoint(std::string_view text);

// What the host of an AWS endpoint tells: "s3.eu-west-1.amazonaws.com", "s3-eu-west-1...", "s3.amazonaws.com",
// "s3.dualstack.R...", also under amazonaws.com.cn. nullopt for any other host.
struct AwsHost {
  bool plain = false;          // the host that BaseUrl makes for its region
  std::string region;          // empty for "s3.amazonaws.com"
  std::string before = "s3.";  // the region; else "s3.dualstack.", "s3-fips.", ...
  // The host of the same kind in another region.
  std::string In(const std::string& other_region) const;
};
std::optional<AwsHost> ParseAwsHost(std::string_view host);

// An IPv4 or IPv6 address: nothing can stand before it as a name stands before another.
bool IsAddress(std::string_view host);

// May a bucket of this name be a label of a host name, under the TLS certificates that stores have?
bool IsHostLabel(std::string_view bucket);

}  // namespace tailrace
