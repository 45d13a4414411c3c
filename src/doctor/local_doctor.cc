#include "doctor/local_doctor.h"

#include <unistd.h>

#include <utility>

#include "base/clock.h"
#include "doctor/finding_table.h"
#include "doctor/local_probes.h"
#include "store/file_error.h"
#include "store/local_store.h"
#include "tailrace/version.h"

namespace tailrace {
namespace {

Status CheckFolder(FileCalls* files, const std::string& folder) {
  FileFacts facts;
  ARROW_RETURN_NOT_OK(CheckFile(files->Stat(folder, &facts), "examine the folder", folder));
  if (facts.is_folder()) return Status::OK();
  return MakeError(ErrorKind::kInvalid, "'" + folder + "' is no folder: name the folder that files are written to");
}

// The target of the probed write, and the hidden folder where this run made it.
void CleanUp(LocalRun* run, bool hidden_was_there) {
  run->files->Unlink(run->place.target);
  // Fails, rightly, where somebody has begun an upload there meanwhile.
  if (!hidden_was_there) (void)::rmdir(run->place.hidden.c_str());
  std::vector<std::string> names;
  if (run->files->ListFolder(run->place.folder, &names) < 0) return;
  for (const std::string& name : names) {
    if (name.starts_with(run->place.target_name())) run->report.leftovers.push_back(run->place.folder + "/" + name);
  }
}

}  // namespace

std::span<const LocalProbe> LocalProbes() {
  static const std::vector<LocalProbe> probes = {
      {{"hidden-folder"}, &ProbeHiddenFolder},
      {{"write"}, &ProbeWrite},
      {{"locks"}, &ProbeLocks},
      {{"rename-if-absent", "link", "no-overwrite"}, &ProbeNoOverwrite},
      {{"attributes"}, &ProbeAttributes},
      {{"sync-file", "sync-folder"}, &ProbeSync},
      {{"free-space"}, &ProbeFreeSpace},
  };
  return probes;
}

Result<StoreReport> ProbeFolder(FileCalls* files, const std::string& folder, const std::string& random,
                                const std::function<bool()>& stop) {
  ARROW_RETURN_NOT_OK(CheckFolder(files, folder));
  LocalRun run{.files = files};
  const std::string below = folder == "/" ? "" : folder.substr(1) + "/";
  ARROW_ASSIGN_OR_RAISE(run.place, LocalPlace::Of(below + "tailrace-doctor-" + random));
  run.report.url = Target{.kind = "file", .key = folder.substr(1)}.ToUrl();
  run.report.profile = {.tool_version = std::string(LibraryVersion()),
                        .probed = std::chrono::floor<std::chrono::seconds>(Clock::System()->Now()),
                        .kind = "file",
                        .folder = folder,
                        .limits = LocalStore::Make({}, files)->limits()};
  FileFacts facts;
  const bool hidden_was_there = files->StatLink(run.place.hidden, &facts) >= 0;
  bool stopped = false;
  for (const LocalProbe& probe : LocalProbes()) {
    stopped = stopped || (stop && stop());
    if (!stopped) {
      probe.run(&run);
      continue;
    }
    for (const std::string_view name : probe.names) run.report.findings.push_back(NotAsked(name, "stopped"));
  }
  CleanUp(&run, hidden_was_there);
  for (const Finding& finding : run.report.findings) {
    run.report.profile.findings.emplace_back(finding.name, finding.answer);
  }
  return std::move(run.report);
}

}  // namespace tailrace
