// Encodes the chunks of a file on the executor, while the producer goes on: columns side by side, and the next row
// group while a heavy column of one is still being encoded (docs/adr/0009).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "encode/encode_memory.h"
#include "encode/recutter.h"
#include "encode/row_group_units.h"
#include "tailrace/executor.h"
#include "writer/chunk_holds.h"
#include "writer/encode_queue.h"

namespace tailrace {

// Thread-safe towards its own tasks; Push, EndRowGroup and Stop are called by one thread. The callbacks run on the
// executor's threads, without a lock held, one at a time and in the order of the file. What comes out does not depend
// on how many threads there are.
class EncodeLane {
 public:
  struct Callbacks {
    // A row group is whole; `referenced_bytes` of Arrow data became its encoded bytes.
    std::function<void(EncodedRowGroup row_group, int64_t referenced_bytes)> row_group_encoded;
    std::function<void(Status error)> failed;  // once; nothing follows
  };

  // `schema`, `memory` and `executor` outlive this. `last`: the row groups that are there already; the last two are
  // kept, since encodings are chosen by them. At most `threads` tasks run at the same time. REQUIRES: threads >= 1.
  EncodeLane(const PreparedSchema* schema, ParquetOptions options, std::vector<RowGroupEntry> last,
             EncodeMemory* memory, Executor* executor, int threads, Callbacks callbacks);
  ~EncodeLane();

  // How much Arrow data should wait at most. With several threads half a row group: then one thread that is left with
  // the heavy column of a row group, and others that go ahead, meet again at the end of each.
  static int64_t ReadAheadBytes(const ParquetOptions& options, int64_t memory_budget_bytes, int threads);

  // `hold` is let go once the chunk's Arrow memory is free; for one that ends its row group, once that is encoded.
  void Push(Chunk chunk, ChunkHold hold);
  // Ends the open row group, if it has rows, once what was pushed is encoded.
  void EndRowGroup();
  // Drops what is queued and waits for the chunks in work. No callback comes afterwards.
  void Stop();

 private:
  // Spawns tasks as long as there is work and room; the lock is dropped meanwhile.
  void SpawnTasks() TAILRACE_REQUIRES(mutex_);
  void Work() TAILRACE_EXCLUDES(mutex_);  // what a task does: steps, until there is none or its turn is over
  Status Do(const EncodeStep& step) TAILRACE_EXCLUDES(mutex_);
  Status StartRowGroup(const EncodeStep& step) TAILRACE_EXCLUDES(mutex_);
  Status Encode(const EncodeStep& step) TAILRACE_EXCLUDES(mutex_);
  Status EndUnits(int64_t row_group, RowGroupUnits* units) TAILRACE_EXCLUDES(mutex_);
  // Hands on the row groups that are whole, in order, and the error, if there is one; one thread at a time does.
  void Deliver() TAILRACE_EXCLUDES(mutex_);
  bool DeliverNext() TAILRACE_EXCLUDES(mutex_);
  void Fail(Status error) TAILRACE_EXCLUDES(mutex_);
  std::shared_ptr<const RowGroupEntry> TwoBefore(int64_t row_group) TAILRACE_REQUIRES(mutex_);

  const PreparedSchema* const schema_;
  const ParquetOptions options_;
  EncodeMemory* const memory_;
  Executor* const executor_;
  const int threads_;
  const Callbacks callbacks_;

  Mutex mutex_;
  CondVar changed_;
  EncodeQueue queue_ TAILRACE_GUARDED_BY(mutex_);
  // By the number of the row group, which is that of the queue; those from before this lane have negative ones.
  std::map<int64_t, std::shared_ptr<RowGroupUnits>> in_work_ TAILRACE_GUARDED_BY(mutex_);
  std::map<int64_t, EncodedRowGroup> encoded_ TAILRACE_GUARDED_BY(mutex_);
  std::map<int64_t, std::shared_ptr<const RowGroupEntry>> last_ TAILRACE_GUARDED_BY(mutex_);
  int64_t next_delivered_ TAILRACE_GUARDED_BY(mutex_) = 0;
  bool delivering_ TAILRACE_GUARDED_BY(mutex_) = false;
  std::optional<Status> failure_ TAILRACE_GUARDED_BY(mutex_);  // not told yet
  int tasks_ TAILRACE_GUARDED_BY(mutex_) = 0;                  // spawned, not ended
  int starting_ TAILRACE_GUARDED_BY(mutex_) = 0;               // of these, those that have not looked for work yet
  bool spawning_ TAILRACE_GUARDED_BY(mutex_) = false;          // somebody is in SpawnTasks
  bool stopped_ TAILRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace tailrace
