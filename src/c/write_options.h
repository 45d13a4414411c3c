// Options of writers, finish and commit, from C.
#pragma once

#include <string>

#include <arrow/result.h>

#include "tailrace/commit.h"
#include "tailrace/options.h"
#include "tailrace/tailrace.h"
#include "tailrace/writer.h"

namespace tailrace::c {

using arrow::Result;

// nullptr gives the defaults. kInvalid names the field.
Result<CheckpointMode> ReadCheckpointMode(int64_t given);
Result<FileOptions> ReadFileOptions(const tailrace_file_options* given);
Result<RuntimeOptions> ReadRuntimeOptions(const tailrace_runtime_options* given);
// `store` may be nullptr: the value's.
Result<ResumeOptions> ReadResumeOptions(const tailrace_resume_options* given, const tailrace_store* store,
                                        const tailrace_runtime_options* runtime);
Result<CommitOptions> ReadCommitOptions(const tailrace_commit_options* given, const tailrace_store* store);

}  // namespace tailrace::c
