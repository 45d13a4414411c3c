#include "cli/pump.h"

#include <algorithm>

#include <arrow/record_batch.h>

#include "cli/state_file.h"

namespace tailrace::cli {

Pump::Pump(ParquetStreamWriter* writer, BatchInput* input, Settings settings, InputWatch* watch, Reporter* reporter)
    : writer_(writer), input_(input), settings_(std::move(settings)), watch_(watch), reporter_(reporter) {
  watch_->SetTick([this] { return OnIdle(); });
}

Pump::~Pump() { watch_->SetTick(nullptr); }

Status Pump::Run(int64_t skip_rows) {
  ARROW_RETURN_NOT_OK(Skip(skip_rows));
  bytes_at_checkpoint_ = input_->bytes_read();
  if (rest_of_skipped_) ARROW_RETURN_NOT_OK(WriteBatch(*std::exchange(rest_of_skipped_, nullptr)));
  while (true) {
    ARROW_RETURN_NOT_OK(watch_->CheckStop());
    ARROW_ASSIGN_OR_RAISE(const auto batch, input_->Next());
    if (!batch) return Status::OK();
    ARROW_RETURN_NOT_OK(WriteBatch(*batch));
  }
}

Status Pump::Skip(int64_t rows) {
  ARROW_ASSIGN_OR_RAISE(int64_t skipped, input_->SkipCheaply(rows));
  while (skipped < rows) {
    ARROW_RETURN_NOT_OK(watch_->CheckStop());
    ARROW_ASSIGN_OR_RAISE(const auto batch, input_->Next());
    if (!batch) {
      return MakeError(ErrorKind::kInvalid, "the input ends after " + RowsText(skipped) + ", before the " +
                                                RowsText(rows) +
                                                " that the state has already: is it the same source "
                                                "from its start? (--from-here: it stands at the next row)");
    }
    const int64_t wanted = std::min(batch->num_rows(), rows - skipped);
    skipped += wanted;
    if (wanted < batch->num_rows()) rest_of_skipped_ = batch->Slice(wanted);
  }
  return Status::OK();
}

Status Pump::WriteBatch(const arrow::RecordBatch& batch) {
  const int64_t every_rows = settings_.every ? settings_.every->rows : 0;
  for (int64_t at = 0; at < batch.num_rows();) {
    int64_t count = batch.num_rows() - at;
    if (every_rows > 0) count = std::min(count, every_rows - writer_->rows() % every_rows);
    const Status written = writer_->Write(*batch.Slice(at, count));
    // Which of several inputs has the value.
    if (!written.ok() && KindOf(written) == ErrorKind::kInvalid) return WithContext(written, input_->Origin());
    ARROW_RETURN_NOT_OK(written);
    at += count;
    ARROW_RETURN_NOT_OK(CheckpointIfDue());
    ARROW_RETURN_NOT_OK(watch_->CheckStop());
    reporter_->Progress(writer_->rows(), input_->bytes_read(), writer_->durable_rows());
  }
  return Status::OK();
}

Status Pump::CheckpointIfDue() {
  if (!settings_.every || writer_->rows() == writer_->durable_rows()) return Status::OK();
  const CheckpointEvery& every = *settings_.every;
  const bool due = (every.rows > 0 && writer_->rows() % every.rows == 0) ||
                   (every.input_bytes > 0 && input_->bytes_read() - bytes_at_checkpoint_ >= every.input_bytes) ||
                   (every.time.count() > 0 && std::chrono::steady_clock::now() - time_of_checkpoint_ >= every.time);
  return due ? TakeCheckpoint() : Status::OK();
}

Status Pump::OnIdle() {
  ARROW_RETURN_NOT_OK(CheckpointIfDue());
  reporter_->Progress(writer_->rows(), input_->bytes_read(), writer_->durable_rows());
  return Status::OK();
}

Status Pump::TakeCheckpoint() {
  ARROW_ASSIGN_OR_RAISE(const WriterState state, writer_->Checkpoint());
  ARROW_RETURN_NOT_OK(SaveSmallFile(settings_.state_file, state.ToBytes(), Previous::kKeep));
  settings_.saved = SavedState{state.rows(), state.write_id};
  bytes_at_checkpoint_ = input_->bytes_read();
  time_of_checkpoint_ = std::chrono::steady_clock::now();
  reporter_->Checkpoint(state, settings_.state_file);
  return Status::OK();
}

}  // namespace tailrace::cli
