// --events and --metrics: what happens in a write, for programs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <arrow/result.h>
#include <CLI/CLI.hpp>

#include "cli/same_file.h"
#include "tailrace/events.h"

namespace tailrace::cli {

class ObserveFlags {
 public:
  // `command` keeps pointers to this.
  void AddTo(CLI::App* command);
  // nullptr where nothing is asked for. Files are opened, and what was asked of them is complete once the last who has
  // the observer lets it go; then a line on standard error says what could not be written. kInvalid names the option;
  // `others`: what the command line names beside, which must be other files; `json_on_stdout`: it is taken.
  arrow::Result<std::shared_ptr<Observer>> Open(const std::vector<NamedFile>& others, bool json_on_stdout) const;

 private:
  std::string events_;
  std::string metrics_;
  std::vector<std::string> labels_;
};

}  // namespace tailrace::cli
