// Observers that are ready for use: a log, JSON lines, and metrics for Prometheus.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/result.h>

#include "tailrace/events.h"

namespace tailrace {

// Takes a line without its line end, by one thread at a time.
using LineSink = std::function<void(std::string_view line)>;
// Appends to the stream, flushing each line. `stream` outlives the sink.
LineSink LinesTo(std::FILE* stream);

// For people: "s3://bucket/key: part 3 stored, 16777216 bytes in 0.812 s". Writers do this by themselves on standard
// error where the environment has TAILRACE_LOG=info, or trace, which shows each request as well.
std::shared_ptr<Observer> MakeLogObserver(LineSink sink);
std::string LogLine(const WriteEvent& event);

// For programs: each event as one JSON object without line breaks. docs/guide/observe.md lists the members.
std::shared_ptr<Observer> MakeJsonObserver(LineSink sink);
std::string JsonLine(const WriteEvent& event);

// Counters, gauges and histograms over all writes that it observes. Thread-safe; the work for an event is a few
// additions under one lock.
//
//   auto metrics = tailrace::PrometheusMetrics::Make();
//   runtime.observer = metrics;           // of any number of writers, and of CommitOptions
//   server.Get("/metrics", [&] { return metrics->ToText(); });
class PrometheusMetrics : public Observer {
 public:
  // `labels` are put on every metric, beside its own. kInvalid for a name that is none or that a metric uses itself.
  static arrow::Result<std::shared_ptr<PrometheusMetrics>> Make(
      std::vector<std::pair<std::string, std::string>> labels = {});

  // All of them, in the text exposition format 0.0.4 ("text/plain; version=0.0.4").
  virtual std::string ToText() const = 0;
};

}  // namespace tailrace
