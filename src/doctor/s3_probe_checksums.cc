// Which checksums of parts are looked at, each through a whole upload.
#include <string>
#include <utility>

#include "doctor/s3_probes.h"

namespace tailrace {
namespace {

constexpr std::string_view kWhole = "checksum.whole";

// Uses a checksum kind for its lifetime.
class ChecksumInUse {
 public:
  ChecksumInUse(S3Session* session, S3Checksum kind) : session_(session), before_(session->checksum()) {
    session_->UseChecksum(kind);
  }
  ~ChecksumInUse() { session_->UseChecksum(before_); }
  ChecksumInUse(const ChecksumInUse&) = delete;
  ChecksumInUse& operator=(const ChecksumInUse&) = delete;

 private:
  S3Session* const session_;
  const S3Checksum before_;
};

void FindRefused(S3Run* run, std::string_view name, const ProbeReply& reply) {
  if (reply.answered()) {
    run->Found(name, "refused", reply.Cause());
  } else {
    run->NotKnown(name, reply.Cause());
  }
}

// Is Complete with the checksum of another object refused?
void FindWhole(S3Run* run, const UploadId& id, const std::vector<PartReceipt>& parts) {
  const ProbeReply wrong = run->session.Complete(id, parts, {}, /*wrong_whole=*/true);
  if (wrong.answered()) {
    run->Found(kWhole, wrong.ok() ? "not compared" : "compared");
  } else {
    run->NotKnown(kWhole, wrong.Cause());
  }
}

// What a wrong part and then a right one, completed, show. true where the kind works throughout.
bool FindKind(S3Run* run, std::string_view name, bool whole) {
  S3Session& session = run->session;
  UploadId id;
  const ProbeReply created = session.Create(&id);
  if (!created.ok()) {
    FindRefused(run, name, created);
    return false;
  }
  PartReceipt ignored, receipt;
  const ProbeReply wrong =
      session.PutPart(id, {.number = 1, .body = SmallBody(name), .wrong_checksum = true}, &ignored);
  ProbeReply right = session.PutPart(id, {.number = 1, .body = SmallBody(name)}, &receipt);
  if (right.ok()) {
    right = session.Complete(id, {receipt});
  }
  if (!right.ok() || !wrong.answered()) {
    if (!right.ok()) (void)session.Abort(id);
    FindRefused(run, name, right.ok() ? wrong : right);
    return false;
  }
  if (!wrong.ok()) {
    run->Found(name, "verified");
  } else {
    run->Found(name, receipt.checksum.empty() ? "ignored" : "echoed");
  }
  if (!whole || receipt.checksum.empty()) return !wrong.ok();
  // Again, since a Complete that does not compare ends the upload.
  FilledUpload second = Fill(&session, {SmallBody(name)});
  if (second.reply.ok()) FindWhole(run, second.id, second.parts);
  (void)session.Abort(second.id);
  return !wrong.ok();
}

void ProbeKind(S3Run* run, std::string_view name, S3Checksum kind) {
  const ChecksumInUse use(&run->session, kind);
  const bool works = FindKind(run, name, kind == S3Checksum::kCrc64Nvme);
  // The cheapest that is looked at; the probes come in that order. MD5 and SHA-256 cost more than all else in a part
  // does, so that they are for those who ask.
  const bool cheap = kind == S3Checksum::kCrc64Nvme || kind == S3Checksum::kCrc32c || kind == S3Checksum::kCrc32;
  if (works && cheap && !run->checksum_is_asked && run->report.profile.checksum == S3Checksum::kNone) {
    run->report.profile.checksum = kind;
  }
}

}  // namespace

void ProbeMd5(S3Run* run) { ProbeKind(run, "checksum.md5", S3Checksum::kMd5); }
void ProbeCrc32(S3Run* run) { ProbeKind(run, "checksum.crc32", S3Checksum::kCrc32); }
void ProbeCrc32c(S3Run* run) { ProbeKind(run, "checksum.crc32c", S3Checksum::kCrc32c); }
void ProbeSha256(S3Run* run) { ProbeKind(run, "checksum.sha256", S3Checksum::kSha256); }
void ProbeCrc64(S3Run* run) {
  ProbeKind(run, "checksum.crc64nvme", S3Checksum::kCrc64Nvme);
  if (run->report.Find(std::string(kWhole)) == nullptr) {
    run->report.findings.push_back(NotAsked(kWhole, "parts are not answered with this checksum"));
  }
}

}  // namespace tailrace
