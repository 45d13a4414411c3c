#include "c/names.h"

#include <string_view>
#include <utility>

namespace tailrace::c {
namespace {

constexpr std::pair<ErrorKind, tailrace_kind> kKinds[] = {
    {ErrorKind::kInvalid, TAILRACE_INVALID},
    {ErrorKind::kNotFound, TAILRACE_NOT_FOUND},
    {ErrorKind::kDenied, TAILRACE_DENIED},
    {ErrorKind::kThrottled, TAILRACE_THROTTLED},
    {ErrorKind::kTransient, TAILRACE_TRANSIENT},
    {ErrorKind::kNoSpace, TAILRACE_NO_SPACE},
    {ErrorKind::kPrecondition, TAILRACE_PRECONDITION},
    {ErrorKind::kLimit, TAILRACE_LIMIT},
    {ErrorKind::kUploadGone, TAILRACE_UPLOAD_GONE},
    {ErrorKind::kPartMismatch, TAILRACE_PART_MISMATCH},
    {ErrorKind::kFenced, TAILRACE_FENCED},
    {ErrorKind::kWriterAlive, TAILRACE_WRITER_ALIVE},
    {ErrorKind::kOutcomeUnknown, TAILRACE_OUTCOME_UNKNOWN},
    {ErrorKind::kBadState, TAILRACE_BAD_STATE},
    {ErrorKind::kStateTooNew, TAILRACE_STATE_TOO_NEW},
    {ErrorKind::kCancelled, TAILRACE_CANCELLED},
    {ErrorKind::kInternal, TAILRACE_INTERNAL},
};

constexpr std::pair<Outcome, tailrace_outcome> kOutcomes[] = {
    {Outcome::kCommitted, TAILRACE_OUTCOME_IS_COMMITTED}, {Outcome::kRetry, TAILRACE_OUTCOME_IS_RETRY},
    {Outcome::kGone, TAILRACE_OUTCOME_IS_GONE},           {Outcome::kFenced, TAILRACE_OUTCOME_IS_FENCED},
    {Outcome::kUnknown, TAILRACE_OUTCOME_IS_UNKNOWN},
};

}  // namespace

tailrace_kind KindToC(ErrorKind kind) {
  for (const auto& [ours, theirs] : kKinds) {
    if (ours == kind) return theirs;
  }
  return TAILRACE_INTERNAL;
}

tailrace_outcome OutcomeToC(Outcome outcome) {
  for (const auto& [ours, theirs] : kOutcomes) {
    if (ours == outcome) return theirs;
  }
  return TAILRACE_OUTCOME_IS_UNKNOWN;
}

ErrorKind KindFromC(tailrace_kind kind) {
  for (const auto& [ours, theirs] : kKinds) {
    if (theirs == kind) return ours;
  }
  return ErrorKind::kInternal;
}

}  // namespace tailrace::c

extern "C" {

// The names are literals, so their data ends with a 0.
const char* tailrace_kind_name(tailrace_kind kind) {
  if (kind == TAILRACE_OK) return "ok";
  for (const auto& [ours, theirs] : tailrace::c::kKinds) {
    if (theirs == kind) return tailrace::ErrorKindName(ours).data();
  }
  return "unknown kind";
}

const char* tailrace_outcome_name(tailrace_outcome outcome) {
  for (const auto& [ours, theirs] : tailrace::c::kOutcomes) {
    if (theirs == outcome) return tailrace::OutcomeName(ours).data();
  }
  return "unknown outcome";
}

}  // extern "C"
