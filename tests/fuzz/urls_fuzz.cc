// URLs of targets and endpoints.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/transport.h"
#include "store/s3/s3_place.h"
#include "store/s3/s3_resolve.h"
#include "store/s3/s3_url.h"
#include "store/store_url.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace {
namespace {

void CheckHttp(std::string_view text) {
  const auto url = HttpUrl::Parse(text);
  if (!url.ok()) return;
  FuzzCheck(url->port >= 0 && url->port <= 65535, "ports are in their range");
  FuzzCheck(url->path.starts_with('/'), "a path begins with a slash");
  const auto again = HttpUrl::Parse(url->ToString());
  FuzzCheck(again.ok() && *again == *url, "what is written is read again");
}

void CheckLocal(std::string_view text) {
  const auto key = LocalKeyOf(text, "/home/me");
  if (!key.ok()) return;
  const std::string framed = "/" + *key + "/";
  FuzzCheck(!key->empty() && framed.find("//") == framed.npos, "no empty segment");
  FuzzCheck(framed.find("/../") == framed.npos && framed.find("/./") == framed.npos, "no dot segment");
  FuzzCheck(key->find('\0') == key->npos, "no NUL");
  const auto again = LocalKeyOf("/" + *key, "/home/me");
  FuzzCheck(again.ok() && *again == *key, "a key is its own path");
  const auto url = LocalKeyOf(Target{.kind = "file", .key = *key}.ToUrl(), "/home/me");
  FuzzCheck(url.ok() && *url == *key, "the URL of a target is read again");
}

// Everything that a request to this place is made of.
void CheckPlace(const S3Place& place, const std::string& key) {
  const HttpUrl base = place.BaseUrl(place.FirstRegion());
  const auto reparsed = HttpUrl::Parse(base.ToString());
  FuzzCheck(reparsed.ok() && *reparsed == base, "requests go to a URL");
  const std::string path = place.PathOf(key);
  FuzzCheck(path.starts_with('/'), "a path begins with a slash");
  FuzzCheck(path.find_first_of(std::string_view(" ?#\r\n\0", 6)) == path.npos, "a path is encoded");
}

void CheckS3(std::string_view text) {
  const auto url = ParseS3Url(text);
  if (!url.ok()) return;
  FuzzCheck(LooksLikeS3Url(text), "what can be read looks like it");
  FuzzCheck(!url->bucket.empty() && !url->key.starts_with('/') && url->key.size() <= 1024, "bucket and key are sound");
  const auto nobody = [](const std::string&) { return std::optional<std::string>(); };
  const auto place = ResolveS3Place(*url, {}, nobody, {});
  if (!place.ok()) return;
  CheckPlace(*place, url->key);
  const Target target = place->TargetOf(url->key);
  const auto again = S3Place::OfTarget(target);
  FuzzCheck(again.ok() && again->TargetOf(url->key) == target, "a target leads back to its place");
  CheckPlace(*again, url->key);
  const auto reread = ParseS3Url(target.ToUrl());
  FuzzCheck(reread.ok() && reread->bucket == url->bucket && reread->key == url->key, "a target's URL names its object");
}

void CheckEndpoint(std::string_view text) {
  const auto endpoint = ParseS3Endpoint(text);
  if (!endpoint.ok() || endpoint->text.empty()) return;
  const auto again = ParseS3Endpoint(endpoint->text);
  FuzzCheck(again.ok() && again->text == endpoint->text && again->dialect == endpoint->dialect, "it is canonical");
}

}  // namespace
}  // namespace tailrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tailrace::CheckHttp(text);
  tailrace::CheckLocal(text);
  tailrace::CheckS3(text);
  tailrace::CheckEndpoint(text);
  tailrace::ParseAwsHost(text);
  return 0;
}
