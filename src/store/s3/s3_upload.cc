#include "store/s3/s3_upload.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tailrace {
namespace {

// Some servers quote a tag in the header and not in lists.
bool SameTag(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view tag) {
    return tag.size() >= 2 && tag.front() == '"' && tag.back() == '"' ? tag.substr(1, tag.size() - 2) : tag;
  };
  return bare(a) == bare(b);
}

}  // namespace

S3Context S3Upload::Context() const {
  S3Context context = core_->Context();
  context.settings.object.checksum = checksum_;
  return context;
}

Result<PartReceipt> S3Upload::PutPart(const Part& part) {
  const StoreLimits limits = core_->Limits();
  const std::string name = "part " + std::to_string(part.number) + " of '" + key_ + "'";
  if (part.number < 1 || part.number > limits.max_parts) {
    return MakeError(ErrorKind::kLimit, name + ": this store takes parts 1 to " + std::to_string(limits.max_parts) +
                                            " (max_parts): choose a larger part_size_bytes");
  }
  if (part.body.size() > limits.max_part_bytes) {
    return MakeError(ErrorKind::kLimit, name + " has " + std::to_string(part.body.size()) +
                                            " bytes, this store takes " + std::to_string(limits.max_part_bytes) +
                                            " (max_part_bytes): choose a smaller part_size_bytes");
  }
  Result<PartReceipt> stored = UploadPart(Context(), key_, id_, part);
  // A limit that nobody knew of.
  const bool too_many = !stored.ok() && KindOf(stored.status()) == ErrorKind::kLimit &&
                        stored.status().message().find("art number") != std::string::npos;
  if (!too_many) return stored;
  return stored.status().WithMessage(stored.status().message(),
                                     ": this store takes fewer parts (max_parts) than was known: choose a larger "
                                     "part_size_bytes, or let a profile of the store tell");
}

Result<std::vector<PartReceipt>> S3Upload::ListParts(const std::vector<PartReceipt>& expected) {
  ARROW_ASSIGN_OR_RAISE(std::vector<ListedPart> listed, tailrace::ListParts(Context(), key_, id_));
  std::vector<PartReceipt> receipts;
  int64_t end = 0;
  for (ListedPart& part : listed) {
    PartReceipt receipt{.number = part.number,
                        .offset_bytes = end,
                        .size_bytes = part.size_bytes,
                        .etag = std::move(part.etag),
                        .crc64 = part.crc64.value_or(0),
                        .checksum = std::move(part.checksum)};
    const auto ours = std::find_if(expected.begin(), expected.end(),
                                   [&](const PartReceipt& one) { return one.number == receipt.number; });
    if (ours != expected.end()) {
      receipt.offset_bytes = ours->offset_bytes;
      receipt.sealed_etag = ours->sealed_etag;
      const bool same = SameTag(ours->etag, receipt.etag) && ours->size_bytes == receipt.size_bytes;
      if (same) receipt.etag = ours->etag;
      if (same && !part.crc64) receipt.crc64 = ours->crc64;
      if (same && receipt.checksum.empty()) receipt.checksum = ours->checksum;
    }
    end = receipt.offset_bytes + receipt.size_bytes;
    receipts.push_back(std::move(receipt));
  }
  return receipts;
}

Result<ObjectMeta> S3Upload::Complete(const std::vector<PartReceipt>& parts, const PutCondition& condition) {
  PutCondition sent = condition;
  ARROW_RETURN_NOT_OK(core_->LookFirst(key_, &sent));
  S3Failure failure;
  Result<ObjectMeta> made = CompleteMultipartUpload(Context(), key_, id_, parts, sent, &failure);
  if (!made.ok() && failure.status == 501) {
    ARROW_ASSIGN_OR_RAISE(made, CompleteWithLess(parts, sent, made.status()));
  }
  if (made.ok()) made->write_id = write_id_.text;
  return made;
}

// Without what a 501 may have been about.
Result<ObjectMeta> S3Upload::CompleteWithLess(const std::vector<PartReceipt>& parts, const PutCondition& condition,
                                              const Status& refused) {
  S3Failure failure;
  // One gateway verifies the checksums of parts and knows none of whole objects.
  std::vector<PartReceipt> bare = parts;
  for (PartReceipt& part : bare) part.checksum.clear();
  if (bare != parts) {
    Result<ObjectMeta> made = CompleteMultipartUpload(Context(), key_, id_, bare, condition, &failure);
    if (made.ok()) return made;
  }
  if (!condition.if_absent || core_->Limits().conditional_put) return refused;
  return CompleteMultipartUpload(Context(), key_, id_, parts, {}, &failure);
}

Status S3Upload::Abort() { return AbortMultipartUpload(Context(), key_, id_); }

}  // namespace tailrace
