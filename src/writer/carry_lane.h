// Keeps a compressed copy of the rows of the open row group, for states that leave it open.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "encode/carried_rows.h"
#include "encode/encode_memory.h"
#include "encode/recutter.h"
#include "tailrace/executor.h"
#include "tailrace/state.h"
#include "writer/chunk_holds.h"

namespace tailrace {

// Compresses each chunk once, in order, beside the encode lane. Whether the copy is dropped depends on the rows alone.
//
// Thread-safe towards its own tasks; all but the destructor are called by one thread. Its memory is `memory`'s.
class CarryLane {
 public:
  // `memory` and `executor` outlive this. `failed` is called at most once, by a task, without a lock held.
  CarryLane(std::shared_ptr<arrow::Schema> encoded, int64_t max_bytes, EncodeMemory* memory, Executor* executor,
            std::function<void(Status)> failed);
  ~CarryLane();

  // A chunk of the open row group. `hold` is let go as soon as the chunk's Arrow memory is not needed here any more.
  // After a chunk that ends the row group nothing is kept until the next.
  void Push(const Chunk& chunk, ChunkHold hold);
  // The row group ended behind the last chunk; what is kept of it is dropped.
  void EndRowGroup();
  // The copy of all that was pushed of the open row group, and of `held`, the rows that follow it, if there are any;
  // nullopt where it was dropped or takes more than the most. Waits for the chunks in work.
  Result<std::optional<CarriedRows>> Copy(const std::shared_ptr<arrow::RecordBatch>& held);
  // Drops everything and waits for the chunk in work. Nothing is kept afterwards.
  void Stop();

 private:
  struct Item {
    std::shared_ptr<arrow::RecordBatch> rows;
    ChunkHold hold;
    int64_t row_group = 0;
  };
  struct Kept {
    int64_t rows = 0;
    std::shared_ptr<arrow::Buffer> bytes;
  };

  void Run();  // until the queue is empty
  Result<Kept> Compress(const arrow::RecordBatch& rows) const;
  void KeepLocked(Kept kept) TAILRACE_REQUIRES(mutex_);
  // What was dropped, to be let go without the lock: a hold may call others.
  std::deque<Item> DropLocked() TAILRACE_REQUIRES(mutex_);
  void WaitUntilIdle() TAILRACE_EXCLUDES(mutex_);

  const CarriedCodec codec_;
  const int64_t max_bytes_;
  EncodeMemory* const memory_;
  Executor* const executor_;
  const std::function<void(Status)> failed_;

  Mutex mutex_;
  CondVar changed_;
  std::deque<Item> queue_ TAILRACE_GUARDED_BY(mutex_);
  bool running_ TAILRACE_GUARDED_BY(mutex_) = false;
  bool stopped_ TAILRACE_GUARDED_BY(mutex_) = false;
  int64_t row_group_ TAILRACE_GUARDED_BY(mutex_) = 0;  // counts those that ended here
  bool dropped_ TAILRACE_GUARDED_BY(mutex_) = false;   // the open one's copy
  std::vector<Kept> kept_ TAILRACE_GUARDED_BY(mutex_);
  int64_t kept_bytes_ TAILRACE_GUARDED_BY(mutex_) = 0;
};

}  // namespace tailrace
