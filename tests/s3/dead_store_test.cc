// A store that answers nothing, or only that it is busy, fails everything in bounded time and by few requests, however
// many parts are in flight: they share one budget. Time is the fake clock's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/retry_budget.h"
#include "tests/s3/s3_world.h"

namespace tailrace::sim {
namespace {

using std::chrono::minutes;
using ::testing::HasSubstr;

constexpr int kRepetitions = RetryBudget::kCapacity / RetryBudget::kRetryCost;

Fault Silent() {
  // Longer than anybody waits.
  return {.apply = false, .delay = minutes(60), .no_reply = true, .end = Fault::End::kHang};
}
Fault Answering(int status, const std::string& code) { return {.apply = false, .status = status, .code = code}; }

struct Death {
  std::string name;
  Fault fault;
  ErrorKind kind;
};

class DeadStore : public ::testing::TestWithParam<Death> {
 protected:
  DeadStore() : world_(Strict()) { world_.setup().client.retry = RetryPolicy{}; }

  void Die(const std::string& operation = "*") {
    world_.transport().Use({{.when = {.operation = operation, .times = -1}, .fault = GetParam().fault}});
    world_.transport().ResetLog();
    begin_ = world_.clock().Steady();
  }
  int requests() { return static_cast<int>(world_.transport().log().size()); }
  auto taken() { return world_.clock().Steady() - begin_; }

  S3World world_;
  std::chrono::steady_clock::time_point begin_;
};

TEST_P(DeadStore, EveryCallOfALifeEndsInBoundedTime) {
  const auto store = world_.Process();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, kKey, RowSchema(), TinyParts(), Inline()));
  ASSERT_OK(WriteOn(writer.get(), 200));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  const int most = world_.setup().client.retry.max_attempts;
  const auto expect_end = [&](const Status& status, int calls) {
    EXPECT_FALSE(status.ok());
    EXPECT_TRUE(KindOf(status) == GetParam().kind || KindOf(status) == ErrorKind::kOutcomeUnknown) << status.ToString();
    EXPECT_LE(requests(), calls * most) << world_.LogText();
    // An attempt is not cut short by the deadline of the whole.
    EXPECT_LE(taken(), calls * minutes(5));
  };
  Die();
  Status failed = WriteOn(writer.get(), 2000);
  expect_end(failed, 1);
  EXPECT_THAT(failed.message(), HasSubstr("UploadPart"));
  Die();
  writer.reset();
  EXPECT_EQ(requests(), 0) << "a state is outside: nothing is aborted";
  expect_end(Finish(state, world_.On(world_.Process())).status(), 1);
  Die();
  // It is not known whether the write ended, and the parts cannot be listed.
  expect_end(ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = world_.Process()}).status(), 2);
  Die();
  expect_end(Abort(state, world_.On(world_.Process())).status(), 1);
  ASSERT_OK(Finish(state, world_.Healthy()));
  EXPECT_EQ(world_.RowsThere(), 200);
}

TEST_P(DeadStore, AStateThatWaitsForItsCommitIsTriedInBoundedTime) {
  const auto store = world_.Process();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, kKey, RowSchema(), TinyParts(), Inline()));
  ASSERT_OK(WriteOn(writer.get(), 200));
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  Die();
  const Result<CommitInfo> done = Commit(pending, world_.On(world_.Process()));
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(OutcomeOf(done.status()) == Outcome::kRetry || OutcomeOf(done.status()) == Outcome::kUnknown);
  // Complete, then a look at the object and at the parts.
  EXPECT_LE(requests(), 3 * world_.setup().client.retry.max_attempts) << world_.LogText();
  EXPECT_LE(taken(), minutes(30));
  ASSERT_OK(Commit(pending, world_.Healthy()));
  EXPECT_EQ(world_.RowsThere(), 200);
}

// With threads of its own, and more parts in flight than the budget has repetitions for.
TEST_P(DeadStore, PartsInFlightDoNotMultiplyTheRetries) {
  constexpr int kInFlight = 16;
  RuntimeOptions runtime;
  runtime.executor = MakeThreadPool(kInFlight + 1);
  runtime.parts_in_flight = kInFlight;
  runtime.memory_budget_bytes = 8 << 20;
  world_.setup().client.max_requests = kInFlight;
  const auto store = world_.Process();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, kKey, RowSchema(), TinyParts(), runtime));
  ASSERT_OK(WriteOn(writer.get(), 100));
  ASSERT_OK(writer->Checkpoint());
  Die("UploadPart");
  Status failed = WriteOn(writer.get(), 4000);
  if (failed.ok()) failed = writer->Checkpoint().status();
  EXPECT_KIND(GetParam().kind, failed);
  writer.reset();
  const int firsts = kInFlight + 1;
  const bool budgeted = GetParam().kind == ErrorKind::kTransient;
  const int most = budgeted ? firsts + kRepetitions : firsts * world_.setup().client.retry.max_attempts;
  EXPECT_LE(requests(), most) << world_.LogText();
  EXPECT_EQ(world_.transport().calls()["CompleteMultipartUpload"], 0);
}

// The budget is the store's, so that the next write of the same process does not begin all over.
TEST_P(DeadStore, TheBudgetIsSharedByAllWritersOfAStore) {
  if (GetParam().kind != ErrorKind::kTransient) return;  // a busy store is alive
  const auto store = world_.Process();
  Die();
  for (int i = 0; i < 50; ++i) {
    const std::string key = "dir/" + std::to_string(i);
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, key, RowSchema(), TinyParts(), Inline()));
    EXPECT_FALSE(WriteOn(writer.get(), 400).ok());
  }
  EXPECT_LE(requests(), 50 + kRepetitions);
  world_.transport().ResetLog();
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, kKey, RowSchema(), TinyParts(), Inline()));
  const Status failed = WriteOn(writer.get(), 400);
  EXPECT_THAT(failed.message(), HasSubstr("none is repeated until some succeed"));
  EXPECT_EQ(requests(), 1);
  // Once it is back, a single failure is repeated again.
  world_.transport().Use({});
  ASSERT_OK_AND_ASSIGN(auto next, ParquetStreamWriter::Open(store, kKey, RowSchema(), TinyParts(), Inline()));
  ASSERT_OK(WriteOn(next.get(), 600));
  Die("UploadPart");
  world_.transport().Use({{.when = {.operation = "UploadPart"}, .fault = GetParam().fault}});
  ASSERT_OK(WriteOn(next.get(), 1000));
  ASSERT_OK(next->Close());
}

INSTANTIATE_TEST_SUITE_P(Deaths, DeadStore,
                         ::testing::Values(Death{"Silent", Silent(), ErrorKind::kTransient},
                                           Death{"Reset",
                                                 {.apply = false, .no_reply = true, .end = Fault::End::kReset},
                                                 ErrorKind::kTransient},
                                           Death{"InternalError", Answering(500, "InternalError"),
                                                 ErrorKind::kTransient},
                                           Death{"Busy", Answering(503, "SlowDown"), ErrorKind::kThrottled}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
