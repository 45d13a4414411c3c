// Writers whose encoding and uploading really run beside the caller and one another: what ThreadSanitizer looks at.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "tailrace/writer.h"
#include "testing/batch_makers.h"
#include "testing/fault_store.h"
#include "testing/memory_store.h"
#include "testing/status_macros.h"
#include "writer/stream_writer.h"

namespace tailrace {
namespace {

FileOptions Small() {
  FileOptions options;
  options.parquet.row_group_bytes = 64 << 10;
  options.part_size_bytes = 8 << 10;
  options.small_files = SmallFiles::kUpload;
  return options;
}

RuntimeOptions Threads(std::shared_ptr<Executor> executor) {
  RuntimeOptions runtime;
  runtime.executor = std::move(executor);
  runtime.parts_in_flight = 3;
  runtime.memory_budget_bytes = 512 << 10;
  return runtime;
}

// Writes `batches` batches with a checkpoint in the middle; the first error, or OK.
Status WriteFile(const std::shared_ptr<MultipartStore>& store, const std::string& key,
                 const std::shared_ptr<Executor>& executor, int batches) {
  const auto batch = MakeBatch(FlatSchema(), 200, 7);
  ARROW_ASSIGN_OR_RAISE(auto writer,
                        ParquetStreamWriter::Open(store, key, batch->schema(), Small(), Threads(executor)));
  for (int i = 0; i < batches; ++i) {
    ARROW_RETURN_NOT_OK(writer->Write(*batch));
    if (i == batches / 2) ARROW_RETURN_NOT_OK(writer->Checkpoint().status());
  }
  ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
  ARROW_ASSIGN_OR_RAISE(auto upload, store->OpenUpload(key, pending.upload_id));
  return upload->Complete(pending.receipts, {}).status();
}

TEST(WriterThreads, WritersThatShareAStoreAndAPoolEachMakeTheirFile) {
  const auto store = MemoryStore::Make();
  const std::shared_ptr<Executor> pool = MakeThreadPool(4);
  std::vector<Status> done(3);
  std::vector<std::thread> writers;
  for (size_t i = 0; i < done.size(); ++i) {
    writers.emplace_back([&, i] { done[i] = WriteFile(store, "k" + std::to_string(i), pool, 8); });
  }
  for (std::thread& writer : writers) writer.join();
  for (const Status& status : done) EXPECT_OK(status);
  EXPECT_EQ(store->Content("k0"), store->Content("k1"));
  EXPECT_EQ(store->Content("k0"), store->Content("k2"));
}

TEST(WriterThreads, AFailingPartStopsAWriterWhileOthersAreUnderWay) {
  const auto memory = MemoryStore::Make();
  const std::shared_ptr<Executor> pool = MakeThreadPool(4);
  for (int64_t nth = 0; nth < 6; ++nth) {
    const auto store = std::make_shared<FaultStore>(memory, FailCall(StoreCall::kPutPart, nth, ErrorKind::kTransient));
    EXPECT_KIND(ErrorKind::kTransient, WriteFile(store, "k", pool, 8));
    EXPECT_EQ(memory->Content("k"), std::nullopt);
  }
}

// Encoding has threads or none, of its own or shared with the uploads; batches come in any size.
TEST(WriterThreads, TheSameFileWithAnyNumberOfEncodeThreads) {
  const auto batch = MakeBatch(NestedSchema(), 2500, 3);
  FileOptions options = Small();
  options.parquet.row_group_bytes = 64 << 10;
  const auto write = [&](const std::shared_ptr<MemoryStore>& store, std::shared_ptr<Executor> executor, int threads,
                         uint64_t seed) -> Status {
    RuntimeOptions runtime = Threads(std::move(executor));
    runtime.encode_threads = threads;
    ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Open(store, "k", batch->schema(), options, runtime));
    for (const auto& piece : Rebatch(*batch, 700, seed)) ARROW_RETURN_NOT_OK(writer->Write(*piece));
    ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
    ARROW_ASSIGN_OR_RAISE(auto upload, store->OpenUpload("k", pending.upload_id));
    return upload->Complete(pending.receipts, {}).status();
  };
  std::optional<std::string> expected;
  for (const int threads : {1, 0, 2, 4, 8}) {
    for (const int pool : {0, 1, 3, -1}) {
      std::shared_ptr<Executor> executor;  // -1: the writer's own
      if (pool >= 0) executor = pool == 0 ? MakeInlineExecutor() : MakeThreadPool(pool);
      const auto store = MemoryStore::Make();
      ASSERT_OK(write(store, executor, threads, static_cast<uint64_t>(7 * threads + pool + 2)));
      if (!expected) expected = store->Content("k");
      EXPECT_TRUE(store->Content("k") == expected) << threads << " threads, pool of " << pool;
    }
  }
  ASSERT_TRUE(expected);
  EXPECT_GT(expected->size(), size_t{128} << 10) << "several row groups";
}

// One column has nearly all the bytes, so that the next row group is begun beside it; the store is slower than the
// encoders. What encoders and parts take stays within the budget, but for open pages and for the trials by which an
// encoding is chosen: a few times what one column has in a chunk, which is 1 MiB.
TEST(WriterThreads, AHeavyColumnStaysWithinTheBudget) {
  constexpr int64_t kMiB = 1 << 20;
  const auto schema = arrow::schema(
      {arrow::field("id", arrow::int64()), arrow::field("heavy", arrow::utf8()), arrow::field("v", arrow::float64())});
  RandomShape shape;
  shape.max_string_bytes = 2000;
  const auto batch = MakeBatch(schema, 2000, 4, shape);
  std::atomic<int64_t> most = 0;
  std::atomic<const StreamWriter*> watched = nullptr;
  const auto look = [&] {
    const StreamWriter* const writer = watched.load();
    const int64_t now = writer == nullptr ? 0 : writer->encoder_bytes();
    for (int64_t seen = most.load(); now > seen && !most.compare_exchange_weak(seen, now);) {
    }
  };
  const auto store = std::make_shared<FaultStore>(MemoryStore::Make(), [&](const FaultPoint& point) {
    if (point.call == StoreCall::kPutPart) std::this_thread::sleep_for(std::chrono::milliseconds(4));
    look();
    return Status::OK();
  });
  FileOptions options;
  options.parquet.row_group_bytes = 6 * kMiB;
  options.parquet.page_bytes = 64 << 10;
  options.parquet.codec = Codec::kNone;
  options.part_size_bytes = 256 << 10;
  RuntimeOptions runtime;
  runtime.memory_budget_bytes = 16 * kMiB;
  runtime.encode_threads = 4;
  runtime.parts_in_flight = 1;
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", schema, options, runtime));
  watched = static_cast<const StreamWriter*>(writer.get());
  for (int i = 0; i < 40; ++i) {
    ASSERT_OK(writer->Write(*batch));
    look();
  }
  ASSERT_OK(writer->Close().status());
  look();
  EXPECT_GT(most.load(), 6 * kMiB);
  EXPECT_LE(most.load(), runtime.memory_budget_bytes + 5 * kMiB);
}

TEST(WriterThreads, CheckpointsThatCarryWhileChunksAreInWorkLeaveNoTrace) {
  const auto store = MemoryStore::Make();
  const auto batch = MakeBatch(FlatSchema(), 200, 7);
  const std::shared_ptr<Executor> pool = MakeThreadPool(4);
  FileOptions options = Small();
  options.parquet.row_group_bytes = 256 << 10;
  options.carry_max_bytes = 160 << 10;
  RuntimeOptions runtime = Threads(pool);
  runtime.memory_budget_bytes = 1 << 20;
  for (const CheckpointMode mode : {CheckpointMode::kFlush, CheckpointMode::kCarry}) {
    options.checkpoint_mode = mode;
    const std::string key = mode == CheckpointMode::kCarry ? "carried" : "plain";
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, key, batch->schema(), options, runtime));
    for (int i = 0; i < 30; ++i) {
      ASSERT_OK(writer->Write(*batch));
      if (mode == CheckpointMode::kFlush) continue;
      ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
      EXPECT_EQ(state.rows(), writer->rows());
    }
    ASSERT_OK_AND_ASSIGN(const PendingCommit pending, writer->Close());
    ASSERT_OK_AND_ASSIGN(auto upload, store->OpenUpload(key, pending.upload_id));
    ASSERT_OK(upload->Complete(pending.receipts, {}));
  }
  EXPECT_TRUE(store->Content("carried") == store->Content("plain"));
}

TEST(WriterThreads, AWriterMayGoWhileEverythingIsUnderWay) {
  const auto store = MemoryStore::Make();
  const auto batch = MakeBatch(FlatSchema(), 200, 7);
  const std::shared_ptr<Executor> pool = MakeThreadPool(4);
  for (int round = 0; round < 10; ++round) {
    FileOptions options = Small();
    if (round % 2 == 1) options.checkpoint_mode = CheckpointMode::kCarry;
    options.carry_max_bytes = 64 << 10;
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", batch->schema(), options, Threads(pool)));
    for (int i = 0; i < round; ++i) ASSERT_OK(writer->Write(*batch));
  }
  EXPECT_TRUE(store->Uploads().empty());
}

}  // namespace
}  // namespace tailrace
