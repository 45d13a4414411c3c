#include "cli/abort_file.h"

#include <utility>

#include "cli/state_file.h"
#include "tailrace/commit.h"

namespace tailrace::cli {

namespace {

template <typename Value>
ExitCode AbortValue(const std::string& file, const Result<Value>& value, const TargetFlags& target,
                    const StoreOptions& options, Reporter* reporter, std::shared_ptr<Observer> observer) {
  if (!value.ok()) return reporter->Error(value.status());
  const auto at = target.Open(value->target, value->object, options);
  if (!at.ok()) return reporter->Error(at.status());
  CommitOptions abort = target.ToCommitOptions(*at);
  abort.observer = std::move(observer);
  const auto result = Abort(*value, abort);
  if (!result.ok()) return reporter->Error(result.status());
  const std::string url = at->store->TargetOf(at->key).ToUrl();
  if (*result == AbortResult::kAlreadyCommitted) {
    reporter->AlreadyCommitted(url);
    return ExitCode::kNothingAborted;
  }
  const Status marked = MarkAborted(file, value->write_id);
  if (!marked.ok()) reporter->Note("the mark of " + file + " could not be written: " + marked.message());
  reporter->Aborted(url);
  return ExitCode::kOk;
}

}  // namespace

ExitCode AbortFile(const std::string& file, const TargetFlags& target, const StoreOptions& options, Reporter* reporter,
                   std::shared_ptr<Observer> observer) {
  const auto bytes = ReadBlobFile(file);
  if (!bytes.ok()) return reporter->Error(bytes.status());
  const auto kind = KindOfBlob(*bytes);
  if (!kind.ok()) return reporter->Error(WithContext(kind.status(), file));
  // A pipe can be read only once; what is damaged is read again for what stands beside it.
  if (*kind == BlobKind::kPendingCommit) {
    const auto pending = PendingCommit::FromBytes(*bytes);
    return AbortValue(file, pending.ok() ? pending : LoadPending(file), target, options, reporter, std::move(observer));
  }
  const auto state = WriterState::FromBytes(*bytes);
  return AbortValue(file, state.ok() ? state : LoadState(file), target, options, reporter, std::move(observer));
}

}  // namespace tailrace::cli
