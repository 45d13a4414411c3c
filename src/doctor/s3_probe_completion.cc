// What Complete looks at, and whether conditions are.
#include "doctor/s3_probes.h"

namespace tailrace {
namespace {

// An upload of two parts of the same number, one after the other: the receipts of both.
struct ReplacedPart {
  UploadId id;
  PartReceipt old_part, new_part;
  ProbeReply reply;
};
ReplacedPart ReplacePart(S3Session* session) {
  ReplacedPart made;
  FilledUpload filled = Fill(session, {SmallBody("the part as its receipt knows it")});
  made.id = filled.id;
  made.reply = std::move(filled.reply);
  if (!made.reply.ok()) return made;
  made.old_part = filled.parts[0];
  made.reply = session->PutPart(made.id, {.number = 1, .body = SmallBody("the part that replaced it")}, &made.new_part);
  return made;
}

// Conditions that hold for nothing: is the request refused for that?
enum class Obeyed { kHonoured, kIgnored, kRefused, kNotKnown };
Obeyed ObeyedBy(const ProbeReply& reply) {
  if (!reply.answered()) return Obeyed::kNotKnown;
  if (reply.ok()) return Obeyed::kIgnored;
  return reply.failure.status == 412 || reply.failure.status == 409 ? Obeyed::kHonoured : Obeyed::kRefused;
}

void FindCondition(S3Run* run, std::string_view name, const ProbeReply& reply) {
  switch (ObeyedBy(reply)) {
    case Obeyed::kHonoured:
      return run->Found(name, "honoured");
    case Obeyed::kIgnored:
      run->limits()->conditional_put = false;
      return run->Found(name, "ignored");
    case Obeyed::kRefused:
      run->limits()->conditional_put = false;
      return run->Found(name, "refused", reply.Cause());
    case Obeyed::kNotKnown:
      break;
  }
  run->limits()->conditional_put = false;
  run->NotKnown(name, reply.Cause());
}

// Puts an object for a condition to be about; false where it cannot, and says so under `name`.
bool PutForCondition(S3Run* run, std::string_view name, std::string* etag) {
  const ProbeReply put = run->session.Put(SmallBody("there already"), {});
  if (put.ok()) {
    *etag = put.answer.headers.Get("ETag").value_or("");
    if (!etag->empty()) return true;
  }
  run->limits()->conditional_put = false;
  run->NotKnown(name, put.ok() ? "the answer to PUT has no ETag" : "no object could be put: " + put.Cause());
  return false;
}

}  // namespace

void ProbePartEtags(S3Run* run) {
  constexpr std::string_view kName = "part-etags";
  const ReplacedPart made = ReplacePart(&run->session);
  const ProbeReply complete = made.reply.ok() ? run->session.Complete(made.id, {made.old_part}) : made.reply;
  if (made.reply.ok() && complete.ok()) {
    run->limits()->checks_part_etags = false;
    return run->Found(kName, "not checked");
  }
  // Only if the new part completes was the old one refused for its tag.
  const ProbeReply with_new =
      made.reply.ok() && complete.answered() ? run->session.Complete(made.id, {made.new_part}) : complete;
  if (with_new.ok()) return run->Found(kName, "checked");
  (void)run->session.Abort(made.id);
  run->NotKnown(kName, with_new.Cause());
}

void ProbeStrays(S3Run* run) {
  constexpr std::string_view kName = "strays";
  const FilledUpload filled = Fill(&run->session, {SmallBody("named"), SmallBody("a stray")});
  const ProbeReply subset = filled.reply.ok() ? run->session.Complete(filled.id, {filled.parts[0]}) : filled.reply;
  if (filled.reply.ok() && subset.ok()) {
    run->limits()->stray_parts = StrayParts::kLeftOut;
    return run->Found(kName, "left out");
  }
  if (!filled.id.text.empty()) (void)run->session.Abort(filled.id);
  if (!filled.reply.ok() || !subset.answered()) return run->NotKnown(kName, subset.Cause());
  run->limits()->stray_parts = StrayParts::kRefused;
  run->Found(kName, "refused", subset.Cause());
}

void ProbePutIfAbsent(S3Run* run) {
  constexpr std::string_view kName = "conditions.put-if-absent";
  std::string etag;
  if (!PutForCondition(run, kName, &etag)) return;
  FindCondition(run, kName, run->session.Put(SmallBody("if absent"), {.if_absent = true}));
}

void ProbePutIfMatch(S3Run* run) {
  constexpr std::string_view kName = "conditions.put-if-match";
  std::string etag;
  if (!PutForCondition(run, kName, &etag)) return;
  const ProbeReply right = run->session.Put(SmallBody("there already"), {.if_match_etag = etag});
  if (!right.ok()) {
    run->limits()->conditional_put = false;
    if (!right.answered()) return run->NotKnown(kName, right.Cause());
    return run->Found(kName, "refused", "even where it holds: " + right.Cause());
  }
  FindCondition(run, kName,
                run->session.Put(SmallBody("another"), {.if_match_etag = "\"00000000000000000000000000000000\""}));
}

void ProbeCompleteIfAbsent(S3Run* run) {
  constexpr std::string_view kName = "conditions.complete-if-absent";
  std::string etag;
  if (!PutForCondition(run, kName, &etag)) return;
  const FilledUpload filled = Fill(&run->session, {SmallBody("if absent")});
  if (!filled.reply.ok()) {
    run->limits()->conditional_put = false;
    if (!filled.id.text.empty()) (void)run->session.Abort(filled.id);
    return run->NotKnown(kName, filled.reply.Cause());
  }
  const ProbeReply complete = run->session.Complete(filled.id, filled.parts, {.if_absent = true});
  FindCondition(run, kName, complete);
  if (!complete.ok()) (void)run->session.Abort(filled.id);
}

}  // namespace tailrace
