#include "store/s3/s3_limits.h"

#include <algorithm>

namespace tailrace {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// "tx00000a1b2c3d4e5f60708-0065f1a2b3-1a2b-default": how Ceph's gateway numbers its requests. Swift's are like it, and
// come with a header of their own.
bool IsRgwRequestId(const std::string& id) {
  return id.starts_with("tx0") && std::count(id.begin(), id.end(), '-') >= 3;
}

}  // namespace

S3Traits TraitsOf(S3Dialect dialect) {
  S3Traits traits;
  traits.limits.min_part_bytes = 5 * kMiB;
  // As AWS documents since December 2025: all 10,000 parts may have the longest length, 48.8 TiB together.
  if (dialect == S3Dialect::kAws) traits.limits.max_object_bytes = 10'000 * traits.limits.max_part_bytes;
  // R2 completes an upload only where all parts but the last are of one length.
  traits.limits.equal_parts = dialect == S3Dialect::kR2;
  // AWS documents that If-None-Match and If-Match are honoured by PutObject and CompleteMultipartUpload.
  traits.limits.conditional_put = dialect == S3Dialect::kAws;
  if (dialect == S3Dialect::kAws || dialect == S3Dialect::kGcs) traits.limits.stray_parts = StrayParts::kLeftOut;
  // Google's XML API has other conditions, and does not know x-amz-checksum-*.
  if (dialect == S3Dialect::kGcs) traits.checksum = S3Checksum::kNone;
  return traits;
}

void LearnFrom(const HttpHeaders& headers, S3Traits* traits) {
  if (headers.Get("X-Trans-Id")) {
    traits->limits.max_parts = std::min(traits->limits.max_parts, 1000);
    traits->limits.stray_parts = StrayParts::kLeftOut;
    return;
  }
  const std::string server = headers.Get("Server").value_or("");
  if (server.starts_with("SeaweedFS")) {
    traits->limits.checks_part_etags = false;
    traits->limits.stray_parts = StrayParts::kLeftOut;
  }
  if (IsRgwRequestId(headers.Get("x-amz-request-id").value_or(""))) traits->limits.stray_parts = StrayParts::kRefused;
}

}  // namespace tailrace
