// Stores and how they are reached. Part of tailrace/tailrace.h, which has the rules.
#pragma once

#include "tailrace/c/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tailrace_s3_credentials {
  size_t struct_size;
  const char* access_key_id;      // required
  const char* secret_access_key;  // required
  const char* session_token;      // NULL: none
  int64_t expires_us;             // 0: never
} tailrace_s3_credentials;

TAILRACE_API void tailrace_s3_credentials_init(tailrace_s3_credentials* credentials, size_t struct_size);

// How a credentials callback answers: by exactly one of these two calls, before it returns. Valid during the callback
// only. Everything is copied. A callback that answers with neither has failed; the last answer counts.
typedef struct tailrace_credentials_reply tailrace_credentials_reply;
TAILRACE_API void tailrace_credentials_reply_set(tailrace_credentials_reply* reply,
                                                 const tailrace_s3_credentials* credentials);
// `kind` tells whether it is worth trying again: TAILRACE_TRANSIENT is, TAILRACE_DENIED is not.
TAILRACE_API void tailrace_credentials_reply_fail(tailrace_credentials_reply* reply, tailrace_kind kind,
                                                  const char* message);

// Called when credentials are needed for the first time and near their expiry, from any thread, also from threads of
// the library, by one thread at a time. It must not call into the store it is for.
typedef void (*tailrace_credentials_callback)(void* context, tailrace_credentials_reply* reply);

enum { TAILRACE_ADDRESSING_AUTO = 0, TAILRACE_ADDRESSING_PATH = 1, TAILRACE_ADDRESSING_VIRTUAL_HOST = 2 };
enum {
  TAILRACE_CHECKSUM_AUTO = 0,  // CRC-64/NVME where the store takes it, else none
  TAILRACE_CHECKSUM_NONE = 1,
  TAILRACE_CHECKSUM_MD5 = 2,
  TAILRACE_CHECKSUM_CRC32 = 3,
  TAILRACE_CHECKSUM_CRC32C = 4,
  TAILRACE_CHECKSUM_SHA256 = 5,
  TAILRACE_CHECKSUM_CRC64NVME = 6
};
enum {
  TAILRACE_ENCRYPTION_NONE = 0,
  TAILRACE_ENCRYPTION_SSE_S3 = 1,
  TAILRACE_ENCRYPTION_SSE_KMS = 2,
  TAILRACE_ENCRYPTION_SSE_C = 3
};

// How an S3 or S3-like store is reached, and what its objects are given. docs/guide/s3.md explains each.
typedef struct tailrace_s3_options {
  size_t struct_size;
  const char* endpoint;  // "https://host[:port]"; NULL: the environment's, then AWS itself
  const char* region;    // NULL: environment, profile, then the bucket's own
  int32_t addressing;    // TAILRACE_ADDRESSING_...
  int32_t allow_http;    // 0 refuses a plain-http endpoint

  // At most one way of credentials; none of them: environment, profile, web identity, container, instance.
  int32_t anonymous;
  int32_t checksum;  // TAILRACE_CHECKSUM_...
  const tailrace_s3_credentials* credentials;
  tailrace_credentials_callback credentials_callback;
  void* credentials_context;
  // Called with credentials_context, once for each call that is given this struct, when credentials_callback will not
  // be called for it any more: at the earliest before that call returns, at the latest when the store and what uses it
  // are freed. May be NULL.
  void (*credentials_release)(void* context);
  const char* profile;

  int32_t sign_payload;         // SHA-256 of each body in the signature
  int32_t encryption;           // TAILRACE_ENCRYPTION_...
  const char* kms_key_id;       // of SSE_KMS; NULL: the bucket's
  const uint8_t* customer_key;  // of SSE_C: 32 bytes
  const char* storage_class;
  const char* acl;              // canned
  const char* const* tags;      // name, value, name, value, ..., NULL
  const char* const* metadata;  // the same: x-amz-meta-NAME
  const char* content_type;     // NULL: application/vnd.apache.parquet
  const char* lock_mode;        // GOVERNANCE or COMPLIANCE, with lock_until_us
  int64_t lock_until_us;        // 0: none
  int32_t legal_hold;
  int32_t requester_pays;
  const char* expected_bucket_owner;

  int32_t max_connections;
  int32_t http2;
  const char* ca_file;  // NULL: AWS_CA_BUNDLE, SSL_CERT_FILE, then the system's
  const char* proxy;    // NULL: from the environment
  const char* no_proxy;
  int64_t connect_timeout_ms;
  int64_t request_timeout_ms;   // without a byte
  int64_t complete_timeout_ms;  // without an answer to Complete; afterwards the object is looked at
  int64_t retry_timeout_ms;     // of one request, all attempts together
  int64_t max_attempts;         // of one request
} tailrace_s3_options;

TAILRACE_API void tailrace_s3_options_init(tailrace_s3_options* options, size_t struct_size);

// What becomes of stored parts that completing does not name, which a lost process left behind.
enum {
  TAILRACE_STRAY_PARTS_UNKNOWN = 0,  // a refused completion will tell
  TAILRACE_STRAY_PARTS_LEFT_OUT = 1,
  TAILRACE_STRAY_PARTS_REFUSED = 2  // all stored parts have to be named
};

// What differs between stores: what a probe of the store found, instead of what is known of such stores.
typedef struct tailrace_store_limits {
  size_t struct_size;
  int64_t min_part_bytes;  // of all parts but the last
  int64_t max_part_bytes;
  int64_t max_parts;
  int64_t max_object_bytes;
  int64_t max_put_bytes;         // of an object that is put whole
  int32_t checks_part_etags;     // completing refuses a part that was replaced
  int32_t stray_parts;           // TAILRACE_STRAY_PARTS_...
  int32_t conditional_put;       // conditions on what is under the key are honoured
  int32_t reads_settle_at_once;  // an object that is not seen now will not turn up in seconds
  int64_t equal_parts;           // all parts but the last must be of one length
} tailrace_store_limits;

TAILRACE_API void tailrace_store_limits_init(tailrace_store_limits* limits, size_t struct_size);

typedef struct tailrace_store_options {
  size_t struct_size;
  const tailrace_s3_options* s3;        // NULL: all defaults
  const tailrace_store_limits* limits;  // of S3-like stores; NULL: what is known of such stores, or the profile's
  const char* profile;                  // path of a file that `tailrace doctor` wrote about this store
  int64_t create_folders;               // local: make the missing parent folders of a key instead of refusing it
} tailrace_store_options;

TAILRACE_API void tailrace_store_options_init(tailrace_store_options* options, size_t struct_size);

typedef struct tailrace_store tailrace_store;
typedef struct tailrace_state tailrace_state;
typedef struct tailrace_pending tailrace_pending;

// Opens the store of a URL: file:///abs/path or a path, s3://BUCKET/KEY, s3::https://HOST/BUCKET/KEY, r2://, gs:// and
// the services' https forms. Sends nothing and creates nothing.
TAILRACE_API tailrace_kind tailrace_store_open(const char* url, const tailrace_store_options* options,
                                               tailrace_store** store, tailrace_error** error);
// Opens the store that a value names; endpoint, region, addressing and bucket are the value's. For finish, commit,
// abort and resume with credentials or other options than the environment's.
TAILRACE_API tailrace_kind tailrace_store_open_for_state(const tailrace_state* state,
                                                         const tailrace_store_options* options, tailrace_store** store,
                                                         tailrace_error** error);
TAILRACE_API tailrace_kind tailrace_store_open_for_pending(const tailrace_pending* pending,
                                                           const tailrace_store_options* options,
                                                           tailrace_store** store, tailrace_error** error);
// The key of the URL or value that the store was opened with. Of a file: its absolute path without the leading slash.
TAILRACE_API const char* tailrace_store_key(const tailrace_store* store);
// Fills `limits` as far as the caller's struct reaches. REQUIRES: limits->struct_size is set.
TAILRACE_API tailrace_kind tailrace_store_get_limits(const tailrace_store* store, tailrace_store_limits* limits,
                                                     tailrace_error** error);
TAILRACE_API void tailrace_store_free(tailrace_store* store);

#ifdef __cplusplus
}  // extern "C"
#endif
