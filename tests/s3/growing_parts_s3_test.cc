// Growing parts over HTTP, on a service that takes twenty parts of at most 64 KiB: whatever request a process dies at,
// others resume and finish, and every row is there once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/s3/s3_world.h"

namespace tailrace::sim {
namespace {

constexpr int64_t kKiB = 1 << 10;
constexpr int64_t kRows = 1200;
constexpr int64_t kCheckpoint = 300;

// `strays`: Complete has to name every stored part, as on Ceph's RGW.
StoreKind TwentyParts(bool strays) {
  StoreKind kind = strays ? Rgw() : Strict();
  kind.name = strays ? "TwentyPartsAndStrays" : "TwentyParts";
  kind.rules = [more = kind.rules](S3Rules* rules) {
    more(rules);
    rules->max_parts = 20;
    rules->min_part_bytes = kKiB;
  };
  kind.limits = [more = kind.limits](StoreLimits* limits) {
    more(limits);
    limits->max_parts = 20;
    limits->min_part_bytes = kKiB;
    limits->max_part_bytes = 64 * kKiB;
  };
  return kind;
}

FileOptions Growing() {
  FileOptions options = TinyParts();
  options.part_size_bytes = kKiB;
  options.parquet.row_group_bytes = 32 * kKiB;
  options.growing_parts = true;
  return options;
}

// What outlives the processes of one write.
struct Outside {
  std::optional<std::string> state;
  int64_t state_rows = 0;
};

Status WriteAndFinish(S3World* world, ParquetStreamWriter* writer, Outside* outside) {
  while (writer->rows() < kRows) {
    ARROW_RETURN_NOT_OK(WriteOn(writer, writer->rows() + kCheckpoint));
    ARROW_ASSIGN_OR_RAISE(const WriterState state, writer->Checkpoint());
    EXPECT_TRUE(state.progress.part_lengths.grows());
    for (const PartReceipt& part : state.progress.receipts) {
      EXPECT_EQ(part.size_bytes, state.progress.part_lengths.LengthOf(part.number));
    }
    outside->state = state.ToBytes();
    outside->state_rows = state.rows();
  }
  ARROW_ASSIGN_OR_RAISE(const WriterState last, WriterState::FromBytes(*outside->state));
  return Finish(last, world->On(world->Process())).status();
}

// From the start, or from what was left.
Status RunProcess(S3World* world, Outside* outside) {
  if (!outside->state) {
    ARROW_ASSIGN_OR_RAISE(auto writer,
                          ParquetStreamWriter::Open(world->Process(), kKey, RowSchema(), Growing(), Inline()));
    return WriteAndFinish(world, writer.get(), outside);
  }
  ARROW_ASSIGN_OR_RAISE(const WriterState state, WriterState::FromBytes(*outside->state));
  auto writer = ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = world->Process()});
  // It had been finished before its process died.
  if (!writer.ok() && KindOf(writer.status()) == ErrorKind::kFenced && outside->state_rows == kRows) {
    return Finish(state, world->On(world->Process())).status();
  }
  ARROW_RETURN_NOT_OK(writer);
  return WriteAndFinish(world, writer->get(), outside);
}

// Dies at the n-th of its requests, done or not.
std::vector<FaultRule> DieAt(int nth, bool done) {
  FaultRule last{.when = {.operation = "*", .skip = nth, .times = 1},
                 .fault = {.apply = done, .no_reply = true, .end = Fault::End::kReset}};
  FaultRule rest{.when = {.operation = "*", .skip = nth, .times = -1},
                 .fault = {.apply = false, .no_reply = true, .end = Fault::End::kReset}};
  return {last, rest};
}

class GrowingPartsS3 : public ::testing::TestWithParam<bool> {};

TEST_P(GrowingPartsS3, WhereverAProcessDiesTheNextGoesOn) {
  bool died = true;
  for (int nth = 0; died; ++nth) {
    SCOPED_TRACE(nth);
    ASSERT_LT(nth, 200);
    S3World world(TwentyParts(GetParam()));
    world.setup().client.retry.max_attempts = 1;
    Outside outside;
    world.transport().Use(DieAt(nth, nth % 2 == 0));
    died = !RunProcess(&world, &outside).ok();
    world.transport().Use({});
    const Status second = died ? RunProcess(&world, &outside) : Status::OK();
    ASSERT_TRUE(second.ok()) << second.ToString() << "\n" << world.LogText();
    EXPECT_EQ(world.RowsThere(), kRows);
  }
}

TEST(GrowingPartsOnS3, TheStoreTakesThemAndNoMoreThanItsNumbers) {
  S3World world(TwentyParts(false));
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(world.Process(), kKey, RowSchema(), Growing(), Inline()));
  Status status;
  while (status.ok()) status = WriteOn(writer.get(), writer->rows() + 50);
  EXPECT_EQ(KindOf(status), ErrorKind::kLimit);
  const int64_t rows = writer->rows();
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
  EXPECT_LE(pending.receipts.size(), 20u);
  EXPECT_GT(pending.size_bytes, 5 * 20 * kKiB);
  ASSERT_OK(Commit(pending, world.On(world.Process())));
  EXPECT_EQ(world.RowsThere(), rows);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GrowingPartsS3, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Strays" : "Strict"; });

}  // namespace
}  // namespace tailrace::sim
