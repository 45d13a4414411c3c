#include "writer/encode_lane.h"

#include <algorithm>
#include <utility>

#include "encode/division.h"

namespace tailrace {

namespace {

// More units than threads, so that they can be shared out evenly though some turn out heavier than others.
constexpr int kUnitsPerThread = 4;
// After this much a task gives its thread back, so that uploads that wait for one get their turn: a few hundredths of a
// second of encoding, against which handing a thread over costs nothing.
constexpr int64_t kTurnBytes = int64_t{8} << 20;

}  // namespace

EncodeLane::EncodeLane(const PreparedSchema* schema, ParquetOptions options, std::vector<RowGroupEntry> last,
                       EncodeMemory* memory, Executor* executor, int threads, Callbacks callbacks)
    : schema_(schema),
      options_(std::move(options)),
      memory_(memory),
      executor_(executor),
      threads_(threads),
      callbacks_(std::move(callbacks)) {
  for (int64_t back = 1; back <= EncodeQueue::kRowGroupsInWork && !last.empty(); ++back) {
    last_[-back] = std::make_shared<const RowGroupEntry>(std::move(last.back()));
    last.pop_back();
  }
}

EncodeLane::~EncodeLane() { Stop(); }

int64_t EncodeLane::ReadAheadBytes(const ParquetOptions& options, int64_t memory_budget_bytes, int threads) {
  // Enough to keep encoders busy, little enough to leave the budget to encoded bytes. A slice keeps the whole batch
  // that it is of, so that much more can be held by a caller with large batches.
  const int64_t little = std::min(memory_budget_bytes / 8, int64_t{32} << 20);
  if (threads == 1) return little;
  return std::max(little, std::min(memory_budget_bytes / 4, options.row_group_bytes / 2));
}

// --- the producer's calls ---

void EncodeLane::Push(Chunk chunk, ChunkHold hold) {
  MutexLock lock(&mutex_);
  if (stopped_) return;
  queue_.Push(std::move(chunk), std::move(hold));
  SpawnTasks();
}

void EncodeLane::EndRowGroup() {
  MutexLock lock(&mutex_);
  if (stopped_) return;
  queue_.EndRowGroup();
  SpawnTasks();
}

void EncodeLane::Stop() {
  EncodeQueue dropped;
  std::map<int64_t, std::shared_ptr<RowGroupUnits>> in_work;
  std::map<int64_t, EncodedRowGroup> encoded;
  mutex_.lock();
  stopped_ = true;
  while (tasks_ > 0 || spawning_) {
    // A task may be queued behind others on an executor without threads of its own.
    mutex_.unlock();
    const bool ran_one = executor_->TryRunOne();
    mutex_.lock();
    if (!ran_one && (tasks_ > 0 || spawning_)) changed_.Wait(&mutex_);
  }
  std::swap(dropped, queue_);
  in_work.swap(in_work_);
  encoded.swap(encoded_);
  mutex_.unlock();
}

// --- tasks ---

void EncodeLane::SpawnTasks() {
  // Under an inline executor a task ends up here again, inside Spawn: the outer loop then goes on.
  if (spawning_) return;
  spawning_ = true;
  while (!stopped_ && tasks_ < threads_ && starting_ < queue_.ready()) {
    ++tasks_;
    ++starting_;
    mutex_.unlock();
    executor_->Spawn([this] { Work(); });
    mutex_.lock();
  }
  spawning_ = false;
  changed_.NotifyAll();
}

void EncodeLane::Work() {
  bool first = true;
  for (int64_t bytes = 0; bytes < kTurnBytes;) {
    std::optional<EncodeStep> step;
    {
      MutexLock lock(&mutex_);
      if (std::exchange(first, false)) --starting_;
      if (!stopped_) step = queue_.Take();
    }
    if (!step) break;
    Status status = Do(*step);
    if (!status.ok()) Fail(std::move(status));
    bytes += step->bytes;
  }
  // Nothing of this object is touched once the lock is gone: Stop may have returned.
  MutexLock lock(&mutex_);
  --tasks_;
  SpawnTasks();
}

Status EncodeLane::Do(const EncodeStep& step) { return step.starts ? StartRowGroup(step) : Encode(step); }

Status EncodeLane::StartRowGroup(const EncodeStep& step) {
  std::shared_ptr<const RowGroupEntry> two_before;
  {
    MutexLock lock(&mutex_);
    two_before = TwoBefore(step.row_group);
  }
  const Division division = DivideFields(*step.chunk, *schema_, threads_ == 1 ? 1 : threads_ * kUnitsPerThread);
  ARROW_ASSIGN_OR_RAISE(
      auto units, RowGroupUnits::Make(schema_, &options_, memory_->pool(), *step.chunk, two_before.get(), division));
  std::vector<int64_t> weights;
  for (const UnitFields& unit : division) weights.push_back(unit.weight);
  MutexLock lock(&mutex_);
  if (stopped_) return Status::OK();
  in_work_[step.row_group] = std::move(units);
  queue_.Started(step.row_group, std::move(weights));
  SpawnTasks();
  return Status::OK();
}

Status EncodeLane::Encode(const EncodeStep& step) {
  std::shared_ptr<RowGroupUnits> units;
  {
    MutexLock lock(&mutex_);
    units = in_work_[step.row_group];
  }
  if (step.chunk != nullptr) ARROW_RETURN_NOT_OK(units->Write(step.unit, *step.chunk));
  if (step.ends) ARROW_RETURN_NOT_OK(units->Finish(step.unit));
  EncodeQueue::Done done;
  {
    MutexLock lock(&mutex_);
    if (stopped_) return Status::OK();
    done = queue_.Encoded(step);
  }
  return done.ends_row_group ? EndUnits(step.row_group, units.get()) : Status::OK();
}

Status EncodeLane::EndUnits(int64_t row_group, RowGroupUnits* units) {
  ARROW_ASSIGN_OR_RAISE(EncodedRowGroup encoded, units->Assemble());
  {
    MutexLock lock(&mutex_);
    if (stopped_) return Status::OK();
    in_work_.erase(row_group);
    encoded_.emplace(row_group, std::move(encoded));
  }
  memory_->ReturnUnused();
  Deliver();
  return Status::OK();
}

// --- what comes out ---

void EncodeLane::Fail(Status error) {
  {
    MutexLock lock(&mutex_);
    if (stopped_) return;
    stopped_ = true;
    failure_ = std::move(error);
  }
  Deliver();
}

void EncodeLane::Deliver() {
  {
    MutexLock lock(&mutex_);
    if (delivering_) return;
    delivering_ = true;
  }
  while (DeliverNext()) {
  }
}

bool EncodeLane::DeliverNext() {
  std::optional<EncodedRowGroup> row_group;
  EncodeQueue::Left left;
  std::optional<Status> failure;
  {
    MutexLock lock(&mutex_);
    const auto next = encoded_.begin();
    if (failure_) {
      failure = std::move(failure_);
      failure_.reset();
    } else if (stopped_ || next == encoded_.end() || next->first != next_delivered_) {
      delivering_ = false;
      return false;
    } else {
      row_group = std::move(next->second);
      encoded_.erase(next);
      last_.erase(next_delivered_ - EncodeQueue::kRowGroupsInWork);
      last_[next_delivered_++] = std::make_shared<const RowGroupEntry>(row_group->entry);
      left = queue_.PopRowGroup();
      SpawnTasks();  // one more may be worked on
    }
  }
  if (failure) {
    callbacks_.failed(*std::move(failure));
  } else {
    callbacks_.row_group_encoded(*std::move(row_group), left.referenced_bytes);
  }
  return true;
}

std::shared_ptr<const RowGroupEntry> EncodeLane::TwoBefore(int64_t row_group) {
  const auto entry = last_.find(row_group - EncodeQueue::kRowGroupsInWork);
  return entry == last_.end() ? nullptr : entry->second;
}

}  // namespace tailrace
