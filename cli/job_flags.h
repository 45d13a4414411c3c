// The options that write and resume share: input, checkpoints, resources, output. None changes a byte of the file,
// flush points apart.
#pragma once

#include <optional>
#include <string>

#include <arrow/result.h>
#include <CLI/CLI.hpp>

#include "cli/input.h"
#include "cli/observe_flags.h"
#include "cli/reporter.h"
#include "cli/size_text.h"
#include "tailrace/options.h"

namespace tailrace::cli {

// The values behind the options.
struct JobOptions {
  InputSettings input;
  std::optional<CheckpointEvery> every;
  std::optional<CheckpointMode> checkpoint_mode;
  std::string pending_file;  // empty: none
  bool no_commit = false;
  RuntimeOptions runtime;
  std::shared_ptr<Observer> observer;  // of --events and --metrics
};

class JobFlags {
 public:
  // `command` keeps pointers to this.
  void AddTo(CLI::App* command);
  // kInvalid names option and limit. Sets the size of Arrow's own thread pool to --threads.
  arrow::Result<JobOptions> Parse() const;
  OutputFlags output() const { return output_; }
  // --events and --metrics; `others` as for ObserveFlags.
  arrow::Result<std::shared_ptr<Observer>> OpenObserver(const std::vector<NamedFile>& others) const {
    return observe_.Open(others, output_.json);
  }

 private:
  arrow::Status ParseRuntime(RuntimeOptions* runtime) const;

  std::string input_format_ = "auto";
  bool allow_cut_input_ = false;
  std::string csv_block_size_;
  std::string json_block_size_;
  std::string checkpoint_every_;
  std::string checkpoint_mode_;
  std::string pending_;
  bool no_commit_ = false;
  std::string memory_budget_;
  std::string parts_in_flight_;
  std::string encode_threads_;
  std::string threads_;
  std::string on_error_ = "auto";
  ObserveFlags observe_;
  OutputFlags output_;
};

// --json and --quiet.
void AddOutputFlags(CLI::App* command, OutputFlags* flags);

}  // namespace tailrace::cli
