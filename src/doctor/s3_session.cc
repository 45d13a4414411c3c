#include "doctor/s3_session.h"

#include <utility>

#include "store/s3/s3_checksum.h"

namespace tailrace {
namespace {

// Each probe's object carries it, as those of writers do.
const WriteId kProbeWrite{"00000000-0000-7000-8000-00000000d0c1"};

ByteSlices OtherBytes() { return ByteSlices(ByteSlice::Copy("these are not the bytes that were sent")); }

}  // namespace

std::string ProbeReply::Cause() const {
  if (ok()) return {};
  // The client has taken out of it what must not be shown, which the answer itself may hold. Which call it was about is
  // said by the finding.
  const std::string& message = status.message();
  const size_t bucket = message.find(" in bucket '");
  const size_t end = bucket == message.npos ? bucket : message.find("': ", bucket);
  return end == message.npos ? message : message.substr(end + 3);
}

ProbeReply S3Session::Send(HttpRequest request, std::string_view name, bool of_upload) {
  // Nothing is decided by an object that a lost answer was about, so that every request may be repeated; but for
  // Complete, whose second answer would say something else.
  const S3CallInfo call{.name = name,
                        .subject = "'" + key_ + "'",
                        .repeat_lost = name != "CompleteMultipartUpload",
                        .of_upload = of_upload,
                        .body_may_be_error = name != "GetObject" && name != "HeadObject"};
  ++requests_;
  sent_bytes_ += request.body.size();
  ProbeReply reply;
  Result<HttpResponse> answer = context_.client->Send(std::move(request), call, &reply.failure);
  reply.status = answer.status();
  if (answer.ok()) reply.answer = *std::move(answer);
  return reply;
}

ProbeReply S3Session::Put(const ByteSlices& body, const PutCondition& condition) {
  ProbeReply reply = Send(PutObjectRequest(context_.settings, key_, body, kProbeWrite, condition), "PutObject");
  object_may_exist_ |= reply.ok() || !reply.answered();
  if (const auto version = reply.answer.headers.Get("x-amz-version-id"); version && *version != "null") {
    keeps_versions_ = true;
  }
  return reply;
}

ProbeReply S3Session::Head() { return Send(HeadObjectRequest(context_.settings, key_), "HeadObject"); }

ProbeReply S3Session::Get() { return Send(GetObjectRequest(context_.settings, key_, 0, 1, ""), "GetObject"); }

ProbeReply S3Session::ListUploads() {
  return Send(ListUploadsRequest(context_.settings, key_, "", ""), "ListMultipartUploads");
}

ProbeReply S3Session::Delete() { return Send(DeleteObjectRequest(context_.settings, key_), "DeleteObject"); }

ProbeReply S3Session::Create(UploadId* id) {
  ProbeReply reply = Send(CreateUploadRequest(context_.settings, key_, kProbeWrite), "CreateMultipartUpload");
  create_lost_ |= !reply.answered();
  if (!reply.ok()) return reply;
  Result<UploadId> parsed = ParseCreateReply(reply.answer.body);
  reply.status = parsed.status();
  if (!parsed.ok()) {
    create_lost_ = true;
    return reply;
  }
  *id = *std::move(parsed);
  open_.emplace(id->text, "");
  return reply;
}

ProbeReply S3Session::PutPart(const UploadId& id, const PartToSend& part, PartReceipt* receipt) {
  HttpRequest request = UploadPartRequest(context_.settings, key_, id, part.number, part.body);
  const S3ChecksumNames& names = NamesOf(checksum());
  if (part.wrong_checksum) request.headers.Set(names.header, ChecksumOf(checksum(), OtherBytes()));
  ProbeReply reply = Send(std::move(request), "UploadPart", /*of_upload=*/true);
  if (!reply.ok()) return reply;
  *receipt = {.number = part.number, .size_bytes = part.body.size(), .crc64 = part.body.crc64()};
  receipt->etag = reply.answer.headers.Get("ETag").value_or("");
  if (!names.element.empty()) receipt->checksum = reply.answer.headers.Get(names.header).value_or("");
  if (receipt->etag.empty()) {
    reply.status = MakeError(ErrorKind::kInternal, "the answer has no ETag, without which no part can be named");
  }
  return reply;
}

ProbeReply S3Session::Complete(const UploadId& id, const std::vector<PartReceipt>& parts, const PutCondition& condition,
                               bool wrong_whole) {
  HttpRequest request = CompleteUploadRequest(context_.settings, key_, id, parts, condition);
  const std::string_view header = NamesOf(checksum()).header;
  if (wrong_whole && request.headers.Get(header)) request.headers.Set(header, FormatCrc64(OtherBytes().crc64()));
  ProbeReply reply = Send(std::move(request), "CompleteMultipartUpload", /*of_upload=*/true);
  if (reply.ok()) {
    reply.status = ParseCompleteReply(reply.answer.body).status();
    open_.erase(id.text);
  }
  object_may_exist_ |= reply.ok() || !reply.answered();
  return reply;
}

ProbeReply S3Session::Abort(const UploadId& id) {
  ProbeReply reply = Send(AbortUploadRequest(context_.settings, key_, id), "AbortMultipartUpload", /*of_upload=*/true);
  if (reply.ok() || reply.Is(ErrorKind::kUploadGone)) {
    open_.erase(id.text);
  } else {
    open_[id.text] = reply.Cause();
  }
  return reply;
}

ProbeReply S3Session::ListPartsPage(const UploadId& id, int after, int most, PartsPage* page) {
  HttpRequest request = ListPartsRequest(context_.settings, key_, id, after);
  request.url.query += "&max-parts=" + std::to_string(most);
  ProbeReply reply = Send(std::move(request), "ListParts", /*of_upload=*/true);
  if (!reply.ok()) return reply;
  Result<PartsPage> parsed = ParsePartsPage(reply.answer.body, checksum());
  reply.status = parsed.status();
  if (parsed.ok()) *page = *std::move(parsed);
  return reply;
}

std::string S3Session::url() const { return context_.settings.place.TargetOf(key_).ToUrl(); }

void S3Session::AbortAll() {
  if (create_lost_) {
    const Result<std::vector<UploadSummary>> listed = ListMultipartUploads(context_, key_);
    if (listed.ok()) {
      for (const UploadSummary& upload : *listed) open_.emplace(upload.id.text, "");
    } else {
      leftovers_.push_back("perhaps an upload of '" + url() + "' whose creation was not answered");
    }
  }
  // Denied once is denied always.
  std::vector<std::string> ids;
  for (const auto& [id, cause] : open_) ids.push_back(id);
  for (const std::string& id : ids) (void)Abort({id});
  for (const auto& [id, cause] : open_) leftovers_.push_back("upload " + id + " of '" + url() + "': " + cause);
}

std::optional<ProbeReply> S3Session::CleanUp() {
  leftovers_.clear();
  AbortAll();
  if (!object_may_exist_) return std::nullopt;
  ProbeReply deleted = Delete();
  const bool gone = deleted.ok() || deleted.Is(ErrorKind::kNotFound);
  if (!gone) leftovers_.push_back("'" + url() + "': " + deleted.Cause());
  if (keeps_versions_) leftovers_.push_back("old versions of '" + url() + "', which this bucket keeps");
  object_may_exist_ = !gone;
  return deleted;
}

}  // namespace tailrace
