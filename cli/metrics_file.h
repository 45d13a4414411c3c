// Keeps a file with the metrics of this process, as the textfile collector of Prometheus's node exporter reads them.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <arrow/result.h>

#include "tailrace/event_exporters.h"

namespace tailrace::cli {

// Thread-safe. The file is replaced as a whole, every few seconds at most and at the end: by the destructor, which
// tells on standard error where it cannot be.
class MetricsFile final : public Observer {
 public:
  // Writes the file at once, so that a path that cannot be is known at the start.
  static arrow::Result<std::shared_ptr<MetricsFile>> Make(std::string path, std::shared_ptr<PrometheusMetrics> metrics);
  ~MetricsFile() override;

  void OnEvent(const WriteEvent& event) override;

 private:
  MetricsFile(std::string path, std::shared_ptr<PrometheusMetrics> metrics)
      : path_(std::move(path)), metrics_(std::move(metrics)) {}

  const std::string path_;
  const std::shared_ptr<PrometheusMetrics> metrics_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();  // guarded by mutex_
};

}  // namespace tailrace::cli
