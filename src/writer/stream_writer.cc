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

std::shared_ptr<Executor> ExecutorOf(const RuntimeOptions& runtime) {
  if (runtime.executor != nullptr) return runtime.executor;
  return MakeThreadPool(runtime.parts_in_flight + EncodeThreadsOf(runtime));
}

}  // namespace

StreamWriter::StreamWriter(Setup setup, OpenFile file)
    : store_(setup.store),
      key_(setup.key),
      options_(std::move(setup.options)),
      on_error_(setup.runtime.on_error),
      schema_(std::move(setup.schema)),
      write_id_(setup.write_id),
      epoch_(setup.epoch),
      warnings_(std::move(setup.warnings)),
      leaf_columns_(LeafColumnsOf(*schema_.encoded)),
      widening_(WideningOf(*schema_.encoded)),
      executor_(ExecutorOf(setup.runtime)),
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
                                                              EncodeThreadsOf(setup.runtime))},
              std::move(file)),
      lane_(&schema_, options_.parquet, driver_.content().row_groups, &memory_, executor_.get(),
            EncodeThreadsOf(setup.runtime),
            {.row_group_encoded = [this](EncodedRowGroup row_group,
                                         int64_t bytes) { driver_.AddRowGroup(std::move(row_group), bytes); },
             .failed = [this](Status error) { driver_.Fail(WithContext(error, "encoding '" + key_ + "'")); }}) {}

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
  referenced_bytes_ += ReferencedBytesOf(*adapted);
  rows_ += RowsOf(*adapted);
  // From here on the rows are taken: an error is the writer's, not the batch's.
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
  lane_.Push(std::move(chunk), MakeChunkHold([this, bytes] { driver_.ChunkEncoded(bytes); }));
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
    lane_.EndRowGroup();
  }
  return driver_.WaitForRows(rows_);
}

Result<WriterState> StreamWriter::Checkpoint() {
  ARROW_RETURN_NOT_OK(CheckOpen());
  ARROW_RETURN_NOT_OK(EndRowGroup());
  // From here on there may be a state outside that needs the upload, whatever comes next.
  state_handed_out_ = true;
  ARROW_ASSIGN_OR_RAISE(WriterState state, MakeState());
  durable_rows_ = rows_;
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
  return pending;
}

Result<FileDriver::ClosedFile> StreamWriter::CloseFile(ByteSlices tail, PendingCommit* pending) {
  if (store_->limits().leaves_strays_out || !state_handed_out_) return driver_.Close(std::move(tail));
  ARROW_ASSIGN_OR_RAISE(pending->state, MakeState());
  return driver_.CloseAroundStrays(pending->state->progress, TailOf(pending->state->content, FileEnd::kClose));
}

Status StreamWriter::Abort() {
  if (done_) return MakeError(ErrorKind::kInvalid, "the writer of '" + key_ + "' was closed or aborted");
  StopEncoding();
  done_ = true;
  return driver_.Abort();
}

void StreamWriter::StopEncoding() { lane_.Stop(); }

}  // namespace tailrace
