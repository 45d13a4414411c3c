#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "observe/event_notifier.h"
#include "observe/metric_text.h"
#include "tailrace/event_exporters.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

WriteEvent On(const std::string& store, WriteEvent event) {
  event.store = store;
  event.time = Timestamp(std::chrono::seconds(1'700'000'000));
  return event;
}

class PrometheusTest : public ::testing::Test {
 protected:
  void Tell(EventKind kind, int64_t rows = 0, int64_t bytes = 0, std::chrono::microseconds duration = {}) {
    metrics_->OnEvent(On("s3", EventOf(kind, rows, bytes, duration)));
  }
  // The value of a sample, as text; empty where there is none.
  std::string Value(const std::string& sample) const {
    const std::string text = "\n" + metrics_->ToText();
    const size_t at = text.find("\n" + sample + " ");
    if (at == std::string::npos) return "";
    const size_t begin = at + sample.size() + 2;
    return text.substr(begin, text.find('\n', begin) - begin);
  }

  std::shared_ptr<PrometheusMetrics> metrics_ = *PrometheusMetrics::Make();
};

TEST_F(PrometheusTest, NothingHappenedIsNoText) { EXPECT_EQ(metrics_->ToText(), ""); }

TEST_F(PrometheusTest, OpenWritersAreThoseThatHaveNotEnded) {
  Tell(EventKind::kOpened);
  Tell(EventKind::kOpened);
  Tell(EventKind::kResumed);
  Tell(EventKind::kFailed);
  EXPECT_EQ(Value("tailrace_open_writers{store=\"s3\"}"), "3");
  Tell(EventKind::kClosed);
  Tell(EventKind::kReleased);
  Tell(EventKind::kDropped);  // of a state, by nobody's writer
  EXPECT_EQ(Value("tailrace_open_writers{store=\"s3\"}"), "1");
  EXPECT_EQ(Value("tailrace_writers_started_total{store=\"s3\",start=\"resumed\"}"), "1");
  EXPECT_EQ(Value("tailrace_writers_ended_total{store=\"s3\",end=\"released\"}"), "1");
  EXPECT_EQ(Value("tailrace_aborts_total{store=\"s3\",already_committed=\"false\"}"), "1");
}

TEST_F(PrometheusTest, BytesRowsAndPartsAddUp) {
  Tell(EventKind::kRowGroupClosed, 1000, 5000);
  Tell(EventKind::kRowGroupClosed, 500, 2500);
  WriteEvent part = PartStoredEvent({.number = 1, .size_bytes = 4096}, std::chrono::milliseconds(30));
  part.attempts = 3;
  metrics_->OnEvent(On("s3", part));
  EXPECT_EQ(Value("tailrace_row_groups_total{store=\"s3\"}"), "2");
  EXPECT_EQ(Value("tailrace_encoded_rows_total{store=\"s3\"}"), "1500");
  EXPECT_EQ(Value("tailrace_encoded_bytes_total{store=\"s3\"}"), "7500");
  EXPECT_EQ(Value("tailrace_stored_bytes_total{store=\"s3\"}"), "4096");
  EXPECT_EQ(Value("tailrace_part_repeats_total{store=\"s3\"}"), "2");
  EXPECT_EQ(Value("tailrace_part_duration_seconds_bucket{store=\"s3\",le=\"0.025\"}"), "0");
  EXPECT_EQ(Value("tailrace_part_duration_seconds_bucket{store=\"s3\",le=\"0.05\"}"), "1");
  EXPECT_EQ(Value("tailrace_part_duration_seconds_bucket{store=\"s3\",le=\"+Inf\"}"), "1");
  EXPECT_EQ(Value("tailrace_part_duration_seconds_sum{store=\"s3\"}"), "0.03");
  EXPECT_EQ(Value("tailrace_part_duration_seconds_count{store=\"s3\"}"), "1");
}

TEST_F(PrometheusTest, AnObjectThatWasThereIsNotCountedTwice) {
  Tell(EventKind::kCommitted, 10, 100, std::chrono::seconds(1));
  WriteEvent again = EventOf(EventKind::kFinished, 10, 100, std::chrono::seconds(2));
  again.already_committed = true;
  metrics_->OnEvent(On("s3", again));
  EXPECT_EQ(Value("tailrace_committed_rows_total{store=\"s3\"}"), "10");
  EXPECT_EQ(Value("tailrace_committed_bytes_total{store=\"s3\"}"), "100");
  EXPECT_EQ(Value("tailrace_commits_total{store=\"s3\",call=\"commit\",already_committed=\"false\"}"), "1");
  EXPECT_EQ(Value("tailrace_commits_total{store=\"s3\",call=\"finish\",already_committed=\"true\"}"), "1");
  EXPECT_EQ(Value("tailrace_last_commit_timestamp_seconds{store=\"s3\"}"), "1700000000");
}

TEST_F(PrometheusTest, FailuresAreToldApart) {
  metrics_->OnEvent(On("file", FailureOf(WriteStep::kStorePart, MakeError(ErrorKind::kNoSpace, "m"))));
  metrics_->OnEvent(On("s3", FailureOf(WriteStep::kFinish, MakeError(ErrorKind::kUploadGone, "m"))));
  EXPECT_EQ(Value("tailrace_failures_total{store=\"file\",step=\"store_part\",error=\"no space\"}"), "1");
  EXPECT_EQ(Value("tailrace_failures_total{store=\"s3\",step=\"finish\",error=\"upload gone\"}"), "1");
}

TEST(Prometheus, UsersLabelsStandOnEveryMetric) {
  ASSERT_OK_AND_ASSIGN(auto metrics, PrometheusMetrics::Make({{"job", "a \"b\"\\\n"}}));
  metrics->OnEvent(On("s3", EventOf(EventKind::kCheckpoint)));
  EXPECT_THAT(
      metrics->ToText(),
      AllOf(HasSubstr("tailrace_last_checkpoint_timestamp_seconds{job=\"a \\\"b\\\"\\\\\\n\",store=\"s3\"} "),
            HasSubstr("tailrace_checkpoint_duration_seconds_count{job=\"a \\\"b\\\"\\\\\\n\",store=\"s3\"} 1\n"),
            Not(HasSubstr("{store="))));
}

TEST(Prometheus, LabelsThatCannotBeAreRefused) {
  for (const char* name : {"", "9a", "a-b", "__a", "store", "le"}) {
    const auto made = PrometheusMetrics::Make({{name, "v"}});
    ASSERT_FALSE(made.ok()) << name;
    EXPECT_EQ(KindOf(made.status()), ErrorKind::kInvalid);
    EXPECT_THAT(made.status().message(), HasSubstr(std::string("'") + name + "'"));
  }
  EXPECT_FALSE(PrometheusMetrics::Make({{"a", "1"}, {"a", "2"}}).ok());
}

TEST_F(PrometheusTest, ManyWritersAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        Tell(EventKind::kPartStored, 0, 2);
        if (i % 100 == 0) (void)metrics_->ToText();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Value("tailrace_stored_bytes_total{store=\"s3\"}"), "8000");
}

}  // namespace
}  // namespace tailrace
