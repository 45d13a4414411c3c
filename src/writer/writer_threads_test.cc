// Writers whose encoding and uploading really run beside the caller and one another: what ThreadSanitizer looks at.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <arrow/record_batch.h>

#include "tailrace/writer.h"
#include "testing/batch_makers.h"
#include "testing/fault_store.h"
#include "testing/memory_store.h"
#include "testing/status_macros.h"

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

TEST(WriterThreads, AWriterMayGoWhileEverythingIsUnderWay) {
  const auto store = MemoryStore::Make();
  const auto batch = MakeBatch(FlatSchema(), 200, 7);
  const std::shared_ptr<Executor> pool = MakeThreadPool(4);
  for (int round = 0; round < 10; ++round) {
    ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Open(store, "k", batch->schema(), Small(), Threads(pool)));
    for (int i = 0; i < round; ++i) ASSERT_OK(writer->Write(*batch));
  }
  EXPECT_TRUE(store->Uploads().empty());
}

}  // namespace
}  // namespace tailrace
