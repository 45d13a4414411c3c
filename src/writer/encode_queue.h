// What waits to be encoded, and what can be done next: rules alone, without thread, lock or encoder.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <arrow/type_fwd.h>

#include "encode/recutter.h"
#include "writer/chunk_holds.h"

namespace tailrace {

// One thing that a thread can do now.
struct EncodeStep {
  int64_t row_group = 0;  // counted from the first that was pushed
  bool starts = false;    // makes the encoders of the row group, whose first chunk is `chunk`; else:
  size_t unit = 0;        // of the row group, that encodes `chunk` ...
  std::shared_ptr<arrow::RecordBatch> chunk;  // nullptr where nothing is left to encode
  bool ends = false;                          // ... and then ends
  int64_t bytes = 0;                          // referenced, of the chunk: the share of one unit
};

// Two row groups are in work at the same time, since the encodings of each follow from the one two before; more may
// wait. Every unit of a row group takes each of its chunks, in order and one at a time; of the units that have one the
// one furthest behind comes first, and the older row group before the newer one.
class EncodeQueue {
 public:
  static constexpr int kRowGroupsInWork = 2;

  // `hold` is let go once the chunk needs no memory here any more: once all units have encoded it, or, for one that
  // ends its row group, once that has left the queue.
  void Push(Chunk chunk, ChunkHold hold);
  // Ends the row group that is open, if there is one.
  void EndRowGroup();

  // How many steps there are that could be taken now.
  int64_t ready() const;
  std::optional<EncodeStep> Take();

  // What a step that is done leaves to do. Destroy it without a lock: that lets memory and holds go.
  struct Done {
    std::vector<ChunkHold> holds;
    std::vector<std::shared_ptr<arrow::RecordBatch>> chunks;
    bool ends_row_group = false;  // all its units have ended
  };
  // `weights`: one for each unit; heavier ones are begun with.
  void Started(int64_t row_group, std::vector<int64_t> weights);
  Done Encoded(const EncodeStep& step);

  // The oldest row group leaves the queue. REQUIRES: all its units have ended.
  struct Left {
    int64_t row_group = 0;
    int64_t referenced_bytes = 0;
    std::vector<ChunkHold> holds;
  };
  Left PopRowGroup();

 private:
  struct Unit {
    int64_t weight = 0;
    int64_t next = 0;  // chunk to encode, counted from the first of the row group
    bool busy = false;
    bool ended = false;
  };
  struct Queued {
    Chunk chunk;
    ChunkHold hold;
  };
  struct RowGroup {
    std::deque<Queued> chunks;  // those that some unit has not encoded
    int64_t first_chunk = 0;    // the number of chunks.front()
    bool complete = false;      // no chunk comes any more
    bool starting = false;
    std::vector<Unit> units;  // none before it is started
    size_t units_ended = 0;
    int64_t referenced_bytes = 0;
    std::vector<ChunkHold> held_to_the_end;

    int64_t pushed() const { return first_chunk + static_cast<int64_t>(chunks.size()); }
    bool CanStart() const { return units.empty() && !starting && !chunks.empty(); }
    bool CanTake(const Unit& unit) const { return !unit.busy && !unit.ended && (unit.next < pushed() || complete); }
  };

  RowGroup& At(int64_t row_group) { return row_groups_[row_group - first_]; }
  int64_t in_work() const { return std::min<int64_t>(kRowGroupsInWork, static_cast<int64_t>(row_groups_.size())); }
  static EncodeStep TakeUnit(RowGroup* group, size_t unit);

  std::deque<RowGroup> row_groups_;
  int64_t first_ = 0;  // the number of row_groups_.front()
};

}  // namespace tailrace
