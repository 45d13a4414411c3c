// Verifies AWS Signature Version 4, written from S3's reference ("Authenticating Requests") and sharing nothing with
// the library's signer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tailrace/object.h"
#include "testing/s3_server/s3_call.h"

namespace tailrace {

// A key pair that the server knows.
struct S3Key {
  std::string access_key_id = "AKIDTAILRACETEST";
  std::string secret_access_key = "tailrace/test+secret";
  std::string session_token;  // must then come with each request
  bool expired = false;       // answered with ExpiredToken
  // What this user may not do: names of operations, AccessDenied.
  std::vector<std::string> denied;
};

// How a request signed for another region is answered.
enum class WrongRegionAnswer {
  kMalformed400,      // AuthorizationHeaderMalformed with a Region element
  kRedirect301,       // PermanentRedirect, without Location, the region in a header
  kRedirect307,       // TemporaryRedirect with Location and the region in a header
  kMalformedNoRegion  // 400 that names no region anywhere
};

struct S3SignatureRules {
  std::vector<S3Key> keys;
  std::string region = "us-east-1";
  WrongRegionAnswer wrong_region = WrongRegionAnswer::kMalformed400;
  bool allow_anonymous = false;
};

// nullopt where header or query signature are right and nothing speaks against it; the payload's hash is compared too.
// Stricter than S3: every x-amz header, Content-Type and Content-MD5 must be signed.
std::optional<S3Error> CheckSignature(const S3Call& call, const S3SignatureRules& rules, Timestamp now);

}  // namespace tailrace
