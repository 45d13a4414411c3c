#include "commit/complete_upload.h"

#include <array>
#include <chrono>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "base/clock.h"

namespace tailrace {

namespace {

// How often Complete is tried again after it was refused for a part, before the caller is told to come back later: two
// writers that keep replacing each other's parts must both end.
constexpr int kMismatchRounds = 5;

// Waits before Complete is sent again whose answer was lost while the upload is still there.
constexpr std::array<std::chrono::milliseconds, 4> kSendAgain = {
    std::chrono::milliseconds(200), std::chrono::milliseconds(1000), std::chrono::milliseconds(2000),
    std::chrono::milliseconds(5000)};

// Different for each process, so that two that replaced each other's parts do not do it again in step.
std::chrono::milliseconds Jitter(int round) {
  static thread_local std::minstd_rand random(std::random_device{}());
  return std::chrono::milliseconds(random() % (50u << round));
}

class Settler {
 public:
  explicit Settler(CompleteRequest request) : request_(std::move(request)) {}

  Result<Completed> Run() {
    for (int refusals = 0;;) {
      Result<ObjectMeta> made = request_.upload->Complete(request_.parts, request_.condition);
      request_.expected.etag = request_.upload->EtagOf(request_.parts);
      if (made.ok()) return made->unproven ? Confirm(*made) : Completed{*std::move(made), false};
      switch (KindOf(made.status())) {
        case ErrorKind::kUploadGone:
          return FoundOrGone();
        case ErrorKind::kPartMismatch:
          if (refusals == kMismatchRounds) return MakeError(ErrorKind::kTransient, made.status().message());
          if (Status mended = Mend(refusals++); !mended.ok()) {
            return KindOf(mended) == ErrorKind::kUploadGone ? FoundOrGone() : mended;
          }
          continue;
        case ErrorKind::kTransient:
        case ErrorKind::kThrottled:
        case ErrorKind::kCancelled:
        case ErrorKind::kInternal: {
          ARROW_ASSIGN_OR_RAISE(std::optional<Completed> found, AfterFailure(made.status()));
          if (found) return *std::move(found);
          continue;
        }
        default:
          // The condition may have met our own object, and servers say of an upload that was completed before what they
          // like; one of them that it is denied.
          return FoundOr(made.status());
      }
    }
  }

 private:
  // Complete was answered with a success that may be about the parts of another writer.
  Result<Completed> Confirm(const ObjectMeta& made) {
    request_.expected.may_be_made_now = true;
    SeenObject seen = LookAtObject(request_.store, request_.key, request_.expected);
    // A right that is missing is missing the next time; a refusal for another cause may not come again.
    const bool denied = seen.sighting == Sighting::kUnreadable && KindOf(seen.why) == ErrorKind::kDenied;
    if (denied) seen = LookAtObject(request_.store, request_.key, request_.expected);
    switch (seen.sighting) {
      case Sighting::kOurs:
        return Completed{seen.meta, false};
      case Sighting::kOtherContent:
        return FencedBy(seen, request_.key);
      case Sighting::kUnreadable:
        // Whoever may write and not read has to take the store at its word.
        if (KindOf(seen.why) == ErrorKind::kDenied) return Completed{made, false};
        return MakeError(ErrorKind::kOutcomeUnknown, "'" + request_.key +
                                                         "' was completed, maybe by another process of the same "
                                                         "write, and cannot be examined: " +
                                                         seen.why.message());
      case Sighting::kAbsent:
      case Sighting::kForeign:
        break;
    }
    request_.rules.answer_lost = true;  // it may turn up late
    return FoundOrGone();
  }

  Result<Completed> FoundOrGone() {
    ARROW_ASSIGN_OR_RAISE(ObjectMeta meta, SettleGone(request_.store, request_.key, request_.expected, request_.rules));
    return Completed{std::move(meta), true};
  }

  // OK where the object is ours; else `otherwise`.
  Result<Completed> FoundOr(const Status& otherwise) {
    const SeenObject seen = LookAtObject(request_.store, request_.key, request_.expected);
    if (seen.sighting == Sighting::kOtherContent) return FencedBy(seen, request_.key);
    if (seen.sighting == Sighting::kAbsent && KindOf(otherwise) == ErrorKind::kPrecondition) {
      // A conflict (409) that stays: S3 wants the parts of such an upload to be sent again.
      return otherwise.WithMessage(otherwise.message(),
                                   "; nothing is under the key: the store refuses this upload, so ",
                                   "its parts must be sent again, by writing the file again");
    }
    if (seen.sighting != Sighting::kOurs) return otherwise;
    ARROW_RETURN_NOT_OK(request_.store->SyncObject(request_.key));
    return Completed{seen.meta, true};
  }

  // The object may be there, may come, or the request may never have arrived. nullopt: Complete is to be sent again,
  // which does no harm: it makes this very object, or is told that there is no such upload.
  Result<std::optional<Completed>> AfterFailure(const Status& failure) {
    request_.rules.answer_lost = true;
    request_.expected.may_be_made_now = true;
    Result<Completed> found = FoundOr(failure);
    if (found.ok() || KindOf(found.status()) == ErrorKind::kFenced) return found;
    Result<std::vector<PartReceipt>> listed = request_.upload->ListParts(request_.parts);
    if (!listed.ok() && KindOf(listed.status()) == ErrorKind::kUploadGone) return FoundOrGone();
    const ErrorDetail* const detail = DetailOf(failure);
    const bool lost = detail != nullptr && detail->answer_lost;
    const bool telling = listed.ok() || KindOf(listed.status()) == ErrorKind::kDenied;
    if (lost && telling && sent_again_ < kSendAgain.size()) {
      request_.rules.clock->SleepFor(kSendAgain[sent_again_++]);
      return std::nullopt;
    }
    // The upload is still there: try again later, also where the answers of the store make no sense.
    const bool senseless = lost && KindOf(failure) == ErrorKind::kInternal;
    if (listed.ok()) return senseless ? MakeError(ErrorKind::kTransient, failure.message()) : failure;
    return MakeError(ErrorKind::kOutcomeUnknown,
                     "the answer to completing '" + request_.key + "' was lost (" + failure.message() +
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
  size_t sent_again_ = 0;
};

}  // namespace

PutCondition ConditionOf(OverwritePolicy overwrite) {
  return {.if_absent = overwrite != OverwritePolicy::kOverwrite,
          .atomic = overwrite == OverwritePolicy::kFailIfExistsAtomically};
}

Result<Completed> CompleteAndSettle(CompleteRequest request) { return Settler(std::move(request)).Run(); }

}  // namespace tailrace
