#include <cstdint>
#include <memory>
#include <string>

#include "c/guard.h"
#include "c/names.h"

namespace tailrace::c {
namespace {

// Handed out where not even an error can be allocated. Small enough for the string's own buffer, so that making it
// allocates nothing either.
tailrace_error* OutOfMemory() {
  static tailrace_error error{.message = "out of memory"};
  return &error;
}

std::unique_ptr<tailrace_error> MakeHandle(const Status& status) {
  auto error = std::make_unique<tailrace_error>();
  error->kind = KindToC(KindOf(status));
  error->outcome = OutcomeToC(OutcomeOf(status));
  error->message = status.message();
  if (const ErrorDetail* detail = DetailOf(status)) {
    error->rows = detail->rows.value_or(-1);
    error->part = detail->part_number.value_or(0);
    error->already_committed = detail->already_committed;
  }
  return error;
}

}  // namespace

tailrace_kind Fail(const Status& status, tailrace_error** error) noexcept {
  try {
    std::unique_ptr<tailrace_error> handle = MakeHandle(status);
    const tailrace_kind kind = handle->kind;
    if (error != nullptr) *error = handle.release();
    return kind;
  } catch (...) {
    return FailOutOfMemory(error);
  }
}

tailrace_kind FailOutOfMemory(tailrace_error** error) noexcept {
  if (error != nullptr) *error = OutOfMemory();
  return TAILRACE_INTERNAL;
}

bool IsStaticError(const tailrace_error* error) noexcept { return error == OutOfMemory(); }

Status Required(const void* pointer, const char* name) {
  if (pointer != nullptr) return Status::OK();
  return MakeError(ErrorKind::kInvalid, std::string(name) + " is NULL");
}

}  // namespace tailrace::c

using tailrace::c::IsStaticError;

extern "C" {

tailrace_kind tailrace_error_kind(const tailrace_error* error) { return error == nullptr ? TAILRACE_OK : error->kind; }

tailrace_outcome tailrace_error_outcome(const tailrace_error* error) {
  return error == nullptr ? TAILRACE_OUTCOME_IS_COMMITTED : error->outcome;
}

const char* tailrace_error_message(const tailrace_error* error) {
  return error == nullptr ? "" : error->message.c_str();
}

int64_t tailrace_error_rows(const tailrace_error* error) { return error == nullptr ? -1 : error->rows; }

int32_t tailrace_error_part(const tailrace_error* error) { return error == nullptr ? 0 : error->part; }

int32_t tailrace_error_already_committed(const tailrace_error* error) {
  return error != nullptr && error->already_committed ? 1 : 0;
}

void tailrace_error_free(tailrace_error* error) {
  if (!IsStaticError(error)) delete error;
}

}  // extern "C"
