#include <map>
#include <utility>

#include "base/clock.h"
#include "commit/complete_upload.h"
#include "encode/file_tail.h"
#include "settle/target_store.h"
#include "tailrace/commit.h"
#include "writer/open_file.h"

namespace tailrace {

namespace {

// One call of Finish: drives an OpenFile that was rebuilt from the state only to be finished.
class Finisher {
 public:
  Finisher(const WriterState& state, StoreAndKey at, const CommitOptions& options)
      : state_(state), at_(std::move(at)), options_(options) {}

  Result<CommitInfo> Run() {
    ARROW_ASSIGN_OR_RAISE(FileTail tail, BuildTail(state_.content, FileEnd::kFinish));
    ARROW_RETURN_NOT_OK(Expect(tail));
    Result<Completed> done = UploadAndComplete(tail);
    if (!done.ok()) return WithContext(done.status(), "finishing " + state_.target.ToUrl());
    return CommitInfo{.size_bytes = done->meta.size_bytes,
                      .rows = state_.rows(),
                      .etag = done->meta.etag,
                      .already_committed = done->found_there};
  }

 private:
  Status Expect(const FileTail& tail) {
    expected_ = {.write_id = state_.write_id, .upload_id = state_.progress.upload_id};
    ARROW_ASSIGN_OR_RAISE(expected_.content, ReadContentId(tail.footer));
    rules_ = {.settle_timeout = options_.settle_timeout,
              .clock = options_.clock != nullptr ? options_.clock : Clock::System()};
    return Status::OK();
  }

  Result<Completed> UploadAndComplete(const FileTail& tail) {
    Result<std::unique_ptr<Upload>> upload =
        at_.store->OpenUpload(at_.key, state_.progress.upload_id, {.verify = options_.verify});
    if (!upload.ok()) return FoundUnlessHere(upload.status());
    const OpenFile::Rules rules{.part_lengths = state_.progress.part_lengths, .single_put_max_bytes = -1};
    ARROW_ASSIGN_OR_RAISE(OpenFile file, OpenFile::FromProgress(rules, state_.progress, OpenFile::Purpose::kFinish));
    ARROW_ASSIGN_OR_RAISE(std::vector<Action> puts, file.Apply(CloseAsked{tail.bytes}));
    for (Action& action : puts) {
      Part& part = std::get<StorePartAction>(action).part;
      Result<PartReceipt> receipt = (*upload)->PutPart(part);
      if (!receipt.ok()) return FoundUnlessHere(receipt.status());
      held_.emplace(part.number, std::move(part));
      ARROW_RETURN_NOT_OK(file.Apply(PartStored{*std::move(receipt)}));
    }
    ARROW_ASSIGN_OR_RAISE(std::vector<Action> complete, file.Apply(CommitAsked{}));
    return CompleteAndSettle({.store = at_.store.get(),
                              .key = at_.key,
                              .upload = upload->get(),
                              .parts = std::get<CompleteAction>(complete.front()).parts,
                              .condition = {.if_absent = state_.options.overwrite == OverwritePolicy::kFailIfExists},
                              .expected = expected_,
                              .rules = rules_,
                              .put_again = [&](int number) -> std::optional<Result<PartReceipt>> {
                                auto it = held_.find(number);
                                if (it == held_.end()) return std::nullopt;
                                return (*upload)->PutPart(it->second);
                              }});
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
  ExpectedObject expected_;
  SettleRules rules_;
  std::map<int, Part> held_;  // the parts of the tail, to be sent again where another writer replaced them
};

}  // namespace

Result<CommitInfo> Finish(const WriterState& state, const CommitOptions& options) {
  ARROW_ASSIGN_OR_RAISE(StoreAndKey at, ChooseStore(state.target, {options.store, options.key, options.retarget}));
  return Finisher(state, std::move(at), options).Run();
}

}  // namespace tailrace
