// Encodes chunks in order, one at a time, on the executor, while the producer goes on.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "base/mutex.h"
#include "encode/encode_memory.h"
#include "encode/recutter.h"
#include "encode/row_group_encoder.h"
#include "tailrace/executor.h"

namespace tailrace {

// Thread-safe towards its own tasks; Push, EndRowGroup and Stop are called by one thread. The callbacks run on the
// executor's threads, one at a time and in order, without a lock held.
class EncodeLane {
 public:
  struct Callbacks {
    std::function<void(int64_t referenced_bytes)> chunk_encoded;  // the chunk's Arrow memory is free now
    // A row group is whole; `referenced_bytes` of Arrow data became its encoded bytes.
    std::function<void(EncodedRowGroup row_group, int64_t referenced_bytes)> row_group_encoded;
    std::function<void(Status error)> failed;  // once; nothing follows
  };

  // `schema`, `memory` and `executor` outlive this. `last`: the row groups that are there already; the last two are
  // kept, since encodings are chosen by them.
  EncodeLane(const PreparedSchema* schema, ParquetOptions options, std::vector<RowGroupEntry> last,
             EncodeMemory* memory, Executor* executor, Callbacks callbacks);
  ~EncodeLane();

  void Push(Chunk chunk);
  // Ends the open row group, if it has rows, once what was pushed is encoded.
  void EndRowGroup();
  // Drops what is queued and waits for the chunk in work. No callback comes afterwards.
  void Stop();

 private:
  struct EndMark {};
  using Item = std::variant<Chunk, EndMark>;

  void Add(Item item);
  void Run();                // encodes until the queue is empty
  Status Encode(Item item);  // only from Run
  Status FinishRowGroup();

  const PreparedSchema* const schema_;
  const ParquetOptions options_;
  EncodeMemory* const memory_;
  Executor* const executor_;
  const Callbacks callbacks_;

  // Used by the running task alone.
  std::unique_ptr<RowGroupEncoder> encoder_;
  int64_t open_bytes_ = 0;
  std::vector<RowGroupEntry> last_;  // two at most

  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Item> queue_ TAILRACE_GUARDED_BY(mutex_);
  bool running_ TAILRACE_GUARDED_BY(mutex_) = false;
  bool stopped_ TAILRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace tailrace
