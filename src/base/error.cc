#include "tailrace/error.h"

#include <cassert>
#include <cstring>
#include <utility>

namespace tailrace {
namespace {

constexpr char kTypeId[] = "tailrace::ErrorDetail";

arrow::StatusCode CodeFor(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalid:
      return arrow::StatusCode::Invalid;
    case ErrorKind::kNotFound:
    case ErrorKind::kDenied:
    case ErrorKind::kThrottled:
    case ErrorKind::kTransient:
    case ErrorKind::kNoSpace:
    case ErrorKind::kUploadGone:
    case ErrorKind::kPartMismatch:
    case ErrorKind::kFenced:
    case ErrorKind::kWriterAlive:
    case ErrorKind::kOutcomeUnknown:
      return arrow::StatusCode::IOError;
    case ErrorKind::kPrecondition:
      return arrow::StatusCode::AlreadyExists;
    case ErrorKind::kLimit:
      return arrow::StatusCode::CapacityError;
    case ErrorKind::kBadState:
    case ErrorKind::kStateTooNew:
      return arrow::StatusCode::SerializationError;
    case ErrorKind::kCancelled:
      return arrow::StatusCode::Cancelled;
    case ErrorKind::kInternal:
      break;
  }
  return arrow::StatusCode::UnknownError;
}

ErrorKind KindFor(arrow::StatusCode code) {
  switch (code) {
    case arrow::StatusCode::Invalid:
    case arrow::StatusCode::TypeError:
    case arrow::StatusCode::KeyError:
    case arrow::StatusCode::IndexError:
    case arrow::StatusCode::NotImplemented:
      return ErrorKind::kInvalid;
    // Memory can be free again at the next try.
    case arrow::StatusCode::OutOfMemory:
    case arrow::StatusCode::IOError:
      return ErrorKind::kTransient;
    case arrow::StatusCode::AlreadyExists:
      return ErrorKind::kPrecondition;
    case arrow::StatusCode::CapacityError:
      return ErrorKind::kLimit;
    case arrow::StatusCode::SerializationError:
      return ErrorKind::kBadState;
    case arrow::StatusCode::Cancelled:
      return ErrorKind::kCancelled;
    default:
      return ErrorKind::kInternal;
  }
}

}  // namespace

std::string_view ErrorKindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalid:
      return "invalid";
    case ErrorKind::kNotFound:
      return "not found";
    case ErrorKind::kDenied:
      return "denied";
    case ErrorKind::kThrottled:
      return "throttled";
    case ErrorKind::kTransient:
      return "transient";
    case ErrorKind::kNoSpace:
      return "no space";
    case ErrorKind::kPrecondition:
      return "precondition";
    case ErrorKind::kLimit:
      return "limit";
    case ErrorKind::kUploadGone:
      return "upload gone";
    case ErrorKind::kPartMismatch:
      return "part mismatch";
    case ErrorKind::kFenced:
      return "fenced";
    case ErrorKind::kWriterAlive:
      return "writer alive";
    case ErrorKind::kOutcomeUnknown:
      return "outcome unknown";
    case ErrorKind::kBadState:
      return "bad state";
    case ErrorKind::kStateTooNew:
      return "state too new";
    case ErrorKind::kCancelled:
      return "cancelled";
    case ErrorKind::kInternal:
      break;
  }
  return "internal";
}

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCommitted:
      return "committed";
    case Outcome::kRetry:
      return "retry";
    case Outcome::kGone:
      return "gone";
    case Outcome::kFenced:
      return "fenced";
    case Outcome::kUnknown:
      break;
  }
  return "unknown";
}

const char* ErrorDetail::type_id() const { return kTypeId; }

std::string ErrorDetail::ToString() const {
  std::string text(ErrorKindName(kind_));
  if (part_number) text += ", part " + std::to_string(*part_number);
  if (rows) text += ", " + std::to_string(*rows) + " rows";
  return text;
}

Status MakeError(ErrorKind kind, std::string message) {
  return MakeError(std::make_shared<ErrorDetail>(kind), std::move(message));
}

Status MakeError(std::shared_ptr<ErrorDetail> detail, std::string message) {
  const arrow::StatusCode code = CodeFor(detail->kind());
  return Status(code, std::move(message), std::move(detail));
}

const ErrorDetail* DetailOf(const Status& status) {
  const arrow::StatusDetail* detail = status.ok() ? nullptr : status.detail().get();
  // By name, as Arrow does: the same class in two libraries has two addresses.
  if (detail == nullptr || std::strcmp(detail->type_id(), kTypeId) != 0) return nullptr;
  return static_cast<const ErrorDetail*>(detail);
}

ErrorKind KindOf(const Status& status) {
  assert(!status.ok());
  const ErrorDetail* detail = DetailOf(status);
  return detail != nullptr ? detail->kind() : KindFor(status.code());
}

Status WithContext(const Status& status, std::string_view context) {
  if (status.ok()) return status;
  return status.WithMessage(context, ": ", status.message());
}

Outcome OutcomeOf(const Status& status) {
  if (status.ok()) return Outcome::kCommitted;
  switch (KindOf(status)) {
    case ErrorKind::kFenced:
    case ErrorKind::kPartMismatch:
      return Outcome::kFenced;
    case ErrorKind::kUploadGone:
      return Outcome::kGone;
    case ErrorKind::kOutcomeUnknown:
    // After a bug nothing can be promised.
    case ErrorKind::kInternal:
      return Outcome::kUnknown;
    default:
      return Outcome::kRetry;
  }
}

}  // namespace tailrace
