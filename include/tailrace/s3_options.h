// How an S3 or S3-like store is reached, and what its objects are given. Secrets live here and nowhere else: neither a
// state nor a message ever holds one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <arrow/result.h>

#include "tailrace/object_options.h"

namespace tailrace {

enum class S3Addressing {
  kAuto,         // path style for an own endpoint and for buckets with dots, else virtual host
  kPath,         // https://endpoint/bucket/key
  kVirtualHost,  // https://bucket.endpoint/key
};

struct S3Encryption {
  S3EncryptionKind kind = S3EncryptionKind::kNone;
  std::string kms_key_id;    // of kSseKms; empty: the bucket's
  std::string customer_key;  // of kSseC: 32 bytes, a secret
};

struct S3Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;
  std::optional<Timestamp> expires;
};

struct S3Options {
  // "https://host[:port]"; empty: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_ENDPOINT, then AWS itself. An endpoint
  // that the URL names comes first.
  std::string endpoint;
  std::string region;  // empty: environment, profile, then the bucket's own, as the store tells it
  S3Addressing addressing = S3Addressing::kAuto;
  bool allow_http = true;  // a plain-http endpoint is refused when false

  // At most one way; none of them: the default chain (environment, profile, web identity, container, instance).
  bool anonymous = false;
  std::optional<S3Credentials> credentials;
  std::function<arrow::Result<S3Credentials>()> credentials_callback;  // called near expiry, by one thread at a time
  std::string profile;

  std::optional<S3Checksum> checksum;  // nullopt: CRC-64/NVME where the store takes it, else none
  bool sign_payload = false;           // SHA-256 of each body in the signature, instead of UNSIGNED-PAYLOAD
  S3Encryption encryption;
  std::string storage_class;
  std::string acl;  // canned, "bucket-owner-full-control"
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<std::pair<std::string, std::string>> metadata;  // x-amz-meta-NAME
  std::string content_type = "application/vnd.apache.parquet";
  std::string lock_mode;  // GOVERNANCE or COMPLIANCE, with lock_until
  std::optional<Timestamp> lock_until;
  bool legal_hold = false;
  bool requester_pays = false;
  std::string expected_bucket_owner;

  int max_connections = 16;
  bool http2 = false;
  std::string ca_file;  // empty: AWS_CA_BUNDLE, SSL_CERT_FILE, then the system's
  std::string proxy;    // empty: from the environment
  std::string no_proxy;
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds request_timeout{60'000};  // without a byte
  // Without an answer to Complete, which copies all parts together on some servers (37 s for a thousand parts on one).
  // Afterwards the object is looked at.
  std::chrono::milliseconds complete_timeout{600'000};
  int max_attempts = 8;                              // of one request
  std::chrono::milliseconds retry_timeout{180'000};  // of one request, all attempts together
};

}  // namespace tailrace
