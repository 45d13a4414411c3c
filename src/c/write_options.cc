#include "c/write_options.h"

#include <chrono>

#include "c/fields.h"
#include "c/handles.h"
#include "c/structs.h"

namespace tailrace::c {
namespace {

// The defaults are the library's; only choices are spelled out, and a test reads them back.
tailrace_runtime_options RuntimeDefaults() {
  const RuntimeOptions ours;
  tailrace_runtime_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.memory_budget_bytes = ours.memory_budget_bytes;
  defaults.parts_in_flight = ours.parts_in_flight;
  defaults.on_error = TAILRACE_ON_ERROR_AUTO;
  defaults.encode_threads = ours.encode_threads;
  return defaults;
}

tailrace_resume_options ResumeDefaults() {
  const ResumeOptions ours;
  tailrace_resume_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.retarget = ours.retarget;
  defaults.verify = ours.verify;
  defaults.checkpoint_mode = TAILRACE_CHECKPOINT_AS_STATE;
  return defaults;
}

tailrace_commit_options CommitDefaults() {
  const CommitOptions ours;
  tailrace_commit_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.retarget = ours.retarget;
  defaults.force = ours.force;
  defaults.verify = ours.verify;
  defaults.settle_timeout_ms = ours.settle_timeout.count();
  return defaults;
}

// What resuming and committing have in common: the store, and the key in it.
template <typename Options>
Status ReadTarget(const char* key, int32_t retarget, const tailrace_store* store, Options* out) {
  ARROW_RETURN_NOT_OK(ReadFlag("retarget", retarget, &out->retarget));
  ReadText(key, &out->key);
  if (store != nullptr) out->store = store->at.store;
  // What was opened for a key goes on with that key.
  if (out->retarget && out->key.empty() && store != nullptr) out->key = store->at.key;
  return Status::OK();
}

}  // namespace

Result<RuntimeOptions> ReadRuntimeOptions(const tailrace_runtime_options* given) {
  tailrace_runtime_options read = RuntimeDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_runtime_options", &read));
  RuntimeOptions options;
  if (read.executor != nullptr) options.executor = read.executor->executor;
  if (read.observer != nullptr) options.observer = read.observer->observer;
  options.memory_budget_bytes = read.memory_budget_bytes;
  options.parts_in_flight = read.parts_in_flight;
  ARROW_RETURN_NOT_OK(ReadInt("encode_threads", read.encode_threads, &options.encode_threads));
  ARROW_RETURN_NOT_OK(ReadChoice("on_error", read.on_error,
                                 {{TAILRACE_ON_ERROR_AUTO, OnError::kAuto},
                                  {TAILRACE_ON_ERROR_ABORT, OnError::kAbort},
                                  {TAILRACE_ON_ERROR_KEEP, OnError::kKeep}},
                                 &options.on_error));
  return options;
}

Result<ResumeOptions> ReadResumeOptions(const tailrace_resume_options* given, const tailrace_store* store,
                                        const tailrace_runtime_options* runtime) {
  tailrace_resume_options read = ResumeDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_resume_options", &read));
  ResumeOptions options;
  ARROW_ASSIGN_OR_RAISE(options.runtime, ReadRuntimeOptions(runtime));
  ARROW_RETURN_NOT_OK(ReadTarget(read.key, read.retarget, store, &options));
  ARROW_RETURN_NOT_OK(ReadFlag("verify", read.verify, &options.verify));
  if (read.checkpoint_mode != TAILRACE_CHECKPOINT_AS_STATE) {
    ARROW_ASSIGN_OR_RAISE(options.checkpoint_mode, ReadCheckpointMode(read.checkpoint_mode));
  }
  return options;
}

Result<CommitOptions> ReadCommitOptions(const tailrace_commit_options* given, const tailrace_store* store) {
  tailrace_commit_options read = CommitDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_commit_options", &read));
  CommitOptions options;
  ARROW_RETURN_NOT_OK(ReadTarget(read.key, read.retarget, store, &options));
  ARROW_RETURN_NOT_OK(ReadFlag("force", read.force, &options.force));
  ARROW_RETURN_NOT_OK(ReadFlag("verify", read.verify, &options.verify));
  if (read.observer != nullptr) options.observer = read.observer->observer;
  options.settle_timeout = std::chrono::milliseconds(read.settle_timeout_ms);
  return options;
}

}  // namespace tailrace::c

extern "C" {

void tailrace_runtime_options_init(tailrace_runtime_options* options, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::RuntimeDefaults(), options, struct_size);
}

void tailrace_resume_options_init(tailrace_resume_options* options, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::ResumeDefaults(), options, struct_size);
}

void tailrace_commit_options_init(tailrace_commit_options* options, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::CommitDefaults(), options, struct_size);
}

}  // extern "C"
