#include "writer/carry_lane.h"

#include <cstring>
#include <utility>

#include <arrow/buffer.h>

#include "encode/batch_input.h"

namespace tailrace {

CarryLane::CarryLane(std::shared_ptr<arrow::Schema> encoded, int64_t max_bytes, EncodeMemory* memory,
                     Executor* executor, std::function<void(Status)> failed)
    : codec_(std::move(encoded)),
      max_bytes_(max_bytes),
      memory_(memory),
      executor_(executor),
      failed_(std::move(failed)) {}

CarryLane::~CarryLane() { Stop(); }

void CarryLane::Push(const Chunk& chunk, ChunkHold hold) {
  if (chunk.ends_row_group) return EndRowGroup();
  {
    MutexLock lock(&mutex_);
    if (stopped_ || dropped_) return;
    queue_.push_back({chunk.batch, std::move(hold), row_group_});
    if (running_) return;
    running_ = true;
  }
  executor_->Spawn([this] { Run(); });
}

void CarryLane::EndRowGroup() {
  std::deque<Item> dropped;
  {
    MutexLock lock(&mutex_);
    dropped = DropLocked();
    dropped_ = false;
    ++row_group_;
  }
}

std::deque<CarryLane::Item> CarryLane::DropLocked() {
  dropped_ = true;
  kept_.clear();
  kept_bytes_ = 0;
  return std::exchange(queue_, {});
}

void CarryLane::Run() {
  for (;;) {
    Item item;
    {
      MutexLock lock(&mutex_);
      if (queue_.empty()) {
        running_ = false;
        changed_.NotifyAll();
        return;
      }
      item = std::move(queue_.front());
      queue_.pop_front();
    }
    Result<Kept> kept = Compress(*item.rows);
    item.rows.reset();
    item.hold.reset();
    std::deque<Item> dropped;
    bool tell = false;
    {
      MutexLock lock(&mutex_);
      if (!kept.ok()) {
        tell = !stopped_;
        stopped_ = true;
        dropped = DropLocked();
      } else if (item.row_group == row_group_ && !dropped_) {
        KeepLocked(*std::move(kept));
        if (kept_bytes_ > max_bytes_) dropped = DropLocked();
      }
    }
    if (tell) failed_(kept.status());
  }
}

void CarryLane::KeepLocked(Kept kept) {
  kept_bytes_ += kept.bytes->size();
  kept_.push_back(std::move(kept));
}

Result<CarryLane::Kept> CarryLane::Compress(const arrow::RecordBatch& rows) const {
  ARROW_ASSIGN_OR_RAISE(const std::string packed, codec_.Pack(rows, memory_->pool()));
  // Copied, for the budget to count it and to be no longer than it is.
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bytes,
                        arrow::AllocateBuffer(static_cast<int64_t>(packed.size()), memory_->pool()));
  std::memcpy(bytes->mutable_data(), packed.data(), packed.size());
  return Kept{RowsOf(rows), std::move(bytes)};
}

void CarryLane::WaitUntilIdle() {
  for (;;) {
    {
      MutexLock lock(&mutex_);
      if (!running_) return;
    }
    // The task may be queued behind others on an executor without threads of its own.
    if (executor_->TryRunOne()) continue;
    MutexLock lock(&mutex_);
    if (running_) changed_.Wait(&mutex_);
  }
}

Result<std::optional<CarriedRows>> CarryLane::Copy(const std::shared_ptr<arrow::RecordBatch>& held) {
  WaitUntilIdle();
  std::vector<Kept> kept;
  int64_t bytes;
  {
    MutexLock lock(&mutex_);
    if (dropped_ || stopped_) return std::nullopt;
    kept = kept_;
    bytes = kept_bytes_;
  }
  if (held != nullptr) {
    ARROW_ASSIGN_OR_RAISE(Kept rest, Compress(*held));
    bytes += rest.bytes->size();
    kept.push_back(std::move(rest));
  }
  if (bytes > max_bytes_) return std::nullopt;
  CarriedRows carried;
  for (const Kept& chunk : kept) carried.chunks.push_back({chunk.rows, chunk.bytes->ToString()});
  return carried;
}

void CarryLane::Stop() {
  std::deque<Item> dropped;
  {
    MutexLock lock(&mutex_);
    stopped_ = true;
    dropped = DropLocked();
  }
  WaitUntilIdle();
}

}  // namespace tailrace
