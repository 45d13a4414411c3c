#include "writer/carry_lane.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "testing/batch_makers.h"
#include "testing/status_macros.h"
#include "testing/step_executor.h"

namespace tailrace {
namespace {

class CarryLaneTest : public ::testing::Test {
 protected:
  CarryLane Make(int64_t max_bytes) {
    return CarryLane(schema_, max_bytes, &memory_, &executor_, [this](Status error) { failed_ = error; });
  }
  // The next rows, as one chunk that is counted while somebody holds it.
  Chunk Next(int64_t rows, bool ends_row_group = false) {
    const Chunk chunk{all_->Slice(at_, rows), rows * 8, ends_row_group};
    at_ += rows;
    return chunk;
  }
  std::shared_ptr<const void> Hold() {
    ++held_;
    return std::shared_ptr<const void>(static_cast<const void*>(""), [this](const void*) { --held_; });
  }

  const std::shared_ptr<arrow::Schema> schema_ = arrow::schema({arrow::field("n", arrow::int64(), false)});
  const std::shared_ptr<arrow::RecordBatch> all_ = MakeBatch(schema_, 10000, 3);
  int64_t at_ = 0;
  int held_ = 0;
  EncodeMemory memory_;
  StepExecutor executor_;
  Status failed_;
};

TEST_F(CarryLaneTest, KeepsTheRowsOfTheOpenRowGroupInOrderAndLetsTheirMemoryGo) {
  CarryLane lane = Make(1 << 20);
  lane.Push(Next(1000), Hold());
  lane.Push(Next(700), Hold());
  EXPECT_EQ(held_, 2);
  ASSERT_OK_AND_ASSIGN(const auto copy, lane.Copy(Next(10).batch));
  EXPECT_EQ(held_, 0);
  ASSERT_TRUE(copy.has_value());
  ASSERT_EQ(copy->chunks.size(), 3u);
  EXPECT_EQ(copy->rows(), 1710);
  const CarriedCodec codec(schema_);
  int64_t row = 0;
  for (const CarriedChunk& chunk : copy->chunks) {
    ASSERT_OK_AND_ASSIGN(const auto rows, codec.Unpack(chunk));
    EXPECT_TRUE(rows->Equals(*all_->Slice(row, chunk.rows)));
    row += chunk.rows;
  }
  // Each is compressed once; the held rows come in a chunk later.
  ASSERT_OK_AND_ASSIGN(const auto again, lane.Copy(nullptr));
  EXPECT_EQ(again->chunks, (std::vector<CarriedChunk>{copy->chunks[0], copy->chunks[1]}));
  EXPECT_OK(failed_);
}

TEST_F(CarryLaneTest, TheBudgetCountsTheCopyUntilItsRowGroupEnds) {
  CarryLane lane = Make(1 << 20);
  const int64_t before = memory_.bytes_in_use();
  lane.Push(Next(1000), Hold());
  lane.Push(Next(1000), Hold());
  ASSERT_OK_AND_ASSIGN(const auto copy, lane.Copy(nullptr));
  EXPECT_GE(memory_.bytes_in_use() - before, copy->size_bytes());
  EXPECT_LE(memory_.bytes_in_use() - before, copy->size_bytes() + 2 * 64);
  lane.Push(Next(5, /*ends_row_group=*/true), Hold());
  EXPECT_EQ(memory_.bytes_in_use(), before);
  EXPECT_EQ(held_, 0);
  ASSERT_OK_AND_ASSIGN(const auto none, lane.Copy(nullptr));
  EXPECT_TRUE(none->empty());
}

TEST_F(CarryLaneTest, DropsTheCopyOnceItPassesTheMost) {
  CarryLane lane = Make(12000);
  lane.Push(Next(1000), Hold());
  ASSERT_OK_AND_ASSIGN(auto copy, lane.Copy(nullptr));
  ASSERT_TRUE(copy.has_value());
  // The held rows alone may be too many; the rest stays.
  ASSERT_OK_AND_ASSIGN(copy, lane.Copy(all_));
  EXPECT_FALSE(copy.has_value());
  ASSERT_OK_AND_ASSIGN(copy, lane.Copy(nullptr));
  ASSERT_TRUE(copy.has_value());
  for (int i = 0; i < 4; ++i) lane.Push(Next(1000), Hold());
  ASSERT_OK_AND_ASSIGN(copy, lane.Copy(nullptr));
  EXPECT_FALSE(copy.has_value());
  EXPECT_EQ(held_, 0);
  EXPECT_EQ(memory_.bytes_in_use(), 0);
  lane.Push(Next(1), Hold());
  EXPECT_EQ(executor_.queued(), 0u) << "nothing more is kept";
  ASSERT_OK_AND_ASSIGN(copy, lane.Copy(nullptr));
  EXPECT_FALSE(copy.has_value());
  lane.EndRowGroup();
  lane.Push(Next(100), Hold());
  ASSERT_OK_AND_ASSIGN(copy, lane.Copy(nullptr));
  ASSERT_TRUE(copy.has_value());
  EXPECT_EQ(copy->rows(), 100);
}

TEST_F(CarryLaneTest, AChunkInWorkWhoseRowGroupEndedIsNotKept) {
  CarryLane lane = Make(1 << 20);
  lane.Push(Next(1000), Hold());
  lane.EndRowGroup();
  EXPECT_EQ(held_, 0);
  lane.Push(Next(300), Hold());
  executor_.RunAll();
  ASSERT_OK_AND_ASSIGN(const auto copy, lane.Copy(nullptr));
  EXPECT_EQ(copy->rows(), 300);
}

TEST_F(CarryLaneTest, StopDropsWhatWaits) {
  CarryLane lane = Make(1 << 20);
  lane.Push(Next(1000), Hold());
  lane.Push(Next(1000), Hold());
  lane.Stop();
  EXPECT_EQ(held_, 0);
  EXPECT_EQ(memory_.bytes_in_use(), 0);
  lane.Push(Next(1000), Hold());
  EXPECT_EQ(executor_.queued(), 0u);
  EXPECT_OK(failed_);
}

}  // namespace
}  // namespace tailrace
