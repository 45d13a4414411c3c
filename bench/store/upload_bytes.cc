// Uploads bytes that are already encoded, as the writer does: checksums of the slices, parts, complete.
//
//   upload_bytes URL PARTS PART_MIB PARTS_IN_FLIGHT
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <arrow/buffer.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/uuid.h"
#include "bench/store/resource_use.h"
#include "tailrace/store.h"
#include "upload/part_uploader.h"

namespace tailrace {
namespace {

constexpr int64_t kSliceBytes = 1 << 20;  // as the encoder makes them

// The same memory in each part, but its checksum is computed for each.
ByteSlices MakeBody(const std::shared_ptr<arrow::Buffer>& memory) {
  ByteSlices body;
  for (int64_t offset = 0; offset < memory->size(); offset += kSliceBytes) {
    body.Append(ByteSlice::Of(arrow::SliceBuffer(memory, offset, kSliceBytes)));
  }
  return body;
}

// What the uploader reports.
class Outcome {
 public:
  void Take(PartUploader::PartResult result) {
    MutexLock lock(&mutex_);
    if (result.receipt.ok()) {
      receipts_[static_cast<size_t>(result.number) - 1] = *std::move(result.receipt);
    } else {
      status_ &= result.receipt.status();
    }
    --under_way_;
    changed_.NotifyAll();
  }
  // Waits until fewer than `limit` parts are under way, then counts one more where `begin`.
  void WaitForRoom(int limit, bool begin) {
    MutexLock lock(&mutex_);
    while (under_way_ >= limit) changed_.Wait(&mutex_);
    if (begin) ++under_way_;
  }
  Result<std::vector<PartReceipt>> Receipts() {
    MutexLock lock(&mutex_);
    ARROW_RETURN_NOT_OK(status_);
    return receipts_;
  }
  explicit Outcome(int parts) : receipts_(static_cast<size_t>(parts)) {}

 private:
  Mutex mutex_;
  CondVar changed_;
  int under_way_ TAILRACE_GUARDED_BY(mutex_) = 0;
  std::vector<PartReceipt> receipts_ TAILRACE_GUARDED_BY(mutex_);
  Status status_ TAILRACE_GUARDED_BY(mutex_);
};

Status Run(const std::string& url, int parts, int64_t part_bytes, int in_flight) {
  ARROW_ASSIGN_OR_RAISE(const StoreAndKey at, OpenStore(url));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> memory, arrow::AllocateBuffer(part_bytes));
  std::mt19937_64 random(1);
  for (int64_t i = 0; i < part_bytes / 8; ++i) {
    reinterpret_cast<uint64_t*>(memory->mutable_data())[i] = random();
  }
  const ResourceUse use;
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<Upload> upload,
                        at.store->CreateUpload({at.key, MakeWriteId(Clock::System()->Now())}));
  const std::shared_ptr<Executor> pool = MakeThreadPool(in_flight);
  Outcome outcome(parts);
  {
    PartUploader uploader(pool.get(), in_flight,
                          {.upload_created = {},
                           .part_stored = [&](PartUploader::PartResult result) { outcome.Take(std::move(result)); }});
    for (int number = 1; number <= parts; ++number) {
      outcome.WaitForRoom(in_flight, /*begin=*/true);
      uploader.PutPart(upload, {number, (number - 1) * part_bytes, MakeBody(memory)});
    }
    outcome.WaitForRoom(1, /*begin=*/false);
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<PartReceipt> receipts, outcome.Receipts());
  ARROW_RETURN_NOT_OK(upload->Complete(receipts, {}).status());
  use.Print(parts * part_bytes);
  return Status::OK();
}

}  // namespace
}  // namespace tailrace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: upload_bytes URL PARTS PART_MIB PARTS_IN_FLIGHT\n";
    return 2;
  }
  const arrow::Status status =
      tailrace::Run(argv[1], std::atoi(argv[2]), std::atoll(argv[3]) << 20, std::atoi(argv[4]));
  if (!status.ok()) std::cerr << "upload_bytes: " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
