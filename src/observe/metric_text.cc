#include "observe/metric_text.h"

#include <charconv>
#include <cmath>

namespace tailrace {
namespace {

// The shortest text that reads back as the same number.
std::string NumberText(double value) {
  constexpr double kMostExact = 9007199254740992;  // 2^53
  if (value == std::floor(value) && std::abs(value) < kMostExact) return std::to_string(static_cast<int64_t>(value));
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string Escaped(std::string_view value) {
  std::string text;
  for (char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    if (c == '\n') {
      text += "\\n";
    } else {
      text += c;
    }
  }
  return text;
}

void AppendHead(const std::string& name, const std::string& help, std::string_view type, std::string* text) {
  text->append("# HELP ").append(name).append(" ").append(help).append("\n");
  text->append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void AppendSample(const std::string& name, const std::string& labels, const std::string& value, std::string* text) {
  text->append(name);
  if (!labels.empty()) text->append("{").append(labels).append("}");
  text->append(" ").append(value).append("\n");
}

}  // namespace

std::string LabelText(const MetricLabels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!text.empty()) text += ",";
    text.append(name).append("=\"").append(Escaped(value)).append("\"");
  }
  return text;
}

bool IsLabelName(std::string_view name) {
  if (name.empty() || name.starts_with("__") || (name[0] >= '0' && name[0] <= '9')) return false;
  for (char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '_') return false;
  }
  return true;
}

void MetricFamily::AppendTo(std::string* text) const {
  if (values_.empty()) return;
  AppendHead(name_, help_, type_ == Type::kCounter ? "counter" : "gauge", text);
  for (const auto& [labels, value] : values_) AppendSample(name_, labels, NumberText(value), text);
}

void DurationHistogram::Observe(const std::string& labels, double seconds) {
  Series& series = series_[labels];
  size_t bucket = 0;
  while (bucket < kBounds.size() && seconds > kBounds[bucket]) ++bucket;
  if (bucket < kBounds.size()) ++series.counts[bucket];
  ++series.count;
  series.sum += seconds;
}

void DurationHistogram::AppendTo(std::string* text) const {
  if (series_.empty()) return;
  AppendHead(name_, help_, "histogram", text);
  for (const auto& [labels, series] : series_) {
    const std::string before = labels.empty() ? "" : labels + ",";
    int64_t below = 0;
    for (size_t i = 0; i < kBounds.size(); ++i) {
      below += series.counts[i];
      AppendSample(name_ + "_bucket", before + "le=\"" + NumberText(kBounds[i]) + "\"", std::to_string(below), text);
    }
    AppendSample(name_ + "_bucket", before + "le=\"+Inf\"", std::to_string(series.count), text);
    AppendSample(name_ + "_sum", labels, NumberText(series.sum), text);
    AppendSample(name_ + "_count", labels, std::to_string(series.count), text);
  }
}

}  // namespace tailrace
