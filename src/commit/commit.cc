#include <utility>

#include "base/clock.h"
#include "commit/call_events.h"
#include "commit/complete_upload.h"
#include "encode/file_tail.h"
#include "settle/target_store.h"
#include "tailrace/commit.h"
#include "upload/end_uploader.h"

namespace tailrace {

namespace {

// An object this much older than the write is the one that the write was meant to replace, whatever the clocks say.
constexpr auto kClockLeeway = std::chrono::minutes(5);

class Committer {
 public:
  Committer(const PendingCommit& pending, StoreAndKey at, const CommitOptions& options, CallEvents* events)
      : pending_(pending), at_(std::move(at)), options_(options), events_(events) {}

  Result<CommitInfo> Run() {
    ARROW_RETURN_NOT_OK(Expect());
    Result<Completed> done = pending_.is_inline() ? PutInline() : CompleteUpload();
    if (!done.ok()) return WithContext(done.status(), "committing " + pending_.target.ToUrl());
    return CommitInfo{.size_bytes = done->meta.size_bytes,
                      .rows = pending_.rows,
                      .etag = done->meta.etag,
                      .already_committed = done->found_there};
  }

 private:
  Status Expect() {
    expected_ = {.write_id = pending_.write_id, .upload_id = pending_.upload_id, .size_bytes = pending_.size_bytes};
    if (!pending_.state) expected_.crc64 = pending_.crc64;
    ARROW_ASSIGN_OR_RAISE(expected_.content, ReadContentId(pending_.footer));
    rules_ = {.settle_timeout = options_.settle_timeout,
              .clock = options_.clock != nullptr ? options_.clock : Clock::System()};
    return Status::OK();
  }

  bool may_overwrite() const { return pending_.overwrite == OverwritePolicy::kOverwrite; }

  Result<Completed> CompleteUpload() {
    Result<std::unique_ptr<Upload>> upload =
        at_.store->OpenUpload(at_.key, pending_.upload_id, {.seal = pending_.seal, .verify = options_.verify});
    if (!upload.ok()) {
      if (KindOf(upload.status()) != ErrorKind::kUploadGone) return upload.status();
      ARROW_ASSIGN_OR_RAISE(ObjectMeta meta, SettleGone(at_.store.get(), at_.key, expected_, rules_));
      return Completed{std::move(meta), true};
    }
    std::optional<EndUploader> end;
    if (pending_.state) {
      const UploadProgress& progress = pending_.state->progress;
      const std::vector<PartReceipt> stored_end(
          pending_.receipts.begin() + static_cast<ptrdiff_t>(progress.receipts.size()), pending_.receipts.end());
      end.emplace(upload->get(), progress, TailOf(pending_.state->content, FileEnd::kClose), /*around_strays=*/true,
                  "'" + at_.key + "'", stored_end);
    }
    if (end) end->ReportTo([this](const PartReceipt& part, auto duration) { events_->PartStored(part, duration); });
    return CompleteAndSettle({.store = at_.store.get(),
                              .key = at_.key,
                              .upload = upload->get(),
                              .parts = pending_.receipts,
                              .condition = ConditionOf(pending_.overwrite),
                              .expected = expected_,
                              .rules = rules_,
                              .mend = [&](const std::vector<PartReceipt>& listed) {
                                return end ? end->Mend(listed)
                                           : KeepOurParts(pending_.receipts, listed, "'" + at_.key + "'");
                              }});
  }

  // A small file. The first try in the process that closed it is one request; any other try looks first, since an
  // earlier one may have succeeded and its object may have been replaced by a newer one since.
  Result<Completed> PutInline() {
    const bool first = pending_.first_try != nullptr && pending_.first_try->exchange(false);
    if (first) return Put(ConditionOf(pending_.overwrite));
    const SeenObject seen = LookAtObject(at_.store.get(), at_.key, expected_);
    switch (seen.sighting) {
      case Sighting::kOurs:
        return Found(seen);
      case Sighting::kOtherContent:
        return FencedBy(seen, at_.key);
      case Sighting::kUnreadable:
        return MakeError(ErrorKind::kOutcomeUnknown,
                         "an earlier try may have committed and the object cannot be examined: " + seen.why.message());
      case Sighting::kAbsent:
        return Put({.if_absent = at_.store->limits().conditional_put || !may_overwrite(),
                    .atomic = ConditionOf(pending_.overwrite).atomic});
      case Sighting::kForeign:
        break;
    }
    if (!may_overwrite()) {
      return MakeError(ErrorKind::kPrecondition, "another object is under '" + at_.key +
                                                     "' and the overwrite policy "
                                                     "of this write is fail_if_exists");
    }
    const auto born = pending_.write_id.Time();
    if (!options_.force && !(born && seen.meta.last_modified < *born - kClockLeeway)) {
      return MakeError(ErrorKind::kPrecondition, "the object under '" + at_.key +
                                                     "' is newer than this write and not of it, so that replacing it "
                                                     "could lose data; set force to replace it");
    }
    PutCondition condition;
    if (at_.store->limits().conditional_put) condition.if_match_etag = seen.meta.etag;
    return Put(condition);
  }

  Result<Completed> Put(const PutCondition& condition) {
    ByteSlices body(ByteSlice::Copy(pending_.inline_bytes));
    Result<ObjectMeta> put = at_.store->Put(at_.key, body, pending_.write_id, condition);
    if (put.ok()) return Completed{*std::move(put), false};
    // The answer may have been lost, or the "other" object that the condition met may be our own from an earlier try.
    expected_.may_be_made_now = KindOf(put.status()) == ErrorKind::kTransient;
    const SeenObject seen = LookAtObject(at_.store.get(), at_.key, expected_);
    if (seen.sighting == Sighting::kOurs) return Found(seen);
    return put.status();
  }

  Result<Completed> Found(const SeenObject& seen) {
    ARROW_RETURN_NOT_OK(at_.store->SyncObject(at_.key));
    return Completed{seen.meta, true};
  }

  const PendingCommit& pending_;
  const StoreAndKey at_;
  const CommitOptions& options_;
  CallEvents* const events_;
  ExpectedObject expected_;
  SettleRules rules_;
};

}  // namespace

Result<CommitInfo> Commit(const PendingCommit& pending, const CommitOptions& options) {
  CallEvents events(options, pending);
  const auto commit = [&]() -> Result<CommitInfo> {
    ARROW_ASSIGN_OR_RAISE(StoreAndKey at,
                          ChooseStore(pending.target, pending.object, {options.store, options.key, options.retarget}));
    return Committer(pending, std::move(at), options, &events).Run();
  };
  return events.Ended(EventKind::kCommitted, WriteStep::kCommit, commit());
}

}  // namespace tailrace
