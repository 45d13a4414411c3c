// Rights, clock, region, and one whole upload.
#include <cstdlib>
#include <utility>

#include "base/base64.h"
#include "base/iso_time.h"
#include "doctor/s3_probes.h"
#include "store/s3/s3_checksum.h"

namespace tailrace {
namespace {

// Stores refuse signatures that are a quarter of an hour off. A minute is noticed without harm.
constexpr std::chrono::seconds kCloseClock{60};

void FindClock(S3Run* run, std::optional<Timestamp> theirs, Timestamp sent, Timestamp received) {
  if (!theirs) return run->NotKnown("clock", "the answer tells no time");
  const Timestamp ours = sent + (received - sent) / 2;
  const auto ahead = std::chrono::round<std::chrono::seconds>(*theirs - ours).count();
  const std::string cause =
      "the store's clock is " + std::to_string(std::abs(ahead)) + " s " + (ahead < 0 ? "behind" : "ahead");
  run->Found("clock", std::abs(ahead) <= kCloseClock.count() ? "close" : "off", std::abs(ahead) <= 1 ? "" : cause);
}

void FindRegion(S3Run* run) {
  const std::string used = run->session.client().region();
  const bool same =
      run->asked_region.empty() ? used == run->session.client().place().FirstRegion() : used == run->asked_region;
  run->Found("region", same ? "as configured" : "another", used);
}

// The hex digits of an MD5, as the tags of most stores are.
std::string Md5Etag(const ByteSlices& body) {
  const std::string md5 = DecodeBase64(Md5Base64(body.ToString())).value_or("");
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : md5) {
    hex += kDigits[static_cast<uint8_t>(c) >> 4];
    hex += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return hex;
}

std::string Unquoted(std::string etag) {
  std::erase(etag, '"');
  return etag;
}

// One part, completed. A bucket may want some checksum (object lock does): where none was asked for, MD5 is tried, and
// kept for all that follows.
FilledUpload WholeUpload(S3Run* run, const ByteSlices& body, ProbeReply* reply) {
  FilledUpload filled = Fill(&run->session, {body});
  *reply = filled.reply.ok() ? run->session.Complete(filled.id, filled.parts) : filled.reply;
  if (!reply->Is(ErrorKind::kInvalid) || run->checksum_is_asked) return filled;
  if (!filled.id.text.empty()) (void)run->session.Abort(filled.id);
  run->session.UseChecksum(S3Checksum::kMd5);
  FilledUpload with_md5 = Fill(&run->session, {body});
  const ProbeReply second = with_md5.reply.ok() ? run->session.Complete(with_md5.id, with_md5.parts) : with_md5.reply;
  if (second.ok()) {
    *reply = second;
    return with_md5;
  }
  if (!with_md5.id.text.empty()) (void)run->session.Abort(with_md5.id);
  run->session.UseChecksum(S3Checksum::kNone);
  return filled;
}

void FindGone(S3Run* run, std::string_view name, const ProbeReply& reply) {
  if (reply.ok()) {
    run->Found(name, "accepted");
  } else if (reply.Is(ErrorKind::kUploadGone)) {
    run->Found(name, "no such upload");
  } else if (reply.answered()) {
    run->Found(name, "fails", reply.Cause());
  } else {
    run->NotKnown(name, reply.Cause());
  }
}

}  // namespace

void S3Run::NotKnown(std::string_view name, std::string cause) {
  report.findings.push_back(tailrace::NotKnown(name, std::move(cause)));
}

void S3Run::Found(std::string_view name, std::string_view answer, std::string cause, std::string shown) {
  report.findings.push_back(MakeFinding(name, answer, std::move(cause), std::move(shown)));
}

void S3Run::Refused(std::string_view name, const ProbeReply& reply) {
  if (!reply.answered()) return NotKnown(name, reply.Cause());
  Found(name, reply.Is(ErrorKind::kDenied) ? "denied" : "fails", reply.Cause());
}

ByteSlices SmallBody(std::string_view word) {
  return ByteSlices(ByteSlice::Copy("tailrace doctor: " + std::string(word) + "\n"));
}

ByteSlices LargeBody(int64_t size) { return ByteSlices(ByteSlice::Copy(std::string(static_cast<size_t>(size), 'd'))); }

FilledUpload Fill(S3Session* session, const std::vector<ByteSlices>& bodies) {
  FilledUpload filled;
  filled.reply = session->Create(&filled.id);
  for (size_t i = 0; i < bodies.size() && filled.reply.ok(); ++i) {
    PartReceipt receipt;
    filled.reply = session->PutPart(filled.id, {.number = static_cast<int>(i) + 1, .body = bodies[i]}, &receipt);
    if (filled.reply.ok()) filled.parts.push_back(std::move(receipt));
  }
  return filled;
}

void ProbeAbsent(S3Run* run) {
  const Timestamp sent = run->clock->Now();
  const ProbeReply reply = run->session.Head();
  const auto theirs =
      reply.ok() ? ParseHttpTime(reply.answer.headers.Get("Date").value_or("")) : reply.failure.server_time;
  if (reply.Is(ErrorKind::kNotFound)) {
    run->Found("rights.head-absent", "not found");
  } else if (reply.ok()) {
    run->Found("rights.head-absent", "fails", "the store says that it is there");
  } else {
    run->Refused("rights.head-absent", reply);
  }
  FindClock(run, theirs, sent, run->clock->Now());
  FindRegion(run);
}

void ProbeUpload(S3Run* run) {
  const ByteSlices body = SmallBody("upload");
  ProbeReply reply;
  const FilledUpload filled = WholeUpload(run, body, &reply);
  if (!reply.ok()) {
    run->Refused("upload", reply);
    for (const std::string_view name : {"etag", "complete.etag", "complete.again"}) {
      run->NotKnown(name, "no upload could be completed");
    }
    return;
  }
  run->Found("upload", "works");
  run->Found("etag", Unquoted(filled.parts[0].etag) == Md5Etag(body) ? "md5" : "opaque");
  const auto told = ParseCompleteReply(reply.answer.body);
  run->Found("complete.etag", told.ok() && !Unquoted(told->etag).empty() ? "there" : "empty");
  const ProbeReply again = run->session.Complete(filled.id, filled.parts);
  if (again.ok()) {
    run->Found("complete.again", "committed");
  } else if (again.Is(ErrorKind::kUploadGone)) {
    run->Found("complete.again", "no such upload");
  } else if (again.answered()) {
    run->Found("complete.again", "fails", again.Cause());
  } else {
    run->NotKnown("complete.again", again.Cause());
  }
}

void ProbePut(S3Run* run) {
  const ProbeReply reply = run->session.Put(SmallBody("put"), {});
  if (reply.ok()) {
    run->Found("rights.put", "allowed");
  } else {
    run->Refused("rights.put", reply);
  }
}

void ProbeObject(S3Run* run) {
  const ProbeReply head = run->session.Head();
  if (head.ok()) {
    run->Found("rights.head", "allowed");
    const bool kept = head.answer.headers.Get(kWriteIdHeader).has_value();
    run->Found("metadata", kept ? "kept" : "lost");
  } else {
    run->Refused("rights.head", head);
    run->NotKnown("metadata", "the object could not be looked at");
  }
  const ProbeReply get = run->session.Get();
  if (get.ok()) {
    run->Found("rights.get", "allowed");
  } else {
    run->Refused("rights.get", get);
  }
}

void ProbeAbort(S3Run* run) {
  const FilledUpload filled = Fill(&run->session, {SmallBody("abort")});
  const ProbeReply aborted = filled.reply.ok() ? run->session.Abort(filled.id) : filled.reply;
  if (!aborted.ok()) {
    run->Refused("rights.abort", aborted);
    for (const std::string_view name : {"gone.part", "gone.complete"}) run->NotKnown(name, "nothing could be aborted");
    return;
  }
  run->Found("rights.abort", "allowed");
  PartReceipt receipt;
  const ProbeReply part = run->session.PutPart(filled.id, {.number = 1, .body = SmallBody("gone")}, &receipt);
  FindGone(run, "gone.part", part);
  const ProbeReply complete = run->session.Complete(filled.id, filled.parts);
  FindGone(run, "gone.complete", complete);
  // A store that took the part may have the upload again.
  if (part.ok() && !complete.ok()) (void)run->session.Abort(filled.id);
}

void ProbeListUploads(S3Run* run) {
  const ProbeReply reply = run->session.ListUploads();
  if (reply.ok() && ParseUploadsPage(reply.answer.body).ok()) {
    run->Found("rights.list-uploads", "allowed");
  } else if (reply.ok()) {
    run->Found("rights.list-uploads", "fails", "the answer is no list of uploads");
  } else {
    run->Refused("rights.list-uploads", reply);
  }
}

}  // namespace tailrace
