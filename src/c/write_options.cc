#include "c/write_options.h"

#include <chrono>

#include "c/fields.h"
#include "c/handles.h"
#include "c/structs.h"

namespace tailrace::c {
namespace {

// The defaults are the library's; only choices are spelled out, and a test reads them back.
tailrace_file_options FileDefaults() {
  const FileOptions ours;
  tailrace_file_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.codec = TAILRACE_CODEC_ZSTD;
  defaults.codec_level = ours.parquet.codec_level;
  defaults.statistics = ours.parquet.statistics;
  defaults.page_index = ours.parquet.page_index;
  defaults.row_group_bytes = ours.parquet.row_group_bytes;
  defaults.row_group_rows = ours.parquet.row_group_rows;
  defaults.part_size_bytes = ours.part_size_bytes;
  defaults.overwrite = TAILRACE_OVERWRITE;
  defaults.small_files = TAILRACE_SMALL_FILES_INLINE;
  defaults.inline_max_bytes = ours.inline_max_bytes;
  return defaults;
}

tailrace_runtime_options RuntimeDefaults() {
  const RuntimeOptions ours;
  tailrace_runtime_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.memory_budget_bytes = ours.memory_budget_bytes;
  defaults.parts_in_flight = ours.parts_in_flight;
  defaults.on_error = TAILRACE_ON_ERROR_AUTO;
  return defaults;
}

tailrace_resume_options ResumeDefaults() {
  const ResumeOptions ours;
  tailrace_resume_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.retarget = ours.retarget;
  defaults.verify = ours.verify;
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

Result<FileOptions> ReadFileOptions(const tailrace_file_options* given) {
  tailrace_file_options read = FileDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_file_options", &read));
  FileOptions options;
  ParquetOptions& parquet = options.parquet;
  ARROW_RETURN_NOT_OK(ReadChoice("codec", read.codec,
                                 {{TAILRACE_CODEC_NONE, Codec::kNone},
                                  {TAILRACE_CODEC_SNAPPY, Codec::kSnappy},
                                  {TAILRACE_CODEC_GZIP, Codec::kGzip},
                                  {TAILRACE_CODEC_BROTLI, Codec::kBrotli},
                                  {TAILRACE_CODEC_ZSTD, Codec::kZstd},
                                  {TAILRACE_CODEC_LZ4, Codec::kLz4}},
                                 &parquet.codec));
  parquet.codec_level = read.codec_level;
  ARROW_RETURN_NOT_OK(ReadFlag("statistics", read.statistics, &parquet.statistics));
  ARROW_RETURN_NOT_OK(ReadFlag("page_index", read.page_index, &parquet.page_index));
  parquet.row_group_bytes = read.row_group_bytes;
  parquet.row_group_rows = read.row_group_rows;
  ARROW_RETURN_NOT_OK(ReadPairs("key_value_metadata", read.key_value_metadata, &parquet.key_value_metadata));
  options.part_size_bytes = read.part_size_bytes;
  ARROW_RETURN_NOT_OK(ReadChoice("overwrite", read.overwrite,
                                 {{TAILRACE_OVERWRITE, OverwritePolicy::kOverwrite},
                                  {TAILRACE_FAIL_IF_EXISTS, OverwritePolicy::kFailIfExists},
                                  {TAILRACE_FAIL_IF_EXISTS_ATOMICALLY, OverwritePolicy::kFailIfExistsAtomically}},
                                 &options.overwrite));
  ARROW_RETURN_NOT_OK(ReadChoice(
      "small_files", read.small_files,
      {{TAILRACE_SMALL_FILES_INLINE, SmallFiles::kInline}, {TAILRACE_SMALL_FILES_UPLOAD, SmallFiles::kUpload}},
      &options.small_files));
  options.inline_max_bytes = read.inline_max_bytes;
  return options;
}

Result<RuntimeOptions> ReadRuntimeOptions(const tailrace_runtime_options* given) {
  tailrace_runtime_options read = RuntimeDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_runtime_options", &read));
  RuntimeOptions options;
  if (read.executor != nullptr) options.executor = read.executor->executor;
  options.memory_budget_bytes = read.memory_budget_bytes;
  options.parts_in_flight = read.parts_in_flight;
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
  return options;
}

Result<CommitOptions> ReadCommitOptions(const tailrace_commit_options* given, const tailrace_store* store) {
  tailrace_commit_options read = CommitDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_commit_options", &read));
  CommitOptions options;
  ARROW_RETURN_NOT_OK(ReadTarget(read.key, read.retarget, store, &options));
  ARROW_RETURN_NOT_OK(ReadFlag("force", read.force, &options.force));
  ARROW_RETURN_NOT_OK(ReadFlag("verify", read.verify, &options.verify));
  options.settle_timeout = std::chrono::milliseconds(read.settle_timeout_ms);
  return options;
}

}  // namespace tailrace::c

extern "C" {

void tailrace_file_options_init(tailrace_file_options* options, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::FileDefaults(), options, struct_size);
}

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
