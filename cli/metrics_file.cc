#include "cli/metrics_file.h"

#include <cstdio>

#include "cli/state_file.h"

namespace tailrace::cli {

namespace {
// As often as metrics are usually collected.
constexpr std::chrono::seconds kEvery{10};

Status Save(const std::string& path, const PrometheusMetrics& metrics) {
  return SaveSmallFile(path, metrics.ToText(), Previous::kDrop);
}
}  // namespace

arrow::Result<std::shared_ptr<MetricsFile>> MetricsFile::Make(std::string path,
                                                              std::shared_ptr<PrometheusMetrics> metrics) {
  ARROW_RETURN_NOT_OK(Save(path, *metrics));
  return std::shared_ptr<MetricsFile>(new MetricsFile(std::move(path), std::move(metrics)));
}

MetricsFile::~MetricsFile() {
  const Status saved = Save(path_, *metrics_);
  if (!saved.ok()) std::fprintf(stderr, "tailrace: --metrics: %s\n", saved.message().c_str());
}

void MetricsFile::OnEvent(const WriteEvent& event) {
  metrics_->OnEvent(event);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - saved_ < kEvery) return;
  saved_ = now;
  (void)Save(path_, *metrics_);  // the last one tells
}

}  // namespace tailrace::cli
