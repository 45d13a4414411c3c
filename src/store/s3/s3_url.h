// What the URL of an object in S3, R2 or GCS means. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <arrow/result.h>

#include "store/s3/s3_place.h"

namespace tailrace {

// What a URL says by itself.
struct S3Url {
  std::optional<S3Dialect> dialect;  // where the form tells
  std::string endpoint;              // as in S3Place; empty where the URL names none
  bool is_aws = false;               // names AWS itself, so that no endpoint applies
  std::string region;
  std::optional<bool> virtual_host;
  std::string account;  // of R2, where the endpoint does not hold it already
  std::string bucket;
  std::string key;  // empty for the bucket itself, which can be listed but not written to
};

// Does the URL begin as one of the forms below? Any http or https URL does.
bool LooksLikeS3Url(std::string_view url);

// s3://BUCKET/KEY, s3a://BUCKET/KEY
// s3::https://HOST[:PORT]/BUCKET/KEY, also with http
// https://s3.REGION.amazonaws.com/BUCKET/KEY, https://BUCKET.s3.REGION.amazonaws.com/KEY
// r2://[ACCOUNT@]BUCKET/KEY
// https://ACCOUNT[.JURISDICTION].r2.cloudflarestorage.com/BUCKET/KEY
// https://BUCKET.ACCOUNT[.JURISDICTION].r2.cloudflarestorage.com/KEY
// gs://BUCKET/KEY
// https://storage.googleapis.com/BUCKET/KEY, https://BUCKET.storage.googleapis.com/KEY
//
// Bucket and key are percent-decoded. Buckets hold letters, digits, '-', '_' and '.': more than AWS allows today, as
// other stores and old buckets do. kInvalid names what is wrong.
Result<S3Url> ParseS3Url(std::string_view url);

}  // namespace tailrace
