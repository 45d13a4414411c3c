#include "tailrace/commit.h"

#include <memory>
#include <utility>

#include "c/guard.h"
#include "c/write_options.h"

using arrow::Result;
using tailrace::Status;
using tailrace::c::Guard;
using tailrace::c::Required;

namespace {

// `publish` is Finish or Commit.
template <typename Handle, typename Publish>
tailrace_kind Make(const Handle* handle, const tailrace_store* store, const tailrace_commit_options* given,
                   tailrace_commit_info** info, tailrace_error** error, const Publish& publish) noexcept {
  if (info != nullptr) *info = nullptr;
  return Guard(error, [&]() -> Status {
    ARROW_RETURN_NOT_OK(Required(handle, "the value"));
    ARROW_ASSIGN_OR_RAISE(const tailrace::CommitOptions options, tailrace::c::ReadCommitOptions(given, store));
    // Made before, so that what is committed cannot be reported as failed for want of memory.
    auto made = std::make_unique<tailrace_commit_info>();
    ARROW_ASSIGN_OR_RAISE(made->value, publish(handle->value, options));
    if (info != nullptr) *info = made.release();
    return Status::OK();
  });
}

template <typename Handle>
tailrace_kind Drop(const Handle* handle, const tailrace_store* store, const tailrace_commit_options* given,
                   int32_t* already_committed, tailrace_error** error) noexcept {
  if (already_committed != nullptr) *already_committed = 0;
  return Guard(error, [&]() -> Status {
    ARROW_RETURN_NOT_OK(Required(handle, "the value"));
    ARROW_ASSIGN_OR_RAISE(const tailrace::CommitOptions options, tailrace::c::ReadCommitOptions(given, store));
    ARROW_ASSIGN_OR_RAISE(const tailrace::AbortResult result, tailrace::Abort(handle->value, options));
    if (already_committed != nullptr) *already_committed = result == tailrace::AbortResult::kAlreadyCommitted ? 1 : 0;
    return Status::OK();
  });
}

}  // namespace

extern "C" {

tailrace_kind tailrace_finish(const tailrace_state* state, const tailrace_store* store,
                              const tailrace_commit_options* options, tailrace_commit_info** info,
                              tailrace_error** error) {
  return Make(state, store, options, info, error, tailrace::Finish);
}

tailrace_kind tailrace_commit(const tailrace_pending* pending, const tailrace_store* store,
                              const tailrace_commit_options* options, tailrace_commit_info** info,
                              tailrace_error** error) {
  return Make(pending, store, options, info, error, tailrace::Commit);
}

tailrace_kind tailrace_abort_state(const tailrace_state* state, const tailrace_store* store,
                                   const tailrace_commit_options* options, int32_t* already_committed,
                                   tailrace_error** error) {
  return Drop(state, store, options, already_committed, error);
}

tailrace_kind tailrace_abort_pending(const tailrace_pending* pending, const tailrace_store* store,
                                     const tailrace_commit_options* options, int32_t* already_committed,
                                     tailrace_error** error) {
  return Drop(pending, store, options, already_committed, error);
}

int64_t tailrace_commit_info_size_bytes(const tailrace_commit_info* info) {
  return info == nullptr ? 0 : info->value.size_bytes;
}

int64_t tailrace_commit_info_rows(const tailrace_commit_info* info) { return info == nullptr ? 0 : info->value.rows; }

const char* tailrace_commit_info_etag(const tailrace_commit_info* info) {
  return info == nullptr ? "" : info->value.etag.c_str();
}

int32_t tailrace_commit_info_already_committed(const tailrace_commit_info* info) {
  return info != nullptr && info->value.already_committed ? 1 : 0;
}

void tailrace_commit_info_free(tailrace_commit_info* info) { delete info; }

}  // extern "C"
