// Calls on multipart uploads.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/crc64.h"
#include "store/s3/s3_calls.h"
#include "store/s3/s3_checksum.h"
#include "store/s3/s3_etag.h"

namespace tailrace {
namespace {

// A part that arrives altered again and again has a cause that sending does not mend.
constexpr int kMaxAltered = 3;

std::string OfKey(const std::string& key) { return "'" + key + "'"; }
std::string OfPart(int number, const std::string& key) {
  return "part " + std::to_string(number) + " of '" + key + "'";
}

Status WrongAnswer(const S3CallInfo& call, std::string_view why) {
  return MakeError(ErrorKind::kInternal, std::string(call.name) + " of " + call.subject + ": " + std::string(why));
}

// Did the store read the bytes that were sent? What it does not echo it has not looked at.
bool ArrivedAltered(const HttpHeaders& headers, const S3ChecksumNames& names, const std::string& sent, uint64_t crc64) {
  const auto crc = ParseCrc64(headers.Get(NamesOf(S3Checksum::kCrc64Nvme).header).value_or(""));
  if (crc && *crc != crc64) return true;
  if (names.element.empty()) return false;
  const std::string echoed = headers.Get(names.header).value_or("");
  return !echoed.empty() && echoed != sent;
}

// The tags of bytes that a key service or the customer holds the key of look like MD5s and are none. A bucket may
// encrypt so without being asked.
bool IsSealed(const HttpHeaders& headers, const ObjectOptions& object) {
  if (object.encryption == S3EncryptionKind::kSseKms || object.encryption == S3EncryptionKind::kSseC) return true;
  return headers.Get("x-amz-server-side-encryption").value_or("").starts_with("aws:") ||
         headers.Get("x-amz-server-side-encryption-customer-algorithm").has_value();
}

bool AllVerified(const std::vector<PartReceipt>& parts) {
  return std::all_of(parts.begin(), parts.end(), [](const PartReceipt& part) { return !part.checksum.empty(); });
}

struct WholeObject {
  int64_t size_bytes = 0;
  std::optional<uint64_t> crc64 = 0;  // nullopt where that of a part is not known: somebody else stored it
};
WholeObject Combine(const std::vector<PartReceipt>& parts) {
  WholeObject whole;
  for (const PartReceipt& part : parts) {
    whole.size_bytes += part.size_bytes;
    if (part.crc64 == 0) whole.crc64.reset();
    if (whole.crc64) {
      whole.crc64 = Crc64Combine(*whole.crc64, part.crc64, static_cast<uint64_t>(part.size_bytes));
    }
  }
  return whole;
}

}  // namespace

Result<UploadId> CreateMultipartUpload(const S3Context& context, const std::string& key, const WriteId& write_id,
                                       S3Failure* failure) {
  const S3CallInfo call{.name = "CreateMultipartUpload", .subject = OfKey(key)};
  ARROW_ASSIGN_OR_RAISE(const HttpResponse answer,
                        context.client->Send(CreateUploadRequest(context.settings, key, write_id), call, failure));
  Result<UploadId> id = ParseCreateReply(answer.body);
  return id.ok() ? id : WithContext(id.status(), std::string(call.name) + " of " + call.subject);
}

Result<PartReceipt> UploadPart(const S3Context& context, const std::string& key, const UploadId& id, const Part& part) {
  const S3CallInfo call{.name = "UploadPart", .subject = OfPart(part.number, key), .of_upload = true};
  const S3ChecksumNames& names = NamesOf(context.settings.object.checksum);
  const HttpRequest request = UploadPartRequest(context.settings, key, id, part.number, part.body);
  const std::string sent = names.header.empty() ? "" : request.headers.Get(names.header).value_or("");
  int requests = 0;
  for (int tries = 0; tries < kMaxAltered; ++tries) {
    ARROW_ASSIGN_OR_RAISE(const HttpResponse answer, context.client->Send(request, call));
    requests += answer.attempts;
    if (ArrivedAltered(answer.headers, names, sent, part.body.crc64())) continue;
    PartReceipt receipt{.number = part.number,
                        .offset_bytes = part.offset_bytes,
                        .size_bytes = part.body.size(),
                        .etag = answer.headers.Get("ETag").value_or(""),
                        .crc64 = part.body.crc64(),
                        .sealed_etag = IsSealed(answer.headers, context.settings.object)};
    if (receipt.etag.empty()) return WrongAnswer(call, "the answer has no ETag, without which no part can be named");
    if (!names.element.empty()) receipt.checksum = answer.headers.Get(names.header).value_or("");
    receipt.requests.count = requests;
    return receipt;
  }
  return MakeError(ErrorKind::kTransient, std::string(call.name) + " of " + call.subject +
                                              ": the store's checksum is not that of the bytes that were sent, " +
                                              std::to_string(kMaxAltered) + " times");
}

Result<CopyPartReply> UploadPartCopy(const S3Context& context, const std::string& key, const UploadId& id, int number,
                                     const S3CopySource& source) {
  const S3CallInfo call{.name = "UploadPartCopy", .subject = OfPart(number, key), .slow = true};
  ARROW_ASSIGN_OR_RAISE(const HttpResponse answer,
                        context.client->Send(UploadPartCopyRequest(context.settings, key, id, number, source), call));
  return ParseCopyPartReply(answer.body);
}

Result<std::vector<ListedPart>> ListParts(const S3Context& context, const std::string& key, const UploadId& id) {
  const S3CallInfo call{.name = "ListParts", .subject = OfKey(key), .of_upload = true};
  // Some stores send all parts at once, some unsorted, some with numbers that lead back: by number, each once, and on
  // only from where nothing has been seen.
  std::map<int, ListedPart> parts;
  int after = 0;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const HttpResponse answer,
                          context.client->Send(ListPartsRequest(context.settings, key, id, after), call));
    ARROW_ASSIGN_OR_RAISE(PartsPage page, ParsePartsPage(answer.body, context.settings.object.checksum));
    int last = 0;
    for (ListedPart& part : page.parts) {
      last = std::max(last, part.number);
      parts.insert_or_assign(part.number, std::move(part));
    }
    const int next = page.next_after > after ? page.next_after : last;
    if (!page.truncated || page.parts.empty() || next <= after) break;
    after = next;
  }
  std::vector<ListedPart> sorted;
  for (auto& [number, part] : parts) sorted.push_back(std::move(part));
  return sorted;
}

Result<ObjectMeta> CompleteMultipartUpload(const S3Context& context, const std::string& key, const UploadId& id,
                                           const std::vector<PartReceipt>& parts, const PutCondition& condition,
                                           S3Failure* failure) {
  const S3CallInfo call{
      .name = "CompleteMultipartUpload", .subject = OfKey(key), .repeat_lost = false, .of_upload = true, .slow = true};
  ARROW_ASSIGN_OR_RAISE(
      const HttpResponse answer,
      context.client->Send(CompleteUploadRequest(context.settings, key, id, parts, condition), call, failure));
  Result<CompleteReply> reply = ParseCompleteReply(answer.body);
  if (!reply.ok()) {
    // An answer that says nothing is as good as none.
    auto detail = std::make_shared<ErrorDetail>(KindOf(reply.status()));
    detail->answer_lost = true;
    return MakeError(std::move(detail),
                     std::string(call.name) + " of " + call.subject + ": " + reply.status().message());
  }
  const WholeObject whole = Combine(parts);
  ARROW_ASSIGN_OR_RAISE(ObjectMeta meta, ReadObjectHeaders(answer.headers, whole.size_bytes));
  if (!reply->etag.empty()) meta.etag = reply->etag;
  if (reply->crc64) meta.crc64 = reply->crc64;
  // Who keeps the checksums of parts tells the object's where it makes it. One server answers without, and with a 200,
  // where there is no such upload any more, but anything at all under the key.
  if (context.settings.object.checksum == S3Checksum::kCrc64Nvme && AllVerified(parts) && !meta.crc64) {
    return MakeError(ErrorKind::kUploadGone, std::string(call.name) + " of " + call.subject +
                                                 ": the answer does not show that this request made the object");
  }
  if (meta.crc64 && whole.crc64 && *meta.crc64 != *whole.crc64) {
    return WrongAnswer(call, "the store's checksum of the object is not that of the bytes that were sent");
  }
  const bool summed = meta.crc64 && whole.crc64;
  meta.unproven = !summed && !IsEtagOf(meta.etag, parts);
  return meta;
}

Status AbortMultipartUpload(const S3Context& context, const std::string& key, const UploadId& id) {
  const S3CallInfo call{.name = "AbortMultipartUpload", .subject = OfKey(key), .of_upload = true};
  return context.client->Send(AbortUploadRequest(context.settings, key, id), call).status();
}

Result<std::vector<UploadSummary>> ListMultipartUploads(const S3Context& context, const std::string& prefix) {
  const S3CallInfo call{.name = "ListMultipartUploads", .subject = OfKey(prefix)};
  std::vector<UploadSummary> uploads;
  std::set<std::pair<std::string, std::string>> seen;
  std::string key, id;
  while (true) {
    S3Failure failure;
    Result<HttpResponse> answer =
        context.client->Send(ListUploadsRequest(context.settings, prefix, key, id), call, &failure);
    // versitygw refuses the id that it named. By the key alone only other uploads of that key are missed.
    if (!answer.ok() && !id.empty() && failure.code == "InvalidArgument") {
      answer = context.client->Send(ListUploadsRequest(context.settings, prefix, key, ""), call);
    }
    ARROW_RETURN_NOT_OK(answer);
    ARROW_ASSIGN_OR_RAISE(UploadsPage page, ParseUploadsPage(answer->body));
    bool progress = false;
    for (UploadSummary& upload : page.uploads) {
      if (!seen.emplace(upload.key, upload.id.text).second) continue;
      progress = true;
      // Swift does not say where its next page begins: behind the last of this one.
      if (page.next_key.empty()) {
        key = upload.key;
        id = upload.id.text;
      }
      // Some stores do not know the parameter.
      if (upload.key.starts_with(prefix)) uploads.push_back(std::move(upload));
    }
    if (!page.truncated || !progress) return uploads;
    if (page.next_key.empty()) continue;
    key = std::move(page.next_key);
    id = std::move(page.next_id);
  }
}

}  // namespace tailrace
