// Aborts the write of one state file or pending commit.
#pragma once

#include <string>

#include "cli/reporter.h"
#include "cli/target_flags.h"

namespace tailrace::cli {

// Drops the upload, puts the mark beside the file, and tells everything to `reporter`.
ExitCode AbortFile(const std::string& file, const TargetFlags& target, const StoreOptions& options, Reporter* reporter);

}  // namespace tailrace::cli
