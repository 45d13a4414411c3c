// The requests of the S3 API: one pure function makes one request. Scheme, host and port are left for the client, which
// knows the region of the moment; so are signature and date.
//
// Which headers go where (and nowhere else, since some stores refuse them elsewhere):
//   PUT, create                      content type, class, ACL, tags, metadata, lock, encryption
//   PUT, part                        checksum of the body
//   PUT, create, part, HEAD, GET     the customer's key (SSE-C)
//   create                           declaration of the checksum kind
//   complete                         checksum of the whole object
//   all                              requester pays, expected bucket owner
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "http/transport.h"
#include "store/s3/s3_place.h"
#include "tailrace/object.h"
#include "tailrace/object_options.h"

namespace tailrace {

struct S3Settings {
  S3Place place;
  ObjectOptions object;
  std::string customer_key;  // of SSE-C, a secret
  bool requester_pays = false;
  std::string expected_bucket_owner;
};

// The metadata by which a write knows its object again: x-amz-meta-tailrace-write-id.
inline constexpr std::string_view kWriteIdHeader = "x-amz-meta-tailrace-write-id";

HttpRequest PutObjectRequest(const S3Settings& settings, const std::string& key, const ByteSlices& body,
                             const WriteId& write_id, const PutCondition& condition);
// Bytes [offset, offset + length). REQUIRES: length > 0.
HttpRequest GetObjectRequest(const S3Settings& settings, const std::string& key, int64_t offset, int64_t length,
                             const std::string& if_etag);
HttpRequest HeadObjectRequest(const S3Settings& settings, const std::string& key);
HttpRequest DeleteObjectRequest(const S3Settings& settings, const std::string& key);
// REQUIRES: 1 to 1,000 keys.
HttpRequest DeleteObjectsRequest(const S3Settings& settings, const std::vector<std::string>& keys);
// `token` continues a listing; empty: its first page.
HttpRequest ListObjectsRequest(const S3Settings& settings, const std::string& prefix, const std::string& delimiter,
                               const std::string& token);

HttpRequest CreateUploadRequest(const S3Settings& settings, const std::string& key, const WriteId& write_id);
HttpRequest UploadPartRequest(const S3Settings& settings, const std::string& key, const UploadId& id, int number,
                              const ByteSlices& body);
struct S3CopySource {
  std::string bucket;
  std::string key;
  std::string if_etag;  // empty: whatever is there
  int64_t offset = 0;
  int64_t length = 0;
};
HttpRequest UploadPartCopyRequest(const S3Settings& settings, const std::string& key, const UploadId& id, int number,
                                  const S3CopySource& source);
// `after`: the number behind which the page begins; 0: the first page.
HttpRequest ListPartsRequest(const S3Settings& settings, const std::string& key, const UploadId& id, int after);
// Checksums are repeated for the parts whose answers echoed them; the whole object's is sent where all did.
HttpRequest CompleteUploadRequest(const S3Settings& settings, const std::string& key, const UploadId& id,
                                  const std::vector<PartReceipt>& parts, const PutCondition& condition);
HttpRequest AbortUploadRequest(const S3Settings& settings, const std::string& key, const UploadId& id);
HttpRequest ListUploadsRequest(const S3Settings& settings, const std::string& prefix, const std::string& key_marker,
                               const std::string& id_marker);

// Text as XML content: the five characters with a meaning, and control characters by number.
std::string XmlEscape(std::string_view text);

}  // namespace tailrace
