// Calls on whole objects.
#include <algorithm>
#include <cctype>
#include <utility>

#include "store/s3/s3_calls.h"

namespace tailrace {
namespace {

std::string Quoted(const std::string& key) { return "'" + key + "'"; }

Status WrongAnswer(const S3CallInfo& call, std::string_view why) {
  return MakeError(ErrorKind::kInternal, std::string(call.name) + " of " + call.subject + ": " + std::string(why));
}

// Of the bytes of a whole object, those that were asked for.
std::string Slice(std::string body, int64_t offset, int64_t length) {
  const auto size = static_cast<int64_t>(body.size());
  if (offset >= size) return {};
  return body.substr(static_cast<size_t>(offset), static_cast<size_t>(std::min(length, size - offset)));
}

// Are the bytes those of the object, as far as this header tells? Some servers send it empty, others give back how the
// body of the PUT was framed.
bool IsPlain(std::string_view encoding) {
  while (!encoding.empty()) {
    const size_t comma = std::min(encoding.find(','), encoding.size());
    std::string one(encoding.substr(0, comma));
    std::erase(one, ' ');
    std::transform(one.begin(), one.end(), one.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!one.empty() && one != "identity" && one != "aws-chunked") return false;
    encoding.remove_prefix(std::min(comma + 1, encoding.size()));
  }
  return true;
}

Result<std::string> BytesOf(const S3CallInfo& call, HttpResponse answer, int64_t offset, int64_t length) {
  const std::string encoding = answer.headers.Get("Content-Encoding").value_or("");
  if (!IsPlain(encoding)) {
    return WrongAnswer(call, "the answer is encoded (" + encoding + "), so that its bytes are not the object's");
  }
  if (answer.status != 206) return Slice(std::move(answer.body), offset, length);
  const auto range = ParseContentRange(answer.headers.Get("Content-Range").value_or(""));
  if (!range) return WrongAnswer(call, "the answer does not say which range it holds");
  const auto size = static_cast<int64_t>(answer.body.size());
  if (range->first != offset || size > length || range->last - range->first + 1 != size) {
    return WrongAnswer(call, "asked for " + std::to_string(length) + " bytes from " + std::to_string(offset) +
                                 " on, the answer holds " + std::to_string(size) + " from " +
                                 std::to_string(range->first) + " on");
  }
  return std::move(answer.body);
}

Result<int64_t> SizeByRange(const S3Context& context, const std::string& key) {
  const S3CallInfo call{.name = "GetObject", .subject = Quoted(key), .body_may_be_error = false};
  S3Failure failure;
  const Result<HttpResponse> answer =
      context.client->Send(GetObjectRequest(context.settings, key, 0, 1, ""), call, &failure);
  if (!answer.ok() && failure.status == 416) return 0;  // no first byte
  ARROW_RETURN_NOT_OK(answer);
  const auto range = ParseContentRange(answer->headers.Get("Content-Range").value_or(""));
  if (range && range->total) return *range->total;
  return WrongAnswer(call, "neither HEAD nor a ranged GET tells the size of the object");
}

}  // namespace

Result<ObjectMeta> PutObject(const S3Context& context, const std::string& key, const ByteSlices& body,
                             const WriteId& write_id, const PutCondition& condition, S3Failure* failure) {
  const S3CallInfo call{.name = "PutObject", .subject = Quoted(key)};
  ARROW_ASSIGN_OR_RAISE(
      const HttpResponse answer,
      context.client->Send(PutObjectRequest(context.settings, key, body, write_id, condition), call, failure));
  ARROW_ASSIGN_OR_RAISE(ObjectMeta meta, ReadObjectHeaders(answer.headers, body.size()));
  if (meta.crc64 && *meta.crc64 != body.crc64()) {
    return WrongAnswer(call, "the store's checksum is not that of the bytes that were sent");
  }
  // Every store gives one. Something in between, such as a login page, does not.
  if (meta.etag.empty()) return WrongAnswer(call, "the answer has no ETag, so that it is not known to be the store's");
  meta.write_id = write_id.text;
  return meta;
}

Result<std::string> GetObjectRange(const S3Context& context, const std::string& key, int64_t offset, int64_t length,
                                   const std::string& if_etag) {
  if (length <= 0) return std::string();
  // Whoever ignores the range sends the whole object: more than this is refused.
  constexpr int64_t kMaxWholeObject = int64_t{64} << 20;
  const S3CallInfo call{.name = "GetObject",
                        .subject = Quoted(key),
                        .body_may_be_error = false,
                        .max_reply_bytes = std::max(length, kMaxWholeObject)};
  S3Failure failure;
  Result<HttpResponse> answer =
      context.client->Send(GetObjectRequest(context.settings, key, offset, length, if_etag), call, &failure);
  if (!answer.ok() && failure.status == 416) return std::string();  // the object ends before `offset`
  ARROW_RETURN_NOT_OK(answer);
  return BytesOf(call, *std::move(answer), offset, length);
}

Result<ObjectMeta> HeadObject(const S3Context& context, const std::string& key) {
  const S3CallInfo call{.name = "HeadObject", .subject = Quoted(key), .body_may_be_error = false};
  S3Failure failure;
  const std::string region = context.client->region();
  Result<HttpResponse> answer = context.client->Send(HeadObjectRequest(context.settings, key), call, &failure);
  // Without a body such an answer cannot name the right region, which the refusal of a GET may do.
  if (!answer.ok() && failure.status == 400 && failure.code.empty()) {
    (void)SizeByRange(context, key);
    if (context.client->region() != region) {
      answer = context.client->Send(HeadObjectRequest(context.settings, key), call);
    }
  }
  ARROW_RETURN_NOT_OK(answer);
  std::optional<int64_t> size;
  // Without a length, as some proxies answer: a ranged answer names it.
  if (!answer->headers.Get("Content-Length")) {
    ARROW_ASSIGN_OR_RAISE(size, SizeByRange(context, key));
  }
  return ReadObjectHeaders(answer->headers, size);
}

Status DeleteObject(const S3Context& context, const std::string& key) {
  const S3CallInfo call{.name = "DeleteObject", .subject = Quoted(key)};
  S3Failure failure;
  Status status = context.client->Send(DeleteObjectRequest(context.settings, key), call, &failure).status();
  const bool absent = failure.status == 404 && failure.code != "NoSuchBucket";
  return absent ? Status::OK() : status;
}

Status DeleteObjects(const S3Context& context, const std::vector<std::string>& keys) {
  constexpr size_t kMaxKeys = 1000;
  for (size_t begin = 0; begin < keys.size(); begin += kMaxKeys) {
    const size_t end = std::min(keys.size(), begin + kMaxKeys);
    const std::vector<std::string> some(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                                        keys.begin() + static_cast<std::ptrdiff_t>(end));
    const S3CallInfo call{.name = "DeleteObjects", .subject = std::to_string(some.size()) + " keys"};
    ARROW_ASSIGN_OR_RAISE(const HttpResponse answer,
                          context.client->Send(DeleteObjectsRequest(context.settings, some), call));
    ARROW_ASSIGN_OR_RAISE(const std::vector<FailedDelete> failed, ParseDeleteReply(answer.body));
    for (const FailedDelete& one : failed) {
      const S3Failure failure{.status = 409, .code = one.code, .message = one.message};
      if (one.code == "NoSuchKey") continue;
      return MakeError(KindOfFailure(failure),
                       "DeleteObjects: " + Quoted(one.key) + ": " + one.code + ": " + one.message.substr(0, 300));
    }
  }
  return Status::OK();
}

Result<S3Listing> ListObjects(const S3Context& context, const std::string& prefix, const std::string& delimiter) {
  const S3CallInfo call{.name = "ListObjectsV2", .subject = Quoted(prefix)};
  S3Listing listing;
  std::string token;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const HttpResponse answer,
                          context.client->Send(ListObjectsRequest(context.settings, prefix, delimiter, token), call));
    ARROW_ASSIGN_OR_RAISE(ObjectsPage page, ParseObjectsPage(answer.body));
    std::move(page.objects.begin(), page.objects.end(), std::back_inserter(listing.objects));
    std::move(page.folders.begin(), page.folders.end(), std::back_inserter(listing.folders));
    if (!page.truncated) return listing;
    // Half a listing must not be taken for a whole one: a key that is missing in it may be overwritten or left behind.
    if (page.next_token.empty() || page.next_token == token) {
      return WrongAnswer(call, "there is more, but the answer does not say how to go on");
    }
    token = std::move(page.next_token);
  }
}

}  // namespace tailrace
