// Which metric each event changes.
#include <algorithm>
#include <chrono>
#include <utility>

#include "base/mutex.h"
#include "observe/metric_text.h"
#include "tailrace/event_exporters.h"

namespace tailrace {
namespace {

using Type = MetricFamily::Type;

double Seconds(std::chrono::microseconds duration) { return std::chrono::duration<double>(duration).count(); }

class Metrics final : public PrometheusMetrics {
 public:
  explicit Metrics(MetricLabels labels) : labels_(std::move(labels)) {}

  void OnEvent(const WriteEvent& event) override {
    MutexLock lock(&mutex_);
    Count(event);
  }

  std::string ToText() const override {
    MutexLock lock(&mutex_);
    std::string text;
    for (const MetricFamily* family :
         {&open_, &started_, &ended_, &uploads_, &row_groups_, &encoded_rows_, &encoded_bytes_, &arrow_bytes_,
          &stored_bytes_, &repeats_, &checkpointed_, &commits_, &committed_rows_, &committed_bytes_, &committed_,
          &dropped_, &failures_}) {
      family->AppendTo(&text);
    }
    for (const DurationHistogram* histogram : {&part_, &checkpoint_, &close_, &commit_}) histogram->AppendTo(&text);
    return text;
  }

 private:
  // The labels of a sample of this event: the user's, the store, and those of the metric.
  std::string With(const WriteEvent& event, MetricLabels own = {}) const {
    MetricLabels all = labels_;
    all.emplace_back("store", event.store);
    for (auto& label : own) all.push_back(std::move(label));
    return LabelText(all);
  }

  void Count(const WriteEvent& event) TAILRACE_REQUIRES(mutex_) {
    const std::string store = With(event);
    const std::string kind(EventKindName(event.kind));
    switch (event.kind) {
      case EventKind::kOpened:
      case EventKind::kResumed:
        open_.Add(store, 1);
        return started_.Add(With(event, {{"start", kind}}), 1);
      case EventKind::kClosed:
        close_.Observe(store, Seconds(event.duration));
        [[fallthrough]];
      case EventKind::kAborted:
      case EventKind::kReleased:
        open_.Add(store, -1);
        return ended_.Add(With(event, {{"end", kind}}), 1);
      case EventKind::kUploadCreated:
        return uploads_.Add(store, 1);
      case EventKind::kRowGroupClosed:
        row_groups_.Add(store, 1);
        encoded_rows_.Add(store, static_cast<double>(event.rows));
        encoded_bytes_.Add(store, static_cast<double>(event.bytes));
        return arrow_bytes_.Add(store, static_cast<double>(event.arrow_bytes));
      case EventKind::kPartStored:
        stored_bytes_.Add(store, static_cast<double>(event.bytes));
        repeats_.Add(store, std::max(0, event.attempts - 1));
        return part_.Observe(store, Seconds(event.duration));
      case EventKind::kCheckpoint:
        checkpointed_.Set(store, Seconds(event.time.time_since_epoch()));
        return checkpoint_.Observe(store, Seconds(event.duration));
      case EventKind::kFinished:
      case EventKind::kCommitted:
        return CountCommit(event, event.kind == EventKind::kFinished ? "finish" : "commit");
      case EventKind::kDropped:
        return dropped_.Add(With(event, {{"already_committed", event.already_committed ? "true" : "false"}}), 1);
      case EventKind::kFailed:
        return failures_.Add(With(event, {{"step", std::string(WriteStepName(event.step))},
                                          {"error", std::string(ErrorKindName(event.error))}}),
                             1);
    }
  }

  void CountCommit(const WriteEvent& event, const std::string& call) TAILRACE_REQUIRES(mutex_) {
    const std::string there = event.already_committed ? "true" : "false";
    commits_.Add(With(event, {{"call", call}, {"already_committed", there}}), 1);
    commit_.Observe(With(event, {{"call", call}}), Seconds(event.duration));
    if (event.already_committed) return;  // counted by whoever made it
    const std::string store = With(event);
    committed_.Set(store, Seconds(event.time.time_since_epoch()));
    committed_rows_.Add(store, static_cast<double>(event.rows));
    committed_bytes_.Add(store, static_cast<double>(event.bytes));
  }

  const MetricLabels labels_;

  mutable Mutex mutex_;
  MetricFamily open_{"tailrace_open_writers", "Writers that were opened or resumed and have not ended.", Type::kGauge};
  MetricFamily started_{"tailrace_writers_started_total", "Writers that were opened or resumed.", Type::kCounter};
  MetricFamily ended_{"tailrace_writers_ended_total", "Writers that were closed, aborted or left.", Type::kCounter};
  MetricFamily uploads_{"tailrace_uploads_created_total", "Uploads that were created.", Type::kCounter};
  MetricFamily row_groups_{"tailrace_row_groups_total", "Row groups that were encoded.", Type::kCounter};
  MetricFamily encoded_rows_{"tailrace_encoded_rows_total", "Rows in encoded row groups.", Type::kCounter};
  MetricFamily encoded_bytes_{"tailrace_encoded_bytes_total", "Encoded bytes of row groups.", Type::kCounter};
  MetricFamily arrow_bytes_{"tailrace_arrow_bytes_total", "Arrow data that was encoded, in bytes.", Type::kCounter};
  MetricFamily stored_bytes_{"tailrace_stored_bytes_total", "Bytes of stored parts.", Type::kCounter};
  MetricFamily repeats_{"tailrace_part_repeats_total", "Requests that stored a part again after a failure.",
                        Type::kCounter};
  MetricFamily checkpointed_{"tailrace_last_checkpoint_timestamp_seconds", "When the last state was handed out.",
                             Type::kGauge};
  MetricFamily commits_{"tailrace_commits_total", "Calls of Finish and Commit that succeeded.", Type::kCounter};
  MetricFamily committed_rows_{"tailrace_committed_rows_total", "Rows of objects that became visible.", Type::kCounter};
  MetricFamily committed_bytes_{"tailrace_committed_bytes_total", "Bytes of objects that became visible.",
                                Type::kCounter};
  MetricFamily committed_{"tailrace_last_commit_timestamp_seconds", "When an object became visible last.",
                          Type::kGauge};
  MetricFamily dropped_{"tailrace_aborts_total", "Calls of Abort that succeeded.", Type::kCounter};
  MetricFamily failures_{"tailrace_failures_total", "Errors that ended a writer or a call.", Type::kCounter};
  DurationHistogram part_{"tailrace_part_duration_seconds", "Time to store a part, with its repetitions."};
  DurationHistogram checkpoint_{"tailrace_checkpoint_duration_seconds", "Time that a checkpoint took."};
  DurationHistogram close_{"tailrace_close_duration_seconds", "Time that closing took."};
  DurationHistogram commit_{"tailrace_commit_duration_seconds", "Time that Finish or Commit took."};
};

}  // namespace

arrow::Result<std::shared_ptr<PrometheusMetrics>> PrometheusMetrics::Make(
    std::vector<std::pair<std::string, std::string>> labels) {
  std::vector<std::string> taken = {"store", "start", "end", "call", "already_committed", "step", "error", "le"};
  for (const auto& [name, value] : labels) {
    if (!IsLabelName(name)) {
      return MakeError(ErrorKind::kInvalid, "label '" + name + "': a name has letters, digits and '_' only, and " +
                                                "begins with neither a digit nor '__'");
    }
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
      return MakeError(ErrorKind::kInvalid, "label '" + name + "' is given twice, or is one of the metrics' own");
    }
    taken.push_back(name);
  }
  return std::make_shared<Metrics>(std::move(labels));
}

}  // namespace tailrace
