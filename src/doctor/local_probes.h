// What is asked of a folder: one small function asks one question, or those that need the same file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/file_calls.h"
#include "store/local_place.h"
#include "tailrace/doctor.h"

namespace tailrace {

struct LocalRun {
  FileCalls* files = nullptr;
  LocalPlace place;  // of a target that nobody else uses
  StoreReport report;

  std::string PathOf(const std::string& name) const { return place.target + "-" + name; }
  void Found(std::string_view name, std::string_view answer, std::string cause = {}, std::string shown = {});
  void NotKnown(std::string_view name, std::string cause);
};

struct LocalProbe {
  std::vector<std::string_view> names;
  void (*run)(LocalRun*) = nullptr;
};
// In their order.
std::span<const LocalProbe> LocalProbes();

void ProbeHiddenFolder(LocalRun* run);
void ProbeWrite(LocalRun* run);
void ProbeLocks(LocalRun* run);
void ProbeNoOverwrite(LocalRun* run);  // rename-if-absent, link, no-overwrite
void ProbeAttributes(LocalRun* run);
void ProbeSync(LocalRun* run);  // sync-file, sync-folder
void ProbeFreeSpace(LocalRun* run);

}  // namespace tailrace
