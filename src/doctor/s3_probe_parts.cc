// How parts are listed, numbered and measured.
#include <algorithm>
#include <set>
#include <utility>

#include "doctor/s3_probes.h"

namespace tailrace {
namespace {

constexpr int64_t kS3MinPart = int64_t{5} << 20;
constexpr int kS3MaxParts = 10000;

// What two pages of two parts show. `second` is empty where the first was all.
void FindPages(S3Run* run, const PartsPage& first, const PartsPage& second) {
  std::vector<int> numbers;
  bool sorted = true;
  for (const PartsPage* page : {&first, &second}) {
    int last = 0;
    for (const ListedPart& part : page->parts) {
      sorted = sorted && part.number > last;
      last = part.number;
      numbers.push_back(part.number);
    }
  }
  run->Found("list-parts.order", sorted ? "sorted" : "unsorted");
  std::sort(numbers.begin(), numbers.end());
  if (numbers != std::vector<int>{1, 2, 3}) {
    std::string listed;
    for (const int number : numbers) listed += (listed.empty() ? "" : ", ") + std::to_string(number);
    return run->Found("list-parts.pages", "wrong", "parts 1, 2, 3 are stored, two a page gave " + listed);
  }
  run->Found("list-parts.pages", first.parts.size() == 3 ? "one page" : "paged");
}

enum class Taken { kYes, kNo, kNotKnown };
Taken TakesNumber(S3Session* session, const UploadId& id, int number, std::string* cause) {
  PartReceipt receipt;
  const ProbeReply reply = session->PutPart(id, {.number = number, .body = SmallBody("number")}, &receipt);
  if (reply.ok()) return Taken::kYes;
  *cause = reply.Cause();
  const bool refused = reply.answered() && reply.failure.status >= 400 && reply.failure.status < 500;
  return refused && !reply.Is(ErrorKind::kDenied) ? Taken::kNo : Taken::kNotKnown;
}

// Completes an upload of these parts, which is gone afterwards either way.
ProbeReply CompleteOf(S3Session* session, const std::vector<ByteSlices>& bodies) {
  const FilledUpload filled = Fill(session, bodies);
  ProbeReply reply = filled.reply.ok() ? session->Complete(filled.id, filled.parts) : filled.reply;
  if (!reply.ok() && !filled.id.text.empty()) (void)session->Abort(filled.id);
  return reply;
}

}  // namespace

void ProbeListParts(S3Run* run) {
  const FilledUpload filled = Fill(&run->session, {SmallBody("one"), SmallBody("two"), SmallBody("three")});
  PartsPage first, second;
  ProbeReply reply = filled.reply.ok() ? run->session.ListPartsPage(filled.id, 0, 2, &first) : filled.reply;
  const ProbeReply allowed = reply;
  if (reply.ok() && first.truncated && !first.parts.empty()) {
    const int after = first.next_after > 0 ? first.next_after : first.parts.back().number;
    reply = run->session.ListPartsPage(filled.id, after, 2, &second);
  }
  if (!filled.id.text.empty()) (void)run->session.Abort(filled.id);
  if (!filled.reply.ok()) {
    run->NotKnown("rights.list-parts", filled.reply.Cause());
  } else if (allowed.ok()) {
    run->Found("rights.list-parts", "allowed");
  } else {
    run->Refused("rights.list-parts", allowed);
  }
  if (reply.ok()) return FindPages(run, first, second);
  for (const std::string_view name : {"list-parts.pages", "list-parts.order"}) run->NotKnown(name, reply.Cause());
}

void ProbeMostParts(S3Run* run) {
  constexpr std::string_view kName = "most-parts";
  UploadId id;
  const ProbeReply created = run->session.Create(&id);
  if (!created.ok()) return run->NotKnown(kName, created.Cause());
  std::string cause;
  // The highest number that is taken, and the lowest that is not: halved until they meet.
  int taken = 0, refused = kS3MaxParts + 1;
  int next = kS3MaxParts;
  bool known = true;
  while (known && refused - taken > 1) {
    const Taken answer = TakesNumber(&run->session, id, next, &cause);
    if (answer == Taken::kYes) taken = next;
    if (answer == Taken::kNo) refused = next;
    known = answer != Taken::kNotKnown;
    next = taken + (refused - taken) / 2;
  }
  (void)run->session.Abort(id);
  if (!known || taken == 0) return run->NotKnown(kName, cause);
  run->limits()->max_parts = taken;
  if (taken == kS3MaxParts) return run->Found(kName, "10000");
  run->Found(kName, "fewer", cause, std::to_string(taken));
}

void ProbeSmallestPart(S3Run* run) {
  constexpr std::string_view kName = "smallest-part";
  const ProbeReply tiny = CompleteOf(&run->session, {SmallBody("far too small"), SmallBody("last")});
  if (!tiny.answered()) return run->NotKnown(kName, tiny.Cause());
  if (!tiny.ok()) return run->Found(kName, "5 MiB");
  run->limits()->min_part_bytes = 1;
  run->Found(kName, "below 5 MiB");
}

void ProbeEqualParts(S3Run* run) {
  constexpr std::string_view kName = "equal-parts";
  constexpr int64_t kMore = 64 << 10;
  const ProbeReply unequal =
      CompleteOf(&run->session, {LargeBody(kS3MinPart), LargeBody(kS3MinPart + kMore), SmallBody("last")});
  if (unequal.ok()) return run->Found(kName, "not needed");
  if (!unequal.answered()) return run->NotKnown(kName, unequal.Cause());
  // The last is shorter still: only if that completes was the second refused for its length.
  const ProbeReply equal = CompleteOf(&run->session, {LargeBody(kS3MinPart), SmallBody("last")});
  if (equal.ok()) {
    run->limits()->equal_parts = true;
    return run->Found(kName, "needed", unequal.Cause());
  }
  run->NotKnown(kName, equal.Cause());
  if (!equal.Is(ErrorKind::kLimit)) return;
  for (Finding& finding : run->report.findings) {
    if (finding.name == "smallest-part") finding = MakeFinding("smallest-part", "above 5 MiB", equal.Cause());
  }
}

}  // namespace tailrace
