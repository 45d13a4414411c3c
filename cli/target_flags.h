// The options of commands that start from a state or pending commit: where it is, and where it should go instead.
#pragma once

#include <memory>
#include <string>

#include <arrow/result.h>
#include <CLI/CLI.hpp>

#include "cli/store_flags.h"
#include "tailrace/commit.h"
#include "tailrace/store.h"

namespace tailrace::cli {

struct TargetFlags {
  std::string retarget;  // URL; empty: the target of the value
  bool no_verify = false;
  StoreFlags store;

  // `command` keeps pointers to this.
  void AddTo(CLI::App* command, bool with_verify = true);
  // Opens the store of --retarget, else that of `target`, whose object is given `object`.
  arrow::Result<StoreAndKey> Open(const Target& target, const ObjectOptions& object, const StoreOptions& options) const;
  // With the store of `at`.
  CommitOptions ToCommitOptions(const StoreAndKey& at) const;
};

}  // namespace tailrace::cli
