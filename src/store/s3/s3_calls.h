// The calls of the S3 API: one function sends one request, and reads its answer. All are safe to repeat, and are
// repeated by the client, but for Complete, whose lost answer is for the caller to settle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <arrow/result.h>

#include "store/s3/s3_client.h"
#include "store/s3/s3_replies.h"
#include "store/s3/s3_requests.h"
#include "tailrace/store.h"

namespace tailrace {

// What every call works with. A value; `client` outlives the call.
struct S3Context {
  S3Client* client = nullptr;
  S3Settings settings;
};

// `failure` (may be null) gets the answer that was no success.
Result<ObjectMeta> PutObject(const S3Context& context, const std::string& key, const ByteSlices& body,
                             const WriteId& write_id, const PutCondition& condition, S3Failure* failure);
// As ObjectStore::GetRange. An answer with other bytes than those asked for is never taken for them: the whole object
// (Range ignored) is cut, anything else is kInternal.
Result<std::string> GetObjectRange(const S3Context& context, const std::string& key, int64_t offset, int64_t length,
                                   const std::string& if_etag);
Result<ObjectMeta> HeadObject(const S3Context& context, const std::string& key);
// OK where there is none.
Status DeleteObject(const S3Context& context, const std::string& key);
// Any number, a thousand a request. The error names the first key that could not be deleted.
Status DeleteObjects(const S3Context& context, const std::vector<std::string>& keys);
struct S3Listing {
  std::vector<ListedObject> objects;
  std::vector<std::string> folders;  // with a delimiter: common prefixes
};
// All pages.
Result<S3Listing> ListObjects(const S3Context& context, const std::string& prefix, const std::string& delimiter);

Result<UploadId> CreateMultipartUpload(const S3Context& context, const std::string& key, const WriteId& write_id,
                                       S3Failure* failure);
// A part that the store read otherwise than it was sent, by its own checksum, is sent again.
Result<PartReceipt> UploadPart(const S3Context& context, const std::string& key, const UploadId& id, const Part& part);
Result<CopyPartReply> UploadPartCopy(const S3Context& context, const std::string& key, const UploadId& id, int number,
                                     const S3CopySource& source);
// All pages, by number, each once. A store whose pages make no progress is taken at what it has told.
Result<std::vector<ListedPart>> ListParts(const S3Context& context, const std::string& key, const UploadId& id);
// kInternal where the store's checksum of the whole object is not that of the parts.
Result<ObjectMeta> CompleteMultipartUpload(const S3Context& context, const std::string& key, const UploadId& id,
                                           const std::vector<PartReceipt>& parts, const PutCondition& condition,
                                           S3Failure* failure);
// kUploadGone where there is none.
Status AbortMultipartUpload(const S3Context& context, const std::string& key, const UploadId& id);
// All pages; those whose key starts with `prefix`.
Result<std::vector<UploadSummary>> ListMultipartUploads(const S3Context& context, const std::string& prefix);

}  // namespace tailrace
