#include "writer/stream_writer.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/uuid.h"
#include "encode/batch_adapter.h"
#include "encode/batch_input.h"
#include "encode/file_tail.h"
#include "tailrace/version.h"
#include "writer/room.h"

namespace tailrace {

namespace {

int EncodeThreadsOf(const RuntimeOptions& runtime) {
  if (runtime.encode_threads > 0) return runtime.encode_threads;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMaxEncodeThreads);
}

std::shared_ptr<Executor> ExecutorOf(const RuntimeOptions& runtime, bool carry) {
  if (runtime.executor != nullptr) return runtime.executor;
  return MakeThreadPool(runtime.parts_in_flight + EncodeThreadsOf(runtime) + (carry ? 1 : 0));
}

}  // namespace

StreamWriter::StreamWriter(Setup setup, OpenFile file)
    : store_(setup.store),
      key_(setup.key),
      options_(std::move(setup.options)),
      part_lengths_(setup.part_lengths),
      on_error_(setup.runtime.on_error),
      schema_(std::move(setup.schema)),
      write_id_(setup.write_id),
      epoch_(setup.epoch),
      warnings_(std::move(setup.warnings)),
      leaf_columns_(LeafColumnsOf(*schema_.encoded)),
      widening_(WideningOf(*schema_.encoded)),
      executor_(ExecutorOf(setup.runtime, options_.checkpoint_mode == CheckpointMode::kCarry)),
      events_(setup.events),
      recutter_(schema_.encoded, options_.parquet.row_group_bytes, options_.parquet.row_group_rows),
      rows_(setup.content.rows()),
      durable_rows_(rows_),
      state_handed_out_(setup.upload != nullptr),
      driver_({.store = std::move(setup.store),
               .key = std::move(setup.key),
               .write_id = std::move(setup.write_id),
               .content = std::move(setup.content),
               .upload = std::move(setup.upload),
               .executor = executor_.get(),
               .memory = &memory_,
               .parts_in_flight = setup.runtime.parts_in_flight,
               .memory_budget_bytes = setup.runtime.memory_budget_bytes,
               .read_ahead_bytes = EncodeLane::ReadAheadBytes(options_.parquet, setup.runtime.memory_budget_bytes,
                                                              EncodeThreadsOf(setup.runtime)),
               .events = std::move(setup.events)},
              std::move(file)),
      lane_(&schema_, options_.parquet, driver_.content().row_groups, &memory_, executor_.get(),
            EncodeThreadsOf(setup.runtime),
            {.row_group_encoded = [this](EncodedRowGroup row_group,
                                         int64_t bytes) { driver_.AddRowGroup(std::move(row_group), bytes); },
             .failed = [this](Status error) { driver_.Fail(WithContext(error, "encoding '" + key_ + "'")); }}) {
  if (options_.checkpoint_mode != CheckpointMode::kCarry) return;
  carry_ = std::make_unique<CarryLane>(
      schema_.encoded, options_.carry_max_bytes, &memory_, executor_.get(),
      [this](Status error) { driver_.Fail(WithContext(error, "keeping rows of '" + key_ + "' to be carried")); });
}

StreamWriter::~StreamWriter() {
  StopEncoding();
  if (done_) return;
  const bool abort = on_error_ == OnError::kAbort || (on_error_ == OnError::kAuto && !state_handed_out_);
  if (abort) {
    // Nobody is left to tell; what stays behind is one upload, which is allowed.
    (void)driver_.Abort();
  } else {
    driver_.Stop();
  }
}

Status StreamWriter::CheckOpen() const {
  if (done_) return MakeError(ErrorKind::kInvalid, "the writer of '" + key_ + "' was closed or aborted");
  return driver_.status();
}

Status StreamWriter::CheckRoomFor(const arrow::RecordBatch& batch) {
  const FileDriver::Totals totals = driver_.totals();
  return CheckRoom({.limits = store_->limits(),
                    .options = options_,
                    .part_lengths = part_lengths_,
                    .closed_row_groups = totals.row_groups,
                    .closed_bytes = totals.data_bytes,
                    .tail_bytes_bound = totals.tail_bytes_bound,
                    .open_bytes = referenced_bytes_ - totals.referenced_bytes,
                    .more_bytes = ReferencedBytesOf(batch),
                    .more_rows = RowsOf(batch),
                    .leaf_columns = leaf_columns_,
                    .widening = widening_});
}

Status StreamWriter::Write(const arrow::RecordBatch& batch) {
  ARROW_RETURN_NOT_OK(CheckOpen());
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::RecordBatch> adapted, AdaptBatch(batch, schema_, rows_));
  if (RowsOf(*adapted) == 0) return Status::OK();
  ARROW_RETURN_NOT_OK(CheckRoomFor(*adapted));
  return Take(std::move(adapted));
}

Status StreamWriter::RestoreCarried(const CarriedRows& carried) {
  const CarriedCodec codec(schema_.encoded);
  for (const CarriedChunk& chunk : carried.chunks) {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::RecordBatch> rows, codec.Unpack(chunk));
    ARROW_RETURN_NOT_OK(Take(std::move(rows)));
  }
  durable_rows_ = rows_;
  return Status::OK();
}

Status StreamWriter::Take(std::shared_ptr<arrow::RecordBatch> adapted) {
  referenced_bytes_ += ReferencedBytesOf(*adapted);
  rows_ += RowsOf(*adapted);
  Result<std::vector<Chunk>> chunks = recutter_.Push(std::move(adapted));
  if (!chunks.ok()) {
    driver_.Fail(chunks.status());
    return driver_.status();
  }
  for (Chunk& chunk : *chunks) ARROW_RETURN_NOT_OK(Feed(std::move(chunk)));
  return Status::OK();
}

Status StreamWriter::Feed(Chunk chunk) {
  const int64_t bytes = chunk.referenced_bytes;
  ARROW_RETURN_NOT_OK(driver_.AdmitChunk(bytes));
  ChunkHold hold = MakeChunkHold([this, bytes] { driver_.ChunkEncoded(bytes); });
  if (carry_ != nullptr) carry_->Push(chunk, hold);
  lane_.Push(std::move(chunk), std::move(hold));
  return Status::OK();
}

Status StreamWriter::Write(const arrow::Table& table) {
  ARROW_RETURN_NOT_OK(CheckOpen());
  return ForEachBatch(table, [this](const arrow::RecordBatch& batch) { return Write(batch); });
}

Status StreamWriter::Write(arrow::RecordBatchReader* reader) {
  ARROW_RETURN_NOT_OK(CheckOpen());
  return ForEachBatch(reader, [this](const arrow::RecordBatch& batch) { return Write(batch); });
}

Status StreamWriter::Write(ArrowArrayStream* stream) {
  // Taken over and released even when the writer refuses.
  const Status open = CheckOpen();
  return ForEachBatch(stream, [&](const arrow::RecordBatch& batch) { return open.ok() ? Write(batch) : open; });
}

Status StreamWriter::EndRowGroup() {
  Result<std::optional<Chunk>> rest = recutter_.Flush();
  if (!rest.ok()) {
    driver_.Fail(rest.status());
    return driver_.status();
  }
  if (rest->has_value()) {
    ARROW_RETURN_NOT_OK(Feed(**std::move(rest)));
  } else {
    if (carry_ != nullptr) carry_->EndRowGroup();
    lane_.EndRowGroup();
  }
  return driver_.WaitForRows(rows_);
}

Result<std::optional<CarriedRows>> StreamWriter::CopyOpenRows() {
  Result<std::shared_ptr<arrow::RecordBatch>> held = recutter_.Held();
  if (held.ok()) {
    Result<std::optional<CarriedRows>> carried = carry_->Copy(*held);
    if (carried.ok()) return carried;
    held = carried.status();
  }
  driver_.Fail(held.status());
  return driver_.status();
}

Result<WriterState> StreamWriter::Checkpoint(CheckpointMode mode) {
  const auto begin = std::chrono::steady_clock::now();
  ARROW_RETURN_NOT_OK(CheckOpen());
  std::optional<CarriedRows> carried;
  if (mode == CheckpointMode::kCarry) {
    if (carry_ == nullptr) {
      return MakeError(ErrorKind::kInvalid,
                       "checkpoint_mode: the writer keeps no rows to carry, since it was opened with flush");
    }
    ARROW_ASSIGN_OR_RAISE(carried, CopyOpenRows());
  }
  ARROW_RETURN_NOT_OK(carried ? driver_.WaitForRows(rows_ - carried->rows()) : EndRowGroup());
  // From here on there may be a state outside that needs the upload, whatever comes next.
  state_handed_out_ = true;
  ARROW_ASSIGN_OR_RAISE(WriterState state, MakeState());
  if (carried) state.carried = *std::move(carried);
  durable_rows_ = rows_;
  const int64_t bytes = state.progress.stored_bytes() + static_cast<int64_t>(state.progress.unsent.size());
  events_->Tell(EventOf(EventKind::kCheckpoint, rows_, bytes, Since(begin)));
  return state;
}

Result<WriterState> StreamWriter::MakeState() {
  ARROW_ASSIGN_OR_RAISE(UploadProgress progress, driver_.StoreAll());
  return WriterState{.library_version = std::string(LibraryVersion()),
                     .encoder_version = EncoderVersion(),
                     .write_id = write_id_,
                     .epoch = epoch_,
                     .target = store_->TargetOf(key_),
                     .object = store_->object_options(),
                     .options = options_,
                     .progress = std::move(progress),
                     .content = driver_.content()};
}

Result<PendingCommit> StreamWriter::Close() {
  const auto begin = std::chrono::steady_clock::now();
  ARROW_RETURN_NOT_OK(CheckOpen());
  ARROW_RETURN_NOT_OK(EndRowGroup());
  ARROW_ASSIGN_OR_RAISE(FileTail tail, BuildTail(driver_.content(), FileEnd::kClose));
  PendingCommit pending;
  ARROW_ASSIGN_OR_RAISE(FileDriver::ClosedFile closed, CloseFile(std::move(tail.bytes), &pending));
  StopEncoding();
  driver_.Stop();
  done_ = true;
  pending.library_version = std::string(LibraryVersion());
  pending.write_id = write_id_;
  pending.target = store_->TargetOf(key_);
  pending.object = store_->object_options();
  pending.overwrite = options_.overwrite;
  pending.upload_id = std::move(closed.upload_id);
  pending.receipts = std::move(closed.receipts);
  pending.inline_bytes = std::move(closed.inline_bytes);
  pending.size_bytes = closed.size_bytes;
  if (!pending.state) pending.crc64 = closed.crc64;
  pending.footer = std::move(tail.footer);
  pending.rows = rows_;
  pending.first_try = std::make_shared<std::atomic<bool>>(true);
  pending.seal = std::move(closed.seal);
  events_->Tell(EventOf(EventKind::kClosed, rows_, pending.size_bytes, Since(begin)));
  return pending;
}

Result<FileDriver::ClosedFile> StreamWriter::CloseFile(ByteSlices tail, PendingCommit* pending) {
  const StrayParts stray_parts = store_->limits().stray_parts;
  if (stray_parts == StrayParts::kLeftOut || !state_handed_out_) return driver_.Close(std::move(tail));
  ARROW_ASSIGN_OR_RAISE(pending->state, MakeState());
  // Where nobody knows, the commit lays the end out again if it is refused, and the usual file costs no listing.
  if (stray_parts == StrayParts::kUnknown) return driver_.Close(std::move(tail));
  return driver_.CloseAroundStrays(pending->state->progress, TailOf(pending->state->content, FileEnd::kClose));
}

Status StreamWriter::Abort() {
  if (done_) return MakeError(ErrorKind::kInvalid, "the writer of '" + key_ + "' was closed or aborted");
  StopEncoding();
  done_ = true;
  return driver_.Abort();
}

void StreamWriter::StopEncoding() {
  if (carry_ != nullptr) carry_->Stop();
  lane_.Stop();
}

}  // namespace tailrace
