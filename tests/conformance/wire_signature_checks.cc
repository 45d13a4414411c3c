// How servers check who asks, when, for where, and for which bytes.
#include <utility>

#include "tests/conformance/wire_checks.h"

namespace tailrace {
namespace {

Timestamp Now() { return std::chrono::round<std::chrono::microseconds>(std::chrono::system_clock::now()); }

std::string PutAs(S3Wire& wire, const SignedAs& how, bool ask_first = false) {
  HttpRequest request = wire.PutRequest(wire.NewKey(), "hello");
  request.expect_continue = ask_first;
  return wire.Ask(request, how);
}

SignedAs WithKeys(const S3Wire& wire, const std::function<void(Credentials*)>& change) {
  SignedAs how{.credentials = wire.credentials()};
  change(&*how.credentials);
  return how;
}

std::string WrongSecret(S3Wire& wire) {
  return PutAs(wire, WithKeys(wire, [](Credentials* keys) { keys->secret_access_key += "x"; }));
}

std::string WrongSecretAskedFirst(S3Wire& wire) {
  return PutAs(wire, WithKeys(wire, [](Credentials* keys) { keys->secret_access_key += "x"; }), /*ask_first=*/true);
}

std::string UnknownKey(S3Wire& wire) {
  return PutAs(wire, WithKeys(wire, [](Credentials* keys) { keys->access_key_id = "AKIDNOBODYHERE000000"; }));
}

std::string InventedToken(S3Wire& wire) {
  return PutAs(wire, WithKeys(wire, [](Credentials* keys) { keys->session_token = "invented"; }));
}

// And the region that the answer names.
std::string WrongRegion(S3Wire& wire) {
  const HttpResponse answer = wire.Send(wire.PutRequest(wire.NewKey(), "hello"), {.region = "eu-west-9"});
  const std::optional<S3ErrorBody> body = ParseErrorBody(answer.body);
  std::string words = S3Wire::WordsOf(answer);
  if (answer.status == 200) return words;
  words += ", " + (body && !body->region.empty() ? body->region : "no region");
  return words + (answer.headers.Get("x-amz-bucket-region") ? ", in a header too" : "");
}

std::string VirtualHost(S3Wire& wire) {
  const std::string key = wire.NewKey();
  wire.Put(key, "hello");
  S3Place& place = wire.settings.place;
  const size_t at = place.endpoint.find("127.0.0.1");
  place.endpoint.replace(at, 9, "localhost");
  place.virtual_host = true;
  const std::string words = S3Wire::WordsOf(wire.Send(GetObjectRequest(wire.settings, key, 0, 5, "")));
  place.endpoint.replace(at, 9, "127.0.0.1");
  place.virtual_host = false;
  return words;
}

std::string Presigned(S3Wire& wire, HttpRequest request) {
  wire.Address(&request);
  request.headers = {};
  request.url = PresignUrl(request.method, request.url, wire.credentials(), {.region = wire.region()}, Now(),
                           std::chrono::minutes(5))
                    .ValueOrDie();
  return S3Wire::WordsOf(wire.SendAsItIs(request));
}

std::string PresignedPut(S3Wire& wire) { return Presigned(wire, wire.PutRequest(wire.NewKey(), "hello")); }

std::string PresignedGet(S3Wire& wire) {
  const std::string key = wire.NewKey();
  wire.Put(key, "hello");
  return Presigned(wire, GetObjectRequest(wire.settings, key, 0, 5, ""));
}

std::string PresignedPart(S3Wire& wire) { return Presigned(wire, wire.PartRequest(wire.Begin({}), 1, "hello")); }

std::string WithHash(S3Wire& wire, const std::string& of) {
  return PutAs(wire, {.payload_hash = Sha256Hex(ByteSlices(ByteSlice::Copy(of)))});
}

}  // namespace

std::vector<WireCheck> SignatureChecks() {
  return {
      {"signed: unsigned payload", "200", [](S3Wire& wire) { return PutAs(wire, {}); }},
      {"signed: payload's hash", "200", [](S3Wire& wire) { return WithHash(wire, "hello"); }},
      {"signed: another payload's hash", "400 XAmzContentSHA256Mismatch",
       [](S3Wire& wire) { return WithHash(wire, "other"); }},
      {"signed: wrong secret", "403 SignatureDoesNotMatch", WrongSecret},
      {"signed: wrong secret, asked first", "403 SignatureDoesNotMatch", WrongSecretAskedFirst},
      {"signed: unknown key", "403 InvalidAccessKeyId", UnknownKey},
      {"signed: invented session token", "400 InvalidToken", InventedToken},
      {"signed: an hour late", "403 RequestTimeTooSkewed",
       [](S3Wire& wire) { return PutAs(wire, {.clock_offset = std::chrono::hours(-1)}); }},
      {"signed: another region", "400 AuthorizationHeaderMalformed, us-east-1", WrongRegion},
      {"signed: virtual host", "206", VirtualHost},
      {"signed: presigned PUT", "200", PresignedPut},
      {"signed: presigned GET", "200", PresignedGet},
      {"signed: presigned part", "200", PresignedPart},
  };
}

}  // namespace tailrace
