// The border: what happens inside becomes a kind and an error handle, and nothing is thrown across.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include <arrow/result.h>

#include "c/handles.h"

namespace tailrace::c {

using arrow::Result;

// Puts the error of a failed status into *error, unless `error` is nullptr, and returns its kind.
tailrace_kind Fail(const Status& status, tailrace_error** error) noexcept;
// The same without any allocation.
tailrace_kind FailOutOfMemory(tailrace_error** error) noexcept;
// True for the error that FailOutOfMemory hands out, which belongs to nobody.
bool IsStaticError(const tailrace_error* error) noexcept;

// Runs `call`, which returns a Status.
template <typename Call>
tailrace_kind Guard(tailrace_error** error, const Call& call) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    const Status status = call();
    return status.ok() ? TAILRACE_OK : Fail(status, error);
  } catch (const std::bad_alloc&) {
    return FailOutOfMemory(error);
  } catch (const std::exception& exception) {
    return Fail(Status::UnknownError(exception.what()), error);
  } catch (...) {
    return Fail(Status::UnknownError("an exception of unknown type"), error);
  }
}

// Runs `make`, which returns a Result<Value>, and hands its value out as a new Handle in *out, which is nullptr after a
// failure.
template <typename Handle, typename Make>
tailrace_kind GuardNew(Handle** out, tailrace_error** error, const Make& make) noexcept {
  if (out != nullptr) *out = nullptr;
  return Guard(error, [&]() -> Status {
    if (out == nullptr) return MakeError(ErrorKind::kInvalid, "there is no place for the result: NULL was passed");
    ARROW_ASSIGN_OR_RAISE(auto value, make());
    *out = new Handle{std::move(value)};
    return Status::OK();
  });
}

// kInvalid where a handle or string that a call needs is missing.
Status Required(const void* pointer, const char* name);

}  // namespace tailrace::c
