// What may be encoded when, step by step.
#include "writer/encode_queue.h"

#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <arrow/array/util.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A chunk of one row that can be told from others by its size.
Chunk MakeChunk(int64_t bytes, bool ends_row_group) {
  static const auto rows = arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector{}), 1, arrow::ArrayVector{});
  return {rows->Slice(0), bytes, ends_row_group};
}

// A queue, and the chunks whose holds were let go.
struct World {
  std::vector<int64_t> let_go;
  EncodeQueue queue;

  void Push(int64_t bytes, bool ends_row_group = false) {
    queue.Push(MakeChunk(bytes, ends_row_group), MakeChunkHold([this, bytes] { let_go.push_back(bytes); }));
  }
  // Takes the start of a row group and carries it out.
  void Start(int64_t row_group, std::vector<int64_t> weights) {
    const auto step = queue.Take();
    ASSERT_TRUE(step && step->starts);
    ASSERT_EQ(step->row_group, row_group);
    queue.Started(row_group, std::move(weights));
  }
  EncodeStep Take() {
    const auto step = queue.Take();
    EXPECT_TRUE(step.has_value());
    return step.value_or(EncodeStep());
  }
};

TEST(EncodeQueue, AChunkIsFreeOnceAllUnitsHaveEncodedIt) {
  World world;
  EXPECT_EQ(world.queue.ready(), 0);
  world.Push(1);
  world.Push(2);
  EXPECT_EQ(world.queue.ready(), 1);
  world.Start(0, {10, 10});
  EXPECT_EQ(world.queue.ready(), 2);
  const EncodeStep a = world.Take(), b = world.Take();
  EXPECT_NE(a.unit, b.unit);
  EXPECT_EQ(a.chunk, b.chunk);
  EXPECT_FALSE(world.queue.Take()) << "both units are at work";
  world.queue.Encoded(a);
  EXPECT_THAT(world.let_go, IsEmpty());
  const EncodeStep next = world.Take();
  EXPECT_EQ(next.unit, a.unit);
  EXPECT_NE(next.chunk, a.chunk);
  world.queue.Encoded(b);
  EXPECT_THAT(world.let_go, ElementsAre(1));
}

TEST(EncodeQueue, AHeldChunkEndsWithItsRowGroup) {
  World world;
  world.Push(1);
  world.Push(2, /*ends_row_group=*/true);
  world.Start(0, {1});
  EXPECT_FALSE(world.queue.Encoded(world.Take()).ends_row_group);
  const EncodeStep last = world.Take();
  EXPECT_TRUE(last.ends);
  EXPECT_TRUE(world.queue.Encoded(last).ends_row_group);
  EXPECT_THAT(world.let_go, ElementsAre(1));
  {
    const EncodeQueue::Left left = world.queue.PopRowGroup();
    EXPECT_EQ(left.row_group, 0);
    EXPECT_EQ(left.referenced_bytes, 3);
  }
  EXPECT_THAT(world.let_go, ElementsAre(1, 2));
  EXPECT_EQ(world.queue.ready(), 0);
}

TEST(EncodeQueue, ARowGroupCanBeEndedBehindItsLastChunk) {
  World world;
  world.queue.EndRowGroup();
  EXPECT_EQ(world.queue.ready(), 0) << "there is none";
  world.Push(1);
  world.Start(0, {1, 1});
  const EncodeStep a = world.Take(), b = world.Take();
  world.queue.EndRowGroup();
  EXPECT_FALSE(a.ends);
  EXPECT_FALSE(world.queue.Encoded(a).ends_row_group);
  const EncodeStep end = world.Take();
  EXPECT_EQ(end.unit, a.unit);
  EXPECT_EQ(end.chunk, nullptr);
  EXPECT_TRUE(end.ends);
  EXPECT_FALSE(world.queue.Encoded(end).ends_row_group);
  EXPECT_FALSE(world.queue.Encoded(b).ends_row_group);
  EXPECT_TRUE(world.queue.Encoded(world.Take()).ends_row_group);
  world.Push(2);
  world.queue.PopRowGroup();
  world.Start(1, {1});
}

TEST(EncodeQueue, TheUnitFurthestBehindComesFirstThenTheHeavier) {
  World world;
  for (int64_t i = 0; i < 3; ++i) world.Push(i);
  world.Start(0, {5, 50, 20});
  const EncodeStep heavy = world.Take(), middle = world.Take(), light = world.Take();
  EXPECT_EQ(heavy.unit, 1u);
  EXPECT_EQ(middle.unit, 2u);
  EXPECT_EQ(light.unit, 0u);
  world.queue.Encoded(light);
  const EncodeStep second = world.Take();
  EXPECT_EQ(second.unit, 0u);
  world.queue.Encoded(second);
  world.queue.Encoded(heavy);
  world.queue.Encoded(middle);
  EXPECT_EQ(world.Take().unit, 1u);
  EXPECT_EQ(world.Take().unit, 2u);
  EXPECT_EQ(world.Take().unit, 0u);
}

TEST(EncodeQueue, TwoRowGroupsAreInWorkAndTheOlderComesFirst) {
  World world;
  for (int64_t i = 0; i < 3; ++i) world.Push(i, /*ends_row_group=*/true);
  world.Start(0, {1, 1});
  const EncodeStep heavy = world.Take(), light = world.Take();
  world.Start(1, {1});
  const EncodeStep next = world.Take();
  EXPECT_EQ(next.row_group, 1);
  EXPECT_FALSE(world.queue.Take()) << "the third follows from what the first shows";
  EXPECT_TRUE(world.queue.Encoded(next).ends_row_group);
  world.queue.Encoded(light);
  EXPECT_TRUE(world.queue.Encoded(heavy).ends_row_group);
  EXPECT_EQ(world.queue.ready(), 0);
  world.queue.PopRowGroup();
  world.Start(2, {1});
  EXPECT_EQ(world.queue.PopRowGroup().row_group, 1);
  EXPECT_TRUE(world.queue.Encoded(world.Take()).ends_row_group);
  EXPECT_EQ(world.queue.PopRowGroup().row_group, 2);
  EXPECT_THAT(world.let_go, ElementsAre(0, 1, 2));
}

// Whatever order chunks come and steps end in: every unit gets every chunk of its row group once, in order, and one at
// a time; and everything ends.
TEST(EncodeQueue, AnyOrderGivesEveryUnitEveryChunk) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    World world;
    std::vector<EncodeStep> at_work;
    std::map<int64_t, std::vector<const void*>> chunks;                      // of each row group
    std::map<std::pair<int64_t, size_t>, std::vector<const void*>> encoded;  // by unit
    std::map<int64_t, bool> whole;
    constexpr int64_t kRowGroups = 6;
    int64_t pushed = 0, popped = 0, next_row_group = 0;
    while (popped < kRowGroups) {
      const uint64_t what = random() % 4;
      if (what == 0 && next_row_group < kRowGroups) {
        const bool ends = random() % 3 == 0;
        Chunk chunk = MakeChunk(pushed, ends);
        chunks[next_row_group].push_back(chunk.batch.get());
        world.queue.Push(std::move(chunk), MakeChunkHold([&world, pushed] { world.let_go.push_back(pushed); }));
        ++pushed;
        if (!ends && random() % 4 == 0)
          world.queue.EndRowGroup();
        else if (!ends)
          continue;
        ++next_row_group;
      } else if (what == 1 && !at_work.empty()) {
        const size_t i = random() % at_work.size();
        const EncodeStep step = at_work[i];
        at_work.erase(at_work.begin() + static_cast<ptrdiff_t>(i));
        if (step.starts) {
          world.queue.Started(step.row_group, std::vector<int64_t>(1 + random() % 4, 1));
          continue;
        }
        if (step.chunk != nullptr) encoded[{step.row_group, step.unit}].push_back(step.chunk.get());
        const bool all = encoded[{step.row_group, step.unit}] == chunks[step.row_group];
        EXPECT_TRUE(all || !step.ends) << seed;
        if (world.queue.Encoded(step).ends_row_group) whole[step.row_group] = true;
      } else if (what == 2 && whole[popped]) {
        world.queue.PopRowGroup();
        ++popped;
      } else {
        const int64_t ready = world.queue.ready();
        const auto step = world.queue.Take();
        ASSERT_EQ(step.has_value(), ready > 0) << seed;
        if (!step) continue;
        EXPECT_EQ(world.queue.ready(), ready - 1);
        EXPECT_LT(step->row_group, popped + EncodeQueue::kRowGroupsInWork);
        for (const EncodeStep& other : at_work) {
          EXPECT_FALSE(other.row_group == step->row_group && !other.starts && other.unit == step->unit) << seed;
        }
        at_work.push_back(*step);
      }
    }
    EXPECT_EQ(static_cast<int64_t>(world.let_go.size()), pushed) << seed;
    EXPECT_FALSE(world.queue.Take());
  }
}

}  // namespace
}  // namespace tailrace
