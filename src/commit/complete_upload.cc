#include "commit/complete_upload.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/clock.h"

namespace tailrace {

namespace {

// How often parts are sent again after Complete found them replaced, before the caller is told to come back later: two
// writers that keep replacing each other's parts must both end.
constexpr int kMismatchRounds = 3;

Status FencedInPart(int number, const std::string& key) {
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kFenced);
  detail->part_number = number;
  return MakeError(std::move(detail),
                   "part " + std::to_string(number) + " of the upload of '" + key +
                       "' was replaced by another writer of the same write; a state that is newer, or "
                       "one whose parts are intact, still finishes");
}

const PartReceipt* FindPart(const std::vector<PartReceipt>& parts, int number) {
  auto it = std::find_if(parts.begin(), parts.end(), [&](const PartReceipt& part) { return part.number == number; });
  return it == parts.end() ? nullptr : &*it;
}

bool SameBytes(const PartReceipt& ours, const PartReceipt& listed) {
  return ours.size_bytes == listed.size_bytes && (ours.etag == listed.etag || ours.crc64 == listed.crc64);
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
          ARROW_RETURN_NOT_OK(MendParts());
          continue;
        case ErrorKind::kPrecondition:
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

  // Complete says that a part differs from its receipt: takes over the store's tag where the bytes are the same, sends
  // again what the caller holds, and gives up where another writer's bytes stand in a part that nobody here holds.
  Status MendParts() {
    Result<std::vector<PartReceipt>> listed = request_.upload->ListParts(request_.parts);
    if (!listed.ok()) {
      if (KindOf(listed.status()) == ErrorKind::kUploadGone) return Status::OK();  // the next Complete says so
      return MakeError(ErrorKind::kOutcomeUnknown,
                       "completing '" + request_.key +
                           "' was refused for a part and the parts cannot be listed: " + listed.status().message());
    }
    for (PartReceipt& ours : request_.parts) {
      const PartReceipt* there = FindPart(*listed, ours.number);
      if (there != nullptr && SameBytes(ours, *there)) {
        ours.etag = there->etag;
        continue;
      }
      auto again = request_.put_again ? request_.put_again(ours.number) : std::nullopt;
      if (!again) return FencedInPart(ours.number, request_.key);
      ARROW_ASSIGN_OR_RAISE(ours, *std::move(again));
    }
    return Status::OK();
  }

  CompleteRequest request_;
};

}  // namespace

Result<Completed> CompleteAndSettle(CompleteRequest request) { return Settler(std::move(request)).Run(); }

}  // namespace tailrace
