#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>

#include "cli/input.h"

namespace tailrace::cli {

namespace {

class IpcStreamInput : public BatchInput {
 public:
  IpcStreamInput(std::shared_ptr<FdStream> stream, std::shared_ptr<arrow::ipc::RecordBatchStreamReader> reader,
                 bool allow_cut)
      : stream_(std::move(stream)), reader_(std::move(reader)), schema_(reader_->schema()), allow_cut_(allow_cut) {}

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (ended_) return nullptr;
    std::shared_ptr<arrow::RecordBatch> batch;
    const Status status = reader_->ReadNext(&batch);
    if (!status.ok()) return Explain(status);
    if (batch) return batch;
    ended_ = true;
    ARROW_RETURN_NOT_OK(CheckEnd());
    return nullptr;
  }

  int64_t bytes_read() const override { return stream_->Tell().ValueOr(0); }
  std::optional<int64_t> total_bytes() const override { return stream_->total_bytes(); }
  std::string Origin() const override { return stream_->name(); }

 private:
  // Arrow takes the end of the input for the end of the stream. Only a stream that says so has ended.
  Status CheckEnd() {
    if (stream_->met_end()) {
      if (allow_cut_) return Status::OK();
      return MakeError(ErrorKind::kInvalid, stream_->name() +
                                                ": the Arrow IPC stream was cut short: it has no "
                                                "end-of-stream marker (--allow-cut-input takes it as it is)");
    }
    char byte = 0;
    ARROW_ASSIGN_OR_RAISE(const int64_t more, stream_->Read(1, &byte));
    if (more == 0) return Status::OK();
    return MakeError(ErrorKind::kInvalid,
                     stream_->name() + ": there is more after the end of the Arrow IPC stream, which would be lost");
  }

  Status Explain(const Status& status) const {
    if (DetailOf(status) == nullptr && stream_->met_end()) {
      return MakeError(ErrorKind::kInvalid, stream_->name() +
                                                ": the Arrow IPC stream was cut short in the middle of a "
                                                "batch: " +
                                                status.message());
    }
    return InputError(status, stream_->name());
  }

  const std::shared_ptr<FdStream> stream_;
  const std::shared_ptr<arrow::ipc::RecordBatchStreamReader> reader_;
  const std::shared_ptr<arrow::Schema> schema_;
  const bool allow_cut_;
  bool ended_ = false;
};

class IpcFileInput : public BatchInput {
 public:
  IpcFileInput(std::shared_ptr<InputFd> fd, std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader,
               std::shared_ptr<std::atomic<int64_t>> bytes_read, InputWatch* watch)
      : fd_(std::move(fd)),
        reader_(std::move(reader)),
        schema_(reader_->schema()),
        bytes_read_(std::move(bytes_read)),
        watch_(watch) {}

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    ARROW_RETURN_NOT_OK(watch_->CheckStop());
    if (next_ == reader_->num_record_batches()) return nullptr;
    auto batch = reader_->ReadRecordBatch(next_++);
    if (!batch.ok()) return InputError(batch.status(), fd_->name());
    return batch;
  }

  int64_t bytes_read() const override { return bytes_read_->load(); }
  std::optional<int64_t> total_bytes() const override { return fd_->size(); }
  std::string Origin() const override { return fd_->name(); }

 private:
  const std::shared_ptr<InputFd> fd_;
  const std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader_;
  const std::shared_ptr<arrow::Schema> schema_;
  const std::shared_ptr<std::atomic<int64_t>> bytes_read_;
  InputWatch* const watch_;
  int next_ = 0;
};

}  // namespace

Result<std::unique_ptr<BatchInput>> OpenIpcStream(std::shared_ptr<FdStream> stream, const InputSettings& settings) {
  ARROW_ASSIGN_OR_RAISE(const std::string_view first, stream->Peek(1));
  if (first.empty()) return MakeError(ErrorKind::kInvalid, stream->name() + ": is empty, no Arrow IPC stream");
  auto reader = arrow::ipc::RecordBatchStreamReader::Open(stream.get());
  if (!reader.ok()) {
    const Status status = InputError(reader.status(), stream->name());
    if (KindOf(status) == ErrorKind::kCancelled || DetailOf(reader.status()) != nullptr) return status;
    const char* why = stream->met_end() ? ": the Arrow IPC stream was cut short before its schema ended: "
                                        : ": is no Arrow IPC stream: ";
    return MakeError(ErrorKind::kInvalid, stream->name() + why + reader.status().message());
  }
  return std::make_unique<IpcStreamInput>(std::move(stream), *std::move(reader), settings.allow_cut);
}

Result<std::unique_ptr<BatchInput>> OpenIpcFile(std::shared_ptr<InputFd> fd, InputWatch* watch) {
  auto bytes_read = std::make_shared<std::atomic<int64_t>>(0);
  ARROW_ASSIGN_OR_RAISE(auto file, MakeCountingFile(fd, bytes_read));
  constexpr std::string_view kMagic = "ARROW1";
  char end[kMagic.size()];
  const int64_t size = fd->size();
  ARROW_ASSIGN_OR_RAISE(const int64_t got, file->ReadAt(std::max<int64_t>(0, size - 6), 6, end));
  if (size < 12 || std::string_view(end, static_cast<size_t>(got)) != kMagic) {
    return MakeError(ErrorKind::kInvalid, fd->name() +
                                              ": the Arrow IPC file was cut short or is still being written: "
                                              "it does not end with its footer");
  }
  auto reader = arrow::ipc::RecordBatchFileReader::Open(file);
  if (!reader.ok()) return InputError(reader.status(), fd->name());
  return std::make_unique<IpcFileInput>(std::move(fd), *std::move(reader), std::move(bytes_read), watch);
}

}  // namespace tailrace::cli
