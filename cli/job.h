// One run of `write` or `resume`: from an open writer and an open input to the exit code.
#pragma once

#include <memory>
#include <string>

#include "cli/input.h"
#include "cli/job_flags.h"
#include "cli/pump.h"
#include "cli/reporter.h"
#include "tailrace/writer.h"

namespace tailrace::cli {

struct Job {
  std::shared_ptr<MultipartStore> store;
  std::string url;                  // of the object, for messages
  std::string state_file;           // empty: none
  std::optional<SavedState> saved;  // what it holds already of this write
  JobOptions options;
  bool force = false;     // of the commit
  bool verify = true;     // of the commit
  int64_t skip_rows = 0;  // at the start of the input
};

// Feeds, closes and commits, and tells everything to `reporter`. After an interrupt or an error the upload is kept
// where a state file leads back to it, else aborted; --on-error overrides.
ExitCode RunJob(Job job, std::unique_ptr<ParquetStreamWriter> writer, std::unique_ptr<BatchInput> input,
                const StopSignal& stop, InputWatch* watch, Reporter* reporter);

}  // namespace tailrace::cli
