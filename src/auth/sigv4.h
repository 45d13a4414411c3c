// AWS Signature Version 4: pure functions of request, credentials and time.
// Source: AWS General Reference, "Signature Version 4 signing process"; S3 API, "Authenticating Requests".
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "auth/credential_value.h"
#include "auth/sha256.h"
#include "auth/uri_encode.h"
#include "http/transport.h"
#include "tailrace/object.h"

namespace tailrace {

struct SigningScope {
  std::string region;
  std::string service = "s3";
};

inline constexpr std::string_view kUnsignedPayload = "UNSIGNED-PAYLOAD";
inline constexpr std::string_view kEmptyPayloadHash =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

// Sets x-amz-date, x-amz-security-token, for S3 x-amz-content-sha256, and Authorization, so that signing again replaces
// the old signature. Host is taken from the URL unless the request has that header. Nothing changes for anonymous
// credentials. Every header of the request is signed but those that a proxy may change (Expect, User-Agent, ...).
// The path is signed as it stands on the wire, encoded once, as S3 wants it; other services want it encoded twice,
// which makes no difference for "/", the only path that we call there. The query must be encoded as EncodeQuery does.
void SignRequest(HttpRequest* request, const Credentials& credentials, const SigningScope& scope, Timestamp now,
                 std::string_view payload_hash);

// The URL with a signature in its query that is good for `valid_for`: kInvalid for less than a second, more than
// 7 days, or anonymous credentials. Whoever holds it has the right: it is a secret.
Result<HttpUrl> PresignUrl(std::string_view method, const HttpUrl& url, const Credentials& credentials,
                           const SigningScope& scope, Timestamp now, std::chrono::seconds valid_for);

}  // namespace tailrace
