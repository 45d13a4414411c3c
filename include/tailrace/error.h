// The one error vocabulary: arrow::Status everywhere, with an ErrorDetail that says what to do next.
//
// Callers and bindings decide by kind, never by text. `OutcomeOf` maps the status of Finish and Commit to
// the five outcomes of a commit. No message ever holds a credential.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <arrow/status.h>

namespace tailrace {

using arrow::Status;

// What went wrong, grouped by what the caller can do about it.
enum class ErrorKind {
  kInvalid,         // the input, an option or a call is wrong; repeating it cannot help
  kNotFound,        // a folder, object or file that must be there is absent
  kDenied,          // rights are missing
  kThrottled,       // the store asks to slow down
  kTransient,       // may go away by itself: I/O error, time-out, reset
  kNoSpace,         // the store's disk or quota is full
  kPrecondition,    // another object is under the key and the policy forbids replacing it
  kLimit,           // a limit of the store, the format or the options is reached; names limit and setting
  kUploadGone,      // the upload expired, was aborted, or was completed by somebody
  kPartMismatch,    // Complete was refused: a named part is absent or has other content
  kFenced,          // another writer of the same write won, or replaced a part of ours
  kWriterAlive,     // a live process holds the upload
  kOutcomeUnknown,  // rights or answers are missing to tell whether the commit happened
  kBadState,        // a WriterState or PendingCommit is damaged or is for another target
  kStateTooNew,     // ... was written by a newer format
  kCancelled,       // stopped on request
  kInternal,        // a bug here or in a dependency
};

// "fenced", "upload gone", ...: stable, lower case, used in JSON output and documentation.
std::string_view ErrorKindName(ErrorKind kind);

// What is known about the object after a call of Finish or Commit. Only kCommitted is success.
enum class Outcome {
  kCommitted,  // the object is there, whole and ours
  kRetry,      // not done, nothing is lost: call again later
  kGone,       // the upload expired or was aborted, and what is under the key, if anything, is not ours
  kFenced,     // same write, other content: finished elsewhere, or a part was replaced by another writer
  kUnknown,    // rights or answers are missing to tell; the value stays good
};
std::string_view OutcomeName(Outcome outcome);

// Travels inside arrow::Status.
class ErrorDetail : public arrow::StatusDetail {
 public:
  explicit ErrorDetail(ErrorKind kind) : kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  // The part that kPartMismatch or kFenced is about, if it is about one.
  std::optional<int> part_number;
  // For kFenced: the rows of the object that won, if it could be read.
  std::optional<int64_t> rows;
  // For kPrecondition of Resume: this very write was closed and committed already, so nothing is left to do.
  bool already_committed = false;
  // A request was sent and no answer came: it may have been done, may still be at work, or may never have arrived.
  bool answer_lost = false;

  const char* type_id() const override;
  std::string ToString() const override;

 private:
  ErrorKind kind_;
};

// A failed status of this kind. The Arrow code follows from the kind, so that plain Arrow users see sense too.
Status MakeError(ErrorKind kind, std::string message);
Status MakeError(std::shared_ptr<ErrorDetail> detail, std::string message);

// nullptr where the status carries none.
const ErrorDetail* DetailOf(const Status& status);
// The kind of a failed status; one without a detail is judged by its Arrow code.
ErrorKind KindOf(const Status& status);
// `status` with `context` and ": " before its message; code and detail stay.
Status WithContext(const Status& status, std::string_view context);
// The outcome that a status returned by Finish or Commit stands for.
Outcome OutcomeOf(const Status& status);

}  // namespace tailrace
