#include "cli/observe_flags.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "cli/key_value_text.h"
#include "cli/metrics_file.h"
#include "cli/state_file.h"
#include "tailrace/error.h"
#include "tailrace/event_exporters.h"

namespace tailrace::cli {

namespace {

// Closes the file with the last copy of it, and tells where a line got lost.
std::shared_ptr<std::FILE> OpenLines(const std::string& path) {
  const auto close = [path](std::FILE* file) {
    if (file == nullptr) return;
    const bool lost = std::ferror(file) != 0;
    if (std::fclose(file) != 0 || lost) {
      std::fprintf(stderr, "tailrace: --events %s: not all could be written\n", path.c_str());
    }
  };
  return {std::fopen(path.c_str(), "ae"), close};
}

arrow::Result<std::shared_ptr<Observer>> OpenEvents(const std::string& path, bool json_on_stdout) {
  if (path == "-") {
    if (json_on_stdout) {
      return MakeError(ErrorKind::kInvalid, "--events -: standard output is taken by --json; give a file");
    }
    return MakeJsonObserver(LinesTo(stdout));
  }
  ARROW_RETURN_NOT_OK(CheckIsPath(path));
  std::shared_ptr<std::FILE> file = OpenLines(path);
  if (file == nullptr) {
    return MakeError(ErrorKind::kInvalid, "--events " + path + ": cannot be opened: " + std::strerror(errno));
  }
  LineSink to_file = LinesTo(file.get());
  return MakeJsonObserver(
      [file = std::move(file), to_file = std::move(to_file)](std::string_view line) { to_file(line); });
}

}  // namespace

void ObserveFlags::AddTo(CLI::App* command) {
  const std::string group = "Observation";
  command
      ->add_option("--events", events_,
                   "append what happens to FILE, one JSON object a line; - is standard output (docs/guide/observe.md)")
      ->type_name("FILE")
      ->group(group);
  command
      ->add_option("--metrics", metrics_,
                   "counters and histograms in the text format of Prometheus, as its textfile collector reads them")
      ->type_name("FILE")
      ->group(group);
  command->add_option("--metrics-label", labels_, "a label on every metric; may be given often")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group(group);
}

arrow::Result<std::shared_ptr<Observer>> ObserveFlags::Open(const std::vector<NamedFile>& others,
                                                            bool json_on_stdout) const {
  const std::string events_file = events_ == "-" ? "" : events_;
  ARROW_RETURN_NOT_OK(CheckDistinct(others, {{"--events", events_file}, {"--metrics", metrics_}}));
  std::vector<std::shared_ptr<Observer>> observers;
  if (!events_.empty()) {
    ARROW_ASSIGN_OR_RAISE(auto events, OpenEvents(events_, json_on_stdout));
    observers.push_back(std::move(events));
  }
  if (metrics_.empty() && !labels_.empty()) {
    return MakeError(ErrorKind::kInvalid, "--metrics-label: needs --metrics FILE");
  }
  if (!metrics_.empty()) {
    ARROW_RETURN_NOT_OK(CheckIsPath(metrics_));
    ARROW_ASSIGN_OR_RAISE(auto labels, ParseKeyValues("--metrics-label", labels_));
    auto metrics = PrometheusMetrics::Make(std::move(labels));
    if (!metrics.ok()) return WithContext(metrics.status(), "--metrics-label");
    ARROW_ASSIGN_OR_RAISE(auto file, MetricsFile::Make(metrics_, *std::move(metrics)));
    observers.push_back(std::move(file));
  }
  return CombineObservers(std::move(observers));
}

}  // namespace tailrace::cli
