#include <utility>

#include "base/clock.h"
#include "commit/call_events.h"
#include "commit/complete_upload.h"
#include "encode/file_tail.h"
#include "settle/target_store.h"
#include "tailrace/commit.h"
#include "upload/end_uploader.h"
#include "writer/carried_end.h"

namespace tailrace {

namespace {

// One call of Finish.
class Finisher {
 public:
  Finisher(const WriterState& state, StoreAndKey at, const CommitOptions& options, CallEvents* events)
      : state_(state), at_(std::move(at)), options_(options), events_(events) {}

  Result<CommitInfo> Run() {
    ARROW_RETURN_NOT_OK(Expect());
    Result<Completed> done = UploadAndComplete();
    if (!done.ok()) return WithContext(done.status(), "finishing " + state_.target.ToUrl());
    return CommitInfo{.size_bytes = done->meta.size_bytes,
                      .rows = state_.rows(),
                      .etag = done->meta.etag,
                      .already_committed = done->found_there};
  }

 private:
  Status Expect() {
    ARROW_ASSIGN_OR_RAISE(FileTail tail, BuildTail(state_.content, FileEnd::kFinish));
    expected_ = {.write_id = state_.write_id, .upload_id = state_.progress.upload_id};
    ARROW_ASSIGN_OR_RAISE(expected_.content, ReadContentId(tail.footer));
    rules_ = {.settle_timeout = options_.settle_timeout,
              .clock = options_.clock != nullptr ? options_.clock : Clock::System()};
    return Status::OK();
  }

  Result<Completed> UploadAndComplete() {
    Result<std::unique_ptr<Upload>> upload =
        at_.store->OpenUpload(at_.key, state_.progress.upload_id, {.verify = options_.verify});
    if (!upload.ok()) return FoundUnlessHere(upload.status());
    const bool around_strays = at_.store->limits().stray_parts == StrayParts::kRefused;
    EndUploader end(upload->get(), state_.progress, TailOf(state_.content, FileEnd::kFinish), around_strays,
                    "'" + at_.key + "'");
    end.ReportTo([this](const PartReceipt& part, auto duration) { events_->PartStored(part, duration); });
    Result<std::vector<PartReceipt>> parts = end.Store();
    if (!parts.ok()) return FoundUnlessHere(parts.status());
    return CompleteAndSettle({.store = at_.store.get(),
                              .key = at_.key,
                              .upload = upload->get(),
                              .parts = *std::move(parts),
                              .condition = ConditionOf(state_.options.overwrite),
                              .expected = expected_,
                              .rules = rules_,
                              .mend = [&](const std::vector<PartReceipt>& listed) { return end.Mend(listed); }});
  }

  // No upload any more: the object under the key decides. Any other error stands.
  Result<Completed> FoundUnlessHere(const Status& error) {
    if (KindOf(error) != ErrorKind::kUploadGone) return error;
    ARROW_ASSIGN_OR_RAISE(ObjectMeta meta, SettleGone(at_.store.get(), at_.key, expected_, rules_));
    return Completed{std::move(meta), true};
  }

  const WriterState& state_;
  const StoreAndKey at_;
  const CommitOptions& options_;
  CallEvents* const events_;
  ExpectedObject expected_;
  SettleRules rules_;
};

}  // namespace

Result<CommitInfo> Finish(const WriterState& state, const CommitOptions& options) {
  CallEvents events(options, state);
  const auto finish = [&]() -> Result<CommitInfo> {
    ARROW_ASSIGN_OR_RAISE(StoreAndKey at,
                          ChooseStore(state.target, state.object, {options.store, options.key, options.retarget}));
    if (state.carried.empty()) return Finisher(state, std::move(at), options, &events).Run();
    Result<WriterState> whole = EncodeCarriedRows(state);
    if (!whole.ok()) return WithContext(whole.status(), "finishing " + state.target.ToUrl());
    return Finisher(*whole, std::move(at), options, &events).Run();
  };
  return events.Ended(EventKind::kFinished, WriteStep::kFinish, finish());
}

}  // namespace tailrace
