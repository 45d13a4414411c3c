// Chunks in, row groups out: the same with any number of threads, in order, and with one error at most.
#include "writer/encode_lane.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <arrow/array.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encode/batch_adapter.h"
#include "encode/row_group_encoder.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"
#include "testing/step_executor.h"

namespace tailrace {
namespace {

using Batch = std::shared_ptr<arrow::RecordBatch>;

// What a lane hands on.
struct Outcome {
  std::vector<std::string> bytes;
  std::vector<RowGroupEntry> entries;
  std::vector<int64_t> referenced_bytes;
  std::vector<Status> failures;
  bool after_failure = false;  // something came behind it
};

// Chunks of a file, and what they become.
struct World {
  explicit World(std::shared_ptr<arrow::Schema> of, ParquetOptions with = {})
      : options(std::move(with)), schema(PrepareSchema(std::move(of), options).ValueOrDie()) {}

  std::vector<Chunk> Cut(const Batch& rows, uint64_t seed) const {
    Recutter recutter(schema.encoded, options.row_group_bytes, options.row_group_rows);
    std::vector<Chunk> chunks;
    int64_t row = 0;
    for (const Batch& batch : Rebatch(*rows, 5000, seed)) {
      const auto adapted = AdaptBatch(*batch, schema, row).ValueOrDie();
      row += batch->num_rows();
      if (adapted->num_rows() == 0) continue;
      const auto cut = recutter.Push(adapted).ValueOrDie();
      chunks.insert(chunks.end(), cut.begin(), cut.end());
    }
    if (auto rest = recutter.Flush().ValueOrDie()) chunks.push_back(*rest);
    return chunks;
  }

  // As one thread encodes them.
  Outcome Serial(const std::vector<Chunk>& chunks) const {
    Outcome out;
    std::unique_ptr<RowGroupEncoder> encoder;
    int64_t referenced = 0;
    for (const Chunk& chunk : chunks) {
      if (encoder == nullptr) {
        encoder = RowGroupEncoder::Make(schema, options, arrow::default_memory_pool(), TwoBefore(out.entries));
      }
      EXPECT_OK(encoder->Write(*chunk.batch));
      referenced += chunk.referenced_bytes;
      if (!chunk.ends_row_group) continue;
      Add(std::exchange(encoder, nullptr)->Finish().ValueOrDie(), std::exchange(referenced, 0), &out);
    }
    return out;
  }

  static void Add(EncodedRowGroup group, int64_t referenced_bytes, Outcome* out) {
    out->bytes.push_back(group.bytes.ToString());
    out->entries.push_back(std::move(group.entry));
    out->referenced_bytes.push_back(referenced_bytes);
  }

  ParquetOptions options;
  PreparedSchema schema;
};

// A lane whose outcome is kept, and which can be waited for.
class LaneUnderTest {
 public:
  LaneUnderTest(const World& world, std::shared_ptr<Executor> executor, int threads,
                std::vector<RowGroupEntry> last = {})
      : executor_(std::move(executor)),
        lane_(&world.schema, world.options, std::move(last), &memory_, executor_.get(), threads,
              {.row_group_encoded = [this](EncodedRowGroup group, int64_t bytes) { Encoded(std::move(group), bytes); },
               .failed = [this](Status error) { Failed(std::move(error)); }}) {}

  EncodeLane& lane() { return lane_; }
  int64_t held_bytes() const { return held_bytes_.load(); }

  void Push(const Chunk& chunk) {
    held_bytes_ += chunk.referenced_bytes;
    lane_.Push(chunk, MakeChunkHold([this, bytes = chunk.referenced_bytes] { held_bytes_ -= bytes; }));
  }
  // Waits until so many row groups came, or an error.
  Outcome WaitFor(size_t row_groups) {
    for (;;) {
      {
        MutexLock lock(&mutex_);
        if (outcome_.bytes.size() >= row_groups || !outcome_.failures.empty()) return outcome_;
      }
      if (executor_->TryRunOne()) continue;
      MutexLock lock(&mutex_);
      if (outcome_.bytes.size() < row_groups && outcome_.failures.empty()) changed_.Wait(&mutex_);
    }
  }
  Outcome outcome() {
    MutexLock lock(&mutex_);
    return outcome_;
  }
  // Called inside the callback, once.
  void OnNextRowGroup(std::function<void()> hook) { hook_ = std::move(hook); }

 private:
  void Encoded(EncodedRowGroup group, int64_t bytes) {
    EXPECT_FALSE(busy_.exchange(true)) << "callbacks come one at a time";
    if (hook_) std::exchange(hook_, nullptr)();
    {
      MutexLock lock(&mutex_);
      outcome_.after_failure |= !outcome_.failures.empty();
      World::Add(std::move(group), bytes, &outcome_);
      changed_.NotifyAll();
    }
    busy_ = false;
  }
  void Failed(Status error) {
    EXPECT_FALSE(busy_.exchange(true)) << "callbacks come one at a time";
    {
      MutexLock lock(&mutex_);
      outcome_.failures.push_back(std::move(error));
      changed_.NotifyAll();
    }
    busy_ = false;
  }

  const std::shared_ptr<Executor> executor_;
  std::atomic<int64_t> held_bytes_ = 0;
  std::atomic<bool> busy_ = false;
  std::function<void()> hook_;
  Mutex mutex_;
  CondVar changed_;
  Outcome outcome_ TAILRACE_GUARDED_BY(mutex_);
  EncodeMemory memory_;
  EncodeLane lane_;  // last: its callbacks use the others
};

void ExpectSame(const Outcome& got, const Outcome& expected) {
  EXPECT_TRUE(got.failures.empty());
  EXPECT_TRUE(got.bytes == expected.bytes);
  EXPECT_TRUE(got.entries == expected.entries);
  EXPECT_EQ(got.referenced_bytes, expected.referenced_bytes);
}

std::shared_ptr<arrow::Schema> MixedSchema() {
  return arrow::schema({arrow::field("id", arrow::int64(), false), arrow::field("heavy", arrow::utf8()),
                        arrow::field("list", arrow::list(arrow::int32())), arrow::field("v", arrow::float64()),
                        arrow::field("flag", arrow::boolean())});
}

// One column has most of the bytes: a chunk is 1 MiB of it, a row group of 9,000 rows has two.
Batch MixedRows(int64_t rows, uint64_t seed) {
  RandomShape shape;
  shape.max_string_bytes = 400;
  return MakeBatch(MixedSchema(), rows, seed, shape);
}

ParquetOptions SmallRowGroups() {
  ParquetOptions options;
  options.row_group_rows = 9000;
  options.encodings = Encodings::kAll;
  options.columns = {{.path = "heavy", .bloom_filter = BloomFilterOptions{1000, 0.1}},
                     {.path = "v", .bloom_filter = BloomFilterOptions{1000, 0.1}}};
  return options;
}

TEST(EncodeLane, TheSameBytesWithAnyNumberOfThreads) {
  const World world(MixedSchema(), SmallRowGroups());
  const Batch rows = MixedRows(40000, 1);
  const Outcome expected = world.Serial(world.Cut(rows, 1));
  ASSERT_EQ(expected.bytes.size(), 5u);
  ASSERT_GT(world.Cut(rows, 1).size(), 8u);
  for (const int threads : {1, 2, 4, 8}) {
    for (const int pool_threads : {0, 1, threads + 1}) {
      LaneUnderTest lane(world, pool_threads == 0 ? MakeInlineExecutor() : MakeThreadPool(pool_threads), threads);
      for (const Chunk& chunk : world.Cut(rows, static_cast<uint64_t>(threads))) lane.Push(chunk);
      ExpectSame(lane.WaitFor(5), expected);
      lane.lane().Stop();
      EXPECT_EQ(lane.held_bytes(), 0);
    }
  }
}

TEST(EncodeLane, TheSameBytesInAnyOrderOfTasks) {
  const World world(MixedSchema(), SmallRowGroups());
  const std::vector<Chunk> chunks = world.Cut(MixedRows(30000, 2), 1);
  const Outcome expected = world.Serial(chunks);
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const auto executor = std::make_shared<StepExecutor>(seed);
    LaneUnderTest lane(world, executor, 3);
    for (const Chunk& chunk : chunks) {
      lane.Push(chunk);
      if (seed % 2 == 0) executor->TryRunOne();
    }
    ExpectSame(lane.WaitFor(expected.bytes.size()), expected);
  }
}

// What the two row groups before showed comes from a state, too.
TEST(EncodeLane, GoesOnBehindRowGroupsOfAnotherLane) {
  const World world(MixedSchema(), SmallRowGroups());
  const std::vector<Chunk> chunks = world.Cut(MixedRows(40000, 3), 1);
  const Outcome expected = world.Serial(chunks);
  for (const size_t before : {1, 2, 3}) {
    LaneUnderTest lane(world, MakeThreadPool(3), 2,
                       {expected.entries.begin(), expected.entries.begin() + static_cast<ptrdiff_t>(before)});
    size_t ended = 0;
    for (const Chunk& chunk : chunks) {
      if (ended >= before) lane.Push(chunk);
      ended += chunk.ends_row_group ? 1 : 0;
    }
    const Outcome got = lane.WaitFor(expected.bytes.size() - before);
    for (size_t i = 0; i < got.bytes.size(); ++i) {
      EXPECT_TRUE(got.bytes[i] == expected.bytes[before + i]);
      EXPECT_TRUE(got.entries[i] == expected.entries[before + i]);
    }
  }
}

TEST(EncodeLane, EndRowGroupEndsWhatWasPushed) {
  const World world(MixedSchema());
  const std::vector<Chunk> chunks = world.Cut(MixedRows(40000, 4), 1);
  ASSERT_GT(chunks.size(), 2u);
  for (const bool inline_executor : {true, false}) {
    LaneUnderTest lane(world, inline_executor ? MakeInlineExecutor() : MakeThreadPool(3), 2);
    lane.lane().EndRowGroup();  // there is none
    int64_t rows = 0;
    for (size_t i = 0; i < 2; ++i) {
      lane.Push(chunks[i]);
      rows += chunks[i].batch->num_rows();
      lane.lane().EndRowGroup();
      lane.lane().EndRowGroup();
    }
    const Outcome outcome = lane.WaitFor(2);
    ASSERT_EQ(outcome.entries.size(), 2u);
    EXPECT_EQ(outcome.entries[0].rows + outcome.entries[1].rows, rows);
  }
}

// A chunk that no batch adapter let through: its second column is of another type than the file's.
Chunk BadChunk(const Chunk& like) {
  auto columns = like.batch->columns();
  columns[1] = columns[0];
  const auto schema = *like.batch->schema()->SetField(1, arrow::field("heavy", columns[1]->type()));
  return {arrow::RecordBatch::Make(schema, like.batch->num_rows(), columns), like.referenced_bytes,
          like.ends_row_group};
}

// In the second row group, while the first may still be open: what was whole before comes first, then one error, then
// nothing.
TEST(EncodeLane, AnErrorInOneColumnEndsEverythingOnce) {
  const World world(MixedSchema(), SmallRowGroups());
  const std::vector<Chunk> chunks = world.Cut(MixedRows(40000, 5), 1);
  const Outcome expected = world.Serial(chunks);
  for (int round = 0; round < 20; ++round) {
    const auto executor = round % 4 == 0 ? MakeInlineExecutor() : MakeThreadPool(1 + round % 4);
    LaneUnderTest lane(world, executor, 1 + round % 3);
    size_t ended = 0;
    for (const Chunk& chunk : chunks) {
      lane.Push(ended == 1 ? BadChunk(chunk) : chunk);
      ended += chunk.ends_row_group ? 1 : 0;
    }
    (void)lane.WaitFor(ended);
    lane.lane().Stop();
    const Outcome outcome = lane.outcome();
    ASSERT_EQ(outcome.failures.size(), 1u);
    EXPECT_FALSE(outcome.after_failure);
    EXPECT_LE(outcome.bytes.size(), 1u);
    EXPECT_TRUE(outcome.bytes.empty() || outcome.bytes[0] == expected.bytes[0]);
    EXPECT_EQ(lane.held_bytes(), 0);
  }
}

TEST(EncodeLane, AnErrorWaitsForTheRowGroupThatIsBeingHandedOn) {
  const World world(MixedSchema(), SmallRowGroups());
  const std::vector<Chunk> chunks = world.Cut(MixedRows(20000, 6), 1);
  const auto executor = std::make_shared<StepExecutor>();
  LaneUnderTest lane(world, executor, 2);
  // The second row group fails, in another task, inside the callback for the first.
  lane.OnNextRowGroup([&] {
    lane.Push(BadChunk(chunks.back()));
    EXPECT_EQ(executor->RunAll(), 1);
    EXPECT_TRUE(lane.outcome().failures.empty());
  });
  for (const Chunk& chunk : chunks) {
    lane.Push(chunk);
    if (chunk.ends_row_group) break;
  }
  executor->RunAll();
  const Outcome outcome = lane.outcome();
  EXPECT_EQ(outcome.bytes.size(), 1u);
  EXPECT_EQ(outcome.failures.size(), 1u);
  EXPECT_FALSE(outcome.after_failure);
}

TEST(EncodeLane, StopsInTheMiddleOfAnything) {
  const World world(MixedSchema(), SmallRowGroups());
  const std::vector<Chunk> chunks = world.Cut(MixedRows(40000, 7), 1);
  for (int round = 0; round < 20; ++round) {
    LaneUnderTest lane(world, MakeThreadPool(1 + round % 4), 1 + round % 3);
    for (size_t i = 0; i < chunks.size() && i < static_cast<size_t>(round); ++i) lane.Push(chunks[i]);
    if (round % 5 == 0) (void)lane.WaitFor(round == 0 ? 0 : 1);
    lane.lane().Stop();
    const size_t came = lane.outcome().bytes.size();
    EXPECT_EQ(lane.held_bytes(), 0);
    lane.Push(chunks[0]);
    lane.lane().EndRowGroup();
    EXPECT_EQ(lane.held_bytes(), 0) << "nothing is taken any more";
    EXPECT_EQ(lane.outcome().bytes.size(), came);
    EXPECT_TRUE(lane.outcome().failures.empty());
  }
}

TEST(EncodeLane, ReadAheadIsHalfARowGroupWithinTheBudget) {
  constexpr int64_t kMiB = 1 << 20;
  ParquetOptions options;
  EXPECT_EQ(EncodeLane::ReadAheadBytes(options, 256 * kMiB, 1), 32 * kMiB);
  EXPECT_EQ(EncodeLane::ReadAheadBytes(options, 256 * kMiB, 2), 64 * kMiB);
  EXPECT_EQ(EncodeLane::ReadAheadBytes(options, 128 * kMiB, 2), 32 * kMiB);
  EXPECT_EQ(EncodeLane::ReadAheadBytes(options, 16 * kMiB, 8), 4 * kMiB);
  options.row_group_bytes = kMiB;
  EXPECT_EQ(EncodeLane::ReadAheadBytes(options, 256 * kMiB, 2), 32 * kMiB);
}

}  // namespace
}  // namespace tailrace
