#include "writer/encode_lane.h"

#include <utility>

namespace tailrace {

EncodeLane::EncodeLane(const PreparedSchema* schema, ParquetOptions options, std::vector<RowGroupEntry> last,
                       EncodeMemory* memory, Executor* executor, Callbacks callbacks)
    : schema_(schema),
      options_(std::move(options)),
      memory_(memory),
      executor_(executor),
      callbacks_(std::move(callbacks)),
      last_(std::move(last)) {
  if (last_.size() > 2) last_.erase(last_.begin(), last_.end() - 2);
}

EncodeLane::~EncodeLane() { Stop(); }

void EncodeLane::Push(Chunk chunk) { Add(std::move(chunk)); }

void EncodeLane::EndRowGroup() { Add(EndMark{}); }

void EncodeLane::Add(Item item) {
  {
    MutexLock lock(&mutex_);
    if (stopped_) return;
    queue_.push_back(std::move(item));
    if (running_) return;
    running_ = true;
  }
  executor_->Spawn([this] { Run(); });
}

void EncodeLane::Stop() {
  for (;;) {
    {
      MutexLock lock(&mutex_);
      stopped_ = true;
      queue_.clear();
      if (!running_) break;
    }
    // The task may be queued behind others on an executor without threads of its own.
    if (executor_->TryRunOne()) continue;
    MutexLock lock(&mutex_);
    if (running_) changed_.Wait(&mutex_);
  }
  encoder_.reset();
}

void EncodeLane::Run() {
  for (;;) {
    Item item;
    {
      MutexLock lock(&mutex_);
      if (queue_.empty()) {
        running_ = false;
        changed_.NotifyAll();
        break;
      }
      item = std::move(queue_.front());
      queue_.pop_front();
    }
    Status status = Encode(std::move(item));
    if (status.ok()) continue;
    bool tell;
    {
      MutexLock lock(&mutex_);
      tell = !stopped_;
      stopped_ = true;
      queue_.clear();
    }
    if (tell) callbacks_.failed(std::move(status));
  }
}

Status EncodeLane::Encode(Item item) {
  if (std::holds_alternative<EndMark>(item)) return encoder_ == nullptr ? Status::OK() : FinishRowGroup();
  Chunk& chunk = std::get<Chunk>(item);
  if (encoder_ == nullptr) {
    encoder_ = RowGroupEncoder::Make(*schema_, options_, memory_->pool(), TwoBefore(last_));
    open_bytes_ = 0;
  }
  ARROW_RETURN_NOT_OK(encoder_->Write(*chunk.batch));
  open_bytes_ += chunk.referenced_bytes;
  chunk.batch.reset();
  callbacks_.chunk_encoded(chunk.referenced_bytes);
  return chunk.ends_row_group ? FinishRowGroup() : Status::OK();
}

Status EncodeLane::FinishRowGroup() {
  std::unique_ptr<RowGroupEncoder> encoder = std::move(encoder_);
  ARROW_ASSIGN_OR_RAISE(EncodedRowGroup row_group, encoder->Finish());
  encoder.reset();
  memory_->ReturnUnused();
  last_.push_back(row_group.entry);
  if (last_.size() > 2) last_.erase(last_.begin());
  callbacks_.row_group_encoded(std::move(row_group), open_bytes_);
  return Status::OK();
}

}  // namespace tailrace
