// Counters, gauges and histograms, and their text: the exposition format 0.0.4 of Prometheus.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailrace {

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

// `store="s3",call="commit"`, escaped; empty for none.
std::string LabelText(const MetricLabels& labels);
// May it name a label? Names that begin with two underscores are Prometheus's own.
bool IsLabelName(std::string_view name);

// One metric with all its label values. Not thread-safe.
class MetricFamily {
 public:
  enum class Type { kCounter, kGauge };
  MetricFamily(std::string name, std::string help, Type type)
      : name_(std::move(name)), help_(std::move(help)), type_(type) {}

  void Add(const std::string& labels, double value) { values_[labels] += value; }
  void Set(const std::string& labels, double value) { values_[labels] = value; }
  // Nothing where it has no value yet.
  void AppendTo(std::string* text) const;

 private:
  const std::string name_;
  const std::string help_;
  const Type type_;
  std::map<std::string, double> values_;
};

// Durations in seconds, from milliseconds to minutes.
class DurationHistogram {
 public:
  DurationHistogram(std::string name, std::string help) : name_(std::move(name)), help_(std::move(help)) {}

  void Observe(const std::string& labels, double seconds);
  void AppendTo(std::string* text) const;

 private:
  static constexpr std::array<double, 15> kBounds = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,  2.5,
                                                     5,    10,    25,   50,  100,  250, 600};
  struct Series {
    std::array<int64_t, kBounds.size()> counts{};  // of each bucket alone
    int64_t count = 0;
    double sum = 0;
  };
  const std::string name_;
  const std::string help_;
  std::map<std::string, Series> series_;
};

}  // namespace tailrace
