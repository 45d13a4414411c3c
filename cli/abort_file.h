// Aborts the write of one state file or pending commit.
#pragma once

#include <memory>
#include <string>

#include "cli/reporter.h"
#include "cli/target_flags.h"
#include "tailrace/events.h"

namespace tailrace::cli {

// Drops the upload, puts the mark beside the file, and tells everything to `reporter`, and what happens to `observer`.
ExitCode AbortFile(const std::string& file, const TargetFlags& target, const StoreOptions& options, Reporter* reporter,
                   std::shared_ptr<Observer> observer = nullptr);

}  // namespace tailrace::cli
