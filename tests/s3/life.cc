#include "tests/s3/life.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace tailrace::sim {

Status Life::RunProcess() {
  if (pending_) return CommitPending();
  if (ending_ == Ending::kSmall) return Small();
  if (!state_) return Begin();
  return GoOn();
}

std::optional<int64_t> Life::rows_at_the_end() const {
  switch (ending_) {
    case Ending::kCommit:
      return kLifeRows;
    case Ending::kFinish:
      return WriterState::FromBytes(*state_).ValueOrDie().rows();
    case Ending::kSmall:
      return 5;
    case Ending::kAbort:
      break;
  }
  return std::nullopt;
}

// After the first error every call returns it, and nothing is completed.
Status Life::Note(Status status, ParquetStreamWriter* writer) {
  if (status.ok()) return status;
  if (!state_) ++stateless_deaths_;
  const int completed = world_->Calls()["CompleteMultipartUpload"];
  for (const Status& later : {writer->Write(*Rows(0, 1)), writer->Checkpoint().status(), writer->Close().status()}) {
    EXPECT_EQ(later.ToString(), status.ToString());
  }
  EXPECT_EQ(world_->Calls()["CompleteMultipartUpload"], completed);
  return status;
}

Status Life::WriteAndCheckpoint(ParquetStreamWriter* writer, int64_t end) {
  while (writer->rows() < end) {
    const int64_t next = std::min(end, (writer->rows() / kLifeCheckpoint + 1) * kLifeCheckpoint);
    ARROW_RETURN_NOT_OK(WriteOn(writer, next));
    if (next % kLifeCheckpoint != 0 || next == kLifeRows) continue;
    // In turns, so that the last state before the kill carries rows.
    const bool carry = next / kLifeCheckpoint % 2 == 0;
    ARROW_ASSIGN_OR_RAISE(const WriterState state,
                          writer->Checkpoint(carry ? CheckpointMode::kCarry : CheckpointMode::kFlush));
    state_ = state.ToBytes();
  }
  return Status::OK();
}

Status Life::Begin() {
  FileOptions options = TinyParts();
  options.checkpoint_mode = CheckpointMode::kCarry;
  options.carry_max_bytes = 32 << 10;
  ARROW_ASSIGN_OR_RAISE(auto writer,
                        ParquetStreamWriter::Open(world_->Process(), kKey, RowSchema(), options, Inline()));
  // Killed in the middle of its third stretch: parts that no state names are left behind.
  return Note(WriteAndCheckpoint(writer.get(), 2 * kLifeCheckpoint + 80), writer.get());
}

Status Life::GoOn() {
  const auto store = world_->Process();
  ARROW_ASSIGN_OR_RAISE(const WriterState state, WriterState::FromBytes(*state_));
  if (ending_ == Ending::kFinish) {
    ARROW_RETURN_NOT_OK(Finish(state, world_->On(store)));
    ended_ = true;
    return Status::OK();
  }
  if (ending_ == Ending::kAbort) {
    ARROW_ASSIGN_OR_RAISE(const AbortResult aborted, Abort(state, world_->On(store)));
    EXPECT_EQ(aborted, AbortResult::kAborted);
    ended_ = true;
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
  ARROW_RETURN_NOT_OK(Note(WriteAndCheckpoint(writer.get(), kLifeRows), writer.get()));
  const Result<PendingCommit> pending = writer->Close();
  ARROW_RETURN_NOT_OK(Note(pending.status(), writer.get()));
  pending_ = pending->ToBytes();
  return Status::OK();
}

Status Life::Small() {
  const auto store = world_->Process();
  FileOptions options = TinyParts();
  options.inline_max_bytes = 1 << 20;
  ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Open(store, kKey, RowSchema(), options, Inline()));
  ARROW_RETURN_NOT_OK(WriteOn(writer.get(), 5));
  ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
  pending_ = pending.ToBytes();
  // The closing process's own first try is one request.
  ARROW_RETURN_NOT_OK(Commit(pending, world_->On(store)));
  ended_ = true;
  return Status::OK();
}

Status Life::CommitPending() {
  ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, PendingCommit::FromBytes(*pending_));
  ARROW_ASSIGN_OR_RAISE(const CommitInfo info, Commit(pending, world_->On(world_->Process())));
  EXPECT_EQ(info.rows, rows_at_the_end());
  ended_ = true;
  return Status::OK();
}

}  // namespace tailrace::sim
