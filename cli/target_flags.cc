#include "cli/target_flags.h"

namespace tailrace::cli {

void TargetFlags::AddTo(CLI::App* command, bool with_verify) {
  command->add_option("--retarget", retarget, "the upload is found here now, not at the target the value names")
      ->type_name("URL")
      ->group("Target");
  if (with_verify) {
    command->add_flag("--no-verify", no_verify, "do not read stored parts back first (local store; for big files)")
        ->group("Target");
  }
  store.AddTo(command);
}

arrow::Result<StoreAndKey> TargetFlags::Open(const Target& target, const ObjectOptions& object,
                                             const StoreOptions& options) const {
  return retarget.empty() ? store.OpenSame(target, object, options) : store.Open(retarget, options);
}

CommitOptions TargetFlags::ToCommitOptions(const StoreAndKey& at) const {
  CommitOptions options;
  options.store = at.store;
  options.verify = !no_verify;
  if (!retarget.empty()) {
    options.retarget = true;
    options.key = at.key;
  }
  return options;
}

}  // namespace tailrace::cli
