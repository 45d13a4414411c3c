#include "commit/complete_upload.h"

#include <chrono>
#include <random>
#include <string>
#include <utility>

#include "base/clock.h"

namespace tailrace {

namespace {

// How often Complete is tried again after it was refused for a part, before the caller is told to come back later: two
// writers that keep replacing each other's parts must both end.
constexpr int kMismatchRounds = 5;

// Different for each process, so that two that replaced each other's parts do not do it again in step.
std::chrono::milliseconds Jitter(int round) {
  static thread_local std::minstd_rand random(std::random_device{}());
  return std::chrono::milliseconds(random() % (50u << round));
}

class Settler {
 public:
  explicit Settler(CompleteRequest request) : request_(std::move(request)) {}

  Result<Completed> Run() {
    for (int round = 0;; ++round) {
      Result<ObjectMeta> made = request_.upload->Complete(request_.parts, request_.condition);
      if (made.ok()) return Completed{*std::move(made), false};
      switch (KindOf(made.status())) {
        case ErrorKind::kUploadGone:
          return FoundOrGone();
        case ErrorKind::kPartMismatch:
          if (round == kMismatchRounds) return MakeError(ErrorKind::kTransient, made.status().message());
          if (Status mended = Mend(round); !mended.ok()) {
            return KindOf(mended) == ErrorKind::kUploadGone ? FoundOrGone() : mended;
          }
          continue;
        case ErrorKind::kPrecondition:
        case ErrorKind::kDenied:  // what one server says of an upload that was completed before
          return FoundOr(made.status());
        case ErrorKind::kTransient:
        case ErrorKind::kThrottled:
        case ErrorKind::kCancelled:
        case ErrorKind::kInternal:
          return AfterLostAnswer(made.status());
        default:
          return made.status();
      }
    }
  }

 private:
  Result<Completed> FoundOrGone() {
    ARROW_ASSIGN_OR_RAISE(ObjectMeta meta, SettleGone(request_.store, request_.key, request_.expected, request_.rules));
    return Completed{std::move(meta), true};
  }

  // OK where the object is ours; else `otherwise`.
  Result<Completed> FoundOr(const Status& otherwise) {
    const SeenObject seen = LookAtObject(request_.store, request_.key, request_.expected);
    if (seen.sighting == Sighting::kOtherContent) return FencedBy(seen, request_.key);
    if (seen.sighting != Sighting::kOurs) return otherwise;
    ARROW_RETURN_NOT_OK(request_.store->SyncObject(request_.key));
    return Completed{seen.meta, true};
  }

  // The answer did not come: the object may be there, may come, or the request may never have arrived.
  Result<Completed> AfterLostAnswer(const Status& lost) {
    request_.rules.answer_lost = true;
    Result<Completed> found = FoundOr(lost);
    if (found.ok() || KindOf(found.status()) == ErrorKind::kFenced) return found;
    Result<std::vector<PartReceipt>> listed = request_.upload->ListParts(request_.parts);
    if (listed.ok()) return lost;  // the upload is still there: nothing happened, try again later
    if (KindOf(listed.status()) == ErrorKind::kUploadGone) return FoundOrGone();
    return MakeError(ErrorKind::kOutcomeUnknown,
                     "the answer to completing '" + request_.key + "' was lost (" + lost.message() +
                         ") and the upload cannot be examined: " + listed.status().message());
  }

  // Complete was refused for a part: another writer replaced one, or, on some stores, left one that must be named.
  Status Mend(int round) {
    Result<std::vector<PartReceipt>> listed = request_.upload->ListParts(request_.parts);
    if (!listed.ok()) {
      if (KindOf(listed.status()) == ErrorKind::kUploadGone) return Status::OK();  // the next Complete says so
      return MakeError(ErrorKind::kOutcomeUnknown,
                       "completing '" + request_.key +
                           "' was refused for a part and the parts cannot be listed: " + listed.status().message());
    }
    if (round > 0) request_.rules.clock->SleepFor(Jitter(round));
    ARROW_ASSIGN_OR_RAISE(request_.parts, request_.mend(*listed));
    return Status::OK();
  }

  CompleteRequest request_;
};

}  // namespace

PutCondition ConditionOf(OverwritePolicy overwrite) {
  return {.if_absent = overwrite != OverwritePolicy::kOverwrite,
          .atomic = overwrite == OverwritePolicy::kFailIfExistsAtomically};
}

Result<Completed> CompleteAndSettle(CompleteRequest request) { return Settler(std::move(request)).Run(); }

}  // namespace tailrace
