// Drives one OpenFile: applies its events under one lock, by whichever thread has news, and starts its actions.
//
// Events are not queued for the producer, since uploads must go on while nobody calls (docs/adr/0003).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "encode/encode_memory.h"
#include "encode/row_group_encoder.h"
#include "observe/event_notifier.h"
#include "tailrace/executor.h"
#include "tailrace/state.h"
#include "tailrace/store.h"
#include "upload/end_layout.h"
#include "upload/part_uploader.h"
#include "writer/open_file.h"

namespace tailrace {

// Thread-safe. Calls that wait are made by the producer's thread alone.
class FileDriver {
 public:
  struct Setup {
    std::shared_ptr<MultipartStore> store;
    std::string key;
    WriteId write_id;
    ParquetContent content;
    std::shared_ptr<Upload> upload;  // of a resumed write
    Executor* executor = nullptr;    // outlives this
    EncodeMemory* memory = nullptr;  // of the lane that feeds this; outlives it
    int parts_in_flight = 1;
    int64_t memory_budget_bytes = 0;
    int64_t read_ahead_bytes = 0;  // most Arrow data that waits for the encoder, where it is more than one chunk
    std::shared_ptr<EventNotifier> events;  // never null
  };
  FileDriver(Setup setup, OpenFile file);
  // Stops. Neither completes nor aborts.
  ~FileDriver();

  // The first error, or OK.
  Status status() const;

  // --- from the encode lane ---
  void ChunkEncoded(int64_t referenced_bytes);
  void AddRowGroup(EncodedRowGroup row_group, int64_t referenced_bytes);
  void Fail(Status error, WriteStep step = WriteStep::kEncode);

  // --- from the producer ---
  // Makes room in the memory budget for a chunk of `bytes` that goes to the lane next: waits while the budget is used
  // up and something under way can free it.
  Status AdmitChunk(int64_t bytes);
  // Waits until `rows` rows are in finished row groups.
  Status WaitForRows(int64_t rows);
  // Waits until everything stored so far is stored and durable; makes the upload if there is none.
  Result<UploadProgress> StoreAll();
  // Ends the file with `tail` and waits until its parts are stored, or its bytes are ready for one Put.
  struct ClosedFile {
    bool is_inline = false;
    UploadId upload_id;
    std::vector<PartReceipt> receipts;
    std::string inline_bytes;
    int64_t size_bytes = 0;
    uint64_t crc64 = 0;
    std::string seal;
  };
  Result<ClosedFile> Close(ByteSlices tail);
  // The same on a store that refuses to leave stray parts out, for a file whose upload others may know: lists once and
  // lays the end out around what it finds. REQUIRES: StoreAll() returned `progress` and nothing came after it.
  Result<ClosedFile> CloseAroundStrays(const UploadProgress& progress, const TailBuilder& build_tail);
  // Stops all requests; after it nothing is under way.
  void Stop();
  // Stops and drops the upload, if there is one.
  Status Abort();

  ParquetContent content() const;
  struct Totals {
    int64_t row_groups = 0;
    int64_t data_bytes = 0;
    int64_t referenced_bytes = 0;  // of finished row groups, of this process
    int64_t tail_bytes_bound = 0;
    int64_t rows = 0;
  };
  Totals totals() const;

 private:
  // The lock is not held; actions start after it is dropped, since an inline executor runs them at once.
  void Deliver(Event event, WriteStep step = WriteStep::kNone) TAILRACE_EXCLUDES(mutex_);
  void Start(std::vector<Action> actions) TAILRACE_EXCLUDES(mutex_);
  // `step`: what it was that failed, where this event makes the file fail.
  std::vector<Action> ApplyLocked(Event event, WriteStep step = WriteStep::kNone) TAILRACE_REQUIRES(mutex_);
  std::vector<Action> ApplyToFile(Event event) TAILRACE_REQUIRES(mutex_);
  // Waits until `ready`, which is called with the lock held and may take what it finds, says so; the first error ends
  // it. Helps an executor without threads of its own.
  Status WaitUntil(const std::function<bool()>& ready) TAILRACE_EXCLUDES(mutex_);
  Status StatusLocked() const TAILRACE_REQUIRES(mutex_);
  // What the closed machine holds; gives the upload up.
  Result<ClosedFile> TakeClosed() TAILRACE_EXCLUDES(mutex_);
  Status DropUpload() TAILRACE_EXCLUDES(mutex_);
  void UploadCreatedReport(PartUploader::UploadResult result);
  void PartStoredReport(PartUploader::PartResult result);

  const std::shared_ptr<MultipartStore> store_;
  const std::string key_;
  const WriteId write_id_;
  Executor* const executor_;
  EncodeMemory* const memory_;
  const int64_t memory_budget_bytes_;
  const int64_t read_ahead_bytes_;
  const std::shared_ptr<EventNotifier> events_;

  mutable Mutex mutex_;
  CondVar changed_;
  OpenFile file_ TAILRACE_GUARDED_BY(mutex_);
  ParquetContent content_ TAILRACE_GUARDED_BY(mutex_);
  int64_t rows_ TAILRACE_GUARDED_BY(mutex_) = 0;        // in content_
  int64_t data_bytes_ TAILRACE_GUARDED_BY(mutex_) = 0;  // in content_
  int64_t referenced_bytes_ TAILRACE_GUARDED_BY(mutex_) = 0;
  int64_t tail_bytes_bound_ TAILRACE_GUARDED_BY(mutex_) = 0;
  std::chrono::steady_clock::time_point row_group_begin_ TAILRACE_GUARDED_BY(mutex_);
  int64_t unencoded_bytes_ TAILRACE_GUARDED_BY(mutex_) = 0;  // handed to the lane, not encoded yet
  std::shared_ptr<Upload> upload_ TAILRACE_GUARDED_BY(mutex_);

  PartUploader uploader_;  // last: its reports use the members above
};

}  // namespace tailrace
