#include <utility>

#include "commit/call_events.h"
#include "encode/file_tail.h"
#include "settle/identity.h"
#include "settle/target_store.h"
#include "tailrace/commit.h"
#include "upload/abort_upload.h"

namespace tailrace {

namespace {

// What was written under the key by this very write, if anything: any content of it means that it was committed.
Result<AbortResult> ResultByObject(const StoreAndKey& at, const ExpectedObject& expected) {
  const SeenObject seen = LookAtObject(at.store.get(), at.key, expected);
  switch (seen.sighting) {
    case Sighting::kOurs:
    case Sighting::kOtherContent:
      return AbortResult::kAlreadyCommitted;
    case Sighting::kUnreadable:
      return MakeError(ErrorKind::kOutcomeUnknown,
                       "the upload is gone and the object cannot be examined: " + seen.why.message());
    case Sighting::kAbsent:
    case Sighting::kForeign:
      break;
  }
  return AbortResult::kAborted;
}

Result<AbortResult> AbortUpload(const StoreAndKey& at, const ExpectedObject& expected) {
  Result<std::unique_ptr<Upload>> upload = at.store->OpenUpload(at.key, expected.upload_id, {.verify = false});
  if (!upload.ok()) {
    if (KindOf(upload.status()) != ErrorKind::kUploadGone) return upload.status();
    return ResultByObject(at, expected);
  }
  Status aborted = AbortUntilGone(upload->get());
  if (aborted.ok()) return AbortResult::kAborted;
  if (KindOf(aborted) != ErrorKind::kUploadGone) return aborted;
  return ResultByObject(at, expected);
}

// A small file has no upload, but a Put that was killed may have left a hidden one of this write. Of stores over the
// network nothing is asked: they keep nothing of it, and listing takes a right that a writer need not have.
Result<AbortResult> AbortInline(const StoreAndKey& at, const ExpectedObject& expected) {
  if (at.store->TargetOf(at.key).kind == "s3") return ResultByObject(at, expected);
  Result<std::vector<UploadSummary>> uploads = at.store->ListUploads(at.key);
  // Whoever may write need not be allowed to list; stores of that kind keep nothing of a Put that was killed.
  if (!uploads.ok()) {
    return KindOf(uploads.status()) == ErrorKind::kDenied ? ResultByObject(at, expected) : uploads.status();
  }
  for (const UploadSummary& summary : *uploads) {
    if (summary.write_id != expected.write_id.text || summary.write_id.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(std::unique_ptr<Upload> upload, at.store->OpenUpload(at.key, summary.id, {.verify = false}));
    ARROW_RETURN_NOT_OK(AbortUntilGone(upload.get()));
  }
  return ResultByObject(at, expected);
}

Result<AbortResult> DropOf(const WriterState& state, const CommitOptions& options) {
  ARROW_ASSIGN_OR_RAISE(StoreAndKey at,
                        ChooseStore(state.target, state.object, {options.store, options.key, options.retarget}));
  const ExpectedObject expected{.write_id = state.write_id, .upload_id = state.progress.upload_id};
  return AbortUpload(at, expected);
}

Result<AbortResult> DropOf(const PendingCommit& pending, const CommitOptions& options) {
  ARROW_ASSIGN_OR_RAISE(StoreAndKey at,
                        ChooseStore(pending.target, pending.object, {options.store, options.key, options.retarget}));
  const ExpectedObject expected{.write_id = pending.write_id,
                                .upload_id = pending.upload_id,
                                .crc64 = pending.crc64,
                                .size_bytes = pending.size_bytes};
  return pending.is_inline() ? AbortInline(at, expected) : AbortUpload(at, expected);
}

}  // namespace

Result<AbortResult> Abort(const WriterState& state, const CommitOptions& options) {
  return CallEvents(options, state).Aborted(DropOf(state, options));
}

Result<AbortResult> Abort(const PendingCommit& pending, const CommitOptions& options) {
  return CallEvents(options, pending).Aborted(DropOf(pending, options));
}

}  // namespace tailrace
