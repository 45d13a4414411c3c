// States and pending commits: bytes, text and facts.
#include <string_view>

#include "c/guard.h"
#include "tailrace/describe.h"
#include "tailrace/state.h"

using arrow::Result;
using tailrace::Status;
using tailrace::c::Guard;
using tailrace::c::GuardNew;
using tailrace::c::Required;

namespace {

// The bytes of a caller. Nothing at all may be a NULL pointer.
Result<std::string_view> View(const uint8_t* data, size_t size) {
  if (size != 0) ARROW_RETURN_NOT_OK(Required(data, "data"));
  return std::string_view(reinterpret_cast<const char*>(data), size);
}

template <typename Value, typename Handle>
tailrace_kind FromBytes(const uint8_t* data, size_t size, Handle** out, tailrace_error** error) noexcept {
  return GuardNew(out, error, [&]() -> Result<Value> {
    ARROW_ASSIGN_OR_RAISE(const std::string_view bytes, View(data, size));
    return Value::FromBytes(bytes);
  });
}

template <typename Handle>
tailrace_kind ToBytes(const Handle* handle, tailrace_bytes** out, tailrace_error** error) noexcept {
  return GuardNew(out, error, [&]() -> Result<std::string> {
    ARROW_RETURN_NOT_OK(Required(handle, "the value"));
    return handle->value.ToBytes();
  });
}

template <typename Handle>
tailrace_kind Describe(const Handle* handle, tailrace_bytes** out, tailrace_error** error) noexcept {
  return GuardNew(out, error, [&]() -> Result<std::string> {
    ARROW_RETURN_NOT_OK(Required(handle, "the value"));
    return tailrace::DescribeAsJson(handle->value);
  });
}

template <typename Handle>
const char* KeyOf(const Handle* handle) {
  return handle == nullptr ? "" : handle->value.target.key.c_str();
}

template <typename Handle>
const char* WriteIdOf(const Handle* handle) {
  return handle == nullptr ? "" : handle->value.write_id.text.c_str();
}

}  // namespace

extern "C" {

tailrace_kind tailrace_kind_of_blob(const uint8_t* data, size_t size, int32_t* is_pending, tailrace_error** error) {
  return Guard(error, [&]() -> Status {
    ARROW_RETURN_NOT_OK(Required(is_pending, "is_pending"));
    ARROW_ASSIGN_OR_RAISE(const std::string_view bytes, View(data, size));
    ARROW_ASSIGN_OR_RAISE(const tailrace::BlobKind kind, tailrace::KindOfBlob(bytes));
    *is_pending = kind == tailrace::BlobKind::kPendingCommit ? 1 : 0;
    return Status::OK();
  });
}

tailrace_kind tailrace_state_from_bytes(const uint8_t* data, size_t size, tailrace_state** state,
                                        tailrace_error** error) {
  return FromBytes<tailrace::WriterState>(data, size, state, error);
}

tailrace_kind tailrace_state_to_bytes(const tailrace_state* state, tailrace_bytes** bytes, tailrace_error** error) {
  return ToBytes(state, bytes, error);
}

tailrace_kind tailrace_state_describe(const tailrace_state* state, tailrace_bytes** json, tailrace_error** error) {
  return Describe(state, json, error);
}

int64_t tailrace_state_rows(const tailrace_state* state) { return state == nullptr ? 0 : state->value.rows(); }

int64_t tailrace_state_epoch(const tailrace_state* state) { return state == nullptr ? 0 : state->value.epoch; }

const char* tailrace_state_url(const tailrace_state* state) { return state == nullptr ? "" : state->url.c_str(); }

const char* tailrace_state_key(const tailrace_state* state) { return KeyOf(state); }

const char* tailrace_state_write_id(const tailrace_state* state) { return WriteIdOf(state); }

void tailrace_state_free(tailrace_state* state) { delete state; }

tailrace_kind tailrace_pending_from_bytes(const uint8_t* data, size_t size, tailrace_pending** pending,
                                          tailrace_error** error) {
  return FromBytes<tailrace::PendingCommit>(data, size, pending, error);
}

tailrace_kind tailrace_pending_to_bytes(const tailrace_pending* pending, tailrace_bytes** bytes,
                                        tailrace_error** error) {
  return ToBytes(pending, bytes, error);
}

tailrace_kind tailrace_pending_describe(const tailrace_pending* pending, tailrace_bytes** json,
                                        tailrace_error** error) {
  return Describe(pending, json, error);
}

int64_t tailrace_pending_rows(const tailrace_pending* pending) { return pending == nullptr ? 0 : pending->value.rows; }

int64_t tailrace_pending_size_bytes(const tailrace_pending* pending) {
  return pending == nullptr ? 0 : pending->value.size_bytes;
}

const char* tailrace_pending_url(const tailrace_pending* pending) {
  return pending == nullptr ? "" : pending->url.c_str();
}

const char* tailrace_pending_key(const tailrace_pending* pending) { return KeyOf(pending); }

const char* tailrace_pending_write_id(const tailrace_pending* pending) { return WriteIdOf(pending); }

void tailrace_pending_free(tailrace_pending* pending) { delete pending; }

}  // extern "C"
