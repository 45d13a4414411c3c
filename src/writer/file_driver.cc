#include "writer/file_driver.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/crc64.h"
#include "encode/file_tail.h"
#include "upload/abort_upload.h"
#include "upload/end_uploader.h"

namespace tailrace {

namespace {

uint64_t CombinedCrc(const std::vector<PartReceipt>& receipts) {
  uint64_t crc = 0;
  for (const PartReceipt& part : receipts) crc = Crc64Combine(crc, part.crc64, static_cast<uint64_t>(part.size_bytes));
  return crc;
}

}  // namespace

FileDriver::FileDriver(Setup setup, OpenFile file)
    : store_(std::move(setup.store)),
      key_(std::move(setup.key)),
      write_id_(std::move(setup.write_id)),
      executor_(setup.executor),
      memory_(setup.memory),
      memory_budget_bytes_(setup.memory_budget_bytes),
      read_ahead_bytes_(setup.read_ahead_bytes),
      events_(std::move(setup.events)),
      file_(std::move(file)),
      content_(std::move(setup.content)),
      rows_(content_.rows()),
      data_bytes_(content_.data_bytes()),
      tail_bytes_bound_(TailBytesBound(content_)),
      row_group_begin_(std::chrono::steady_clock::now()),
      upload_(std::move(setup.upload)),
      uploader_(executor_, setup.parts_in_flight,
                {.upload_created = [this](auto result) { UploadCreatedReport(std::move(result)); },
                 .part_stored = [this](auto result) { PartStoredReport(std::move(result)); }}) {
  if (upload_ == nullptr) Deliver(BytesReady{FileHead()});
}

FileDriver::~FileDriver() {
  Stop();
  events_->Tell(EventOf(EventKind::kReleased, totals().rows));  // not heard where it was closed or aborted
}

Status FileDriver::status() const {
  MutexLock lock(&mutex_);
  return StatusLocked();
}

Status FileDriver::StatusLocked() const {
  const auto* failed = std::get_if<OpenFile::Failed>(&file_.state());
  return failed == nullptr ? Status::OK() : failed->first_error;
}

// --- events ---

std::vector<Action> FileDriver::ApplyLocked(Event event, WriteStep step) {
  const bool had_failed = !StatusLocked().ok();
  std::vector<Action> actions = ApplyToFile(std::move(event));
  changed_.NotifyAll();
  if (const Status status = StatusLocked(); !status.ok() && !had_failed) {
    WriteEvent failed = FailureOf(step, status);
    failed.rows = rows_;
    events_->Add(std::move(failed));
  }
  return actions;
}

std::vector<Action> FileDriver::ApplyToFile(Event event) {
  Result<std::vector<Action>> actions = file_.Apply(std::move(event));
  if (actions.ok()) return *std::move(actions);
  // A straggler of a file that has ended is nobody's news; anything else that does not apply is a bug and must stop
  // the file rather than lose bytes.
  const bool ended = std::holds_alternative<OpenFile::Failed>(file_.state()) ||
                     std::holds_alternative<OpenFile::Aborted>(file_.state());
  if (!ended) {
    Result<std::vector<Action>> failed =
        file_.Apply(RequestFailed{MakeError(ErrorKind::kInternal, actions.status().message())});
    if (failed.ok()) return *std::move(failed);
  }
  return {};
}

void FileDriver::Deliver(Event event, WriteStep step) {
  std::vector<Action> actions;
  {
    MutexLock lock(&mutex_);
    actions = ApplyLocked(std::move(event), step);
  }
  Start(std::move(actions));
}

void FileDriver::Start(std::vector<Action> actions) {
  events_->Deliver();
  for (Action& action : actions) {
    if (std::holds_alternative<CreateUploadAction>(action)) {
      uploader_.CreateUpload(store_, UploadRequest{key_, write_id_});
    } else if (auto* put = std::get_if<StorePartAction>(&action)) {
      std::shared_ptr<Upload> upload;
      {
        MutexLock lock(&mutex_);
        if (!StatusLocked().ok()) return;  // one of them failed meanwhile: the rest would be stored for nothing
        upload = upload_;
      }
      uploader_.PutPart(std::move(upload), std::move(put->part));
    }
    // The others are answers to what the producer asked for, which carries them out itself.
  }
}

void FileDriver::UploadCreatedReport(PartUploader::UploadResult result) {
  if (!result.upload.ok()) {
    return Fail(WithContext(result.upload.status(), "creating the upload of '" + key_ + "'"), WriteStep::kCreateUpload);
  }
  std::vector<Action> actions;
  {
    MutexLock lock(&mutex_);
    upload_ = *std::move(result.upload);
    events_->Add(EventOf(EventKind::kUploadCreated, 0, 0, result.duration));
    actions = ApplyLocked(UploadCreated{upload_->id()});
  }
  Start(std::move(actions));
}

void FileDriver::PartStoredReport(PartUploader::PartResult result) {
  memory_->ReturnUnused();
  if (!result.receipt.ok()) {
    return Fail(
        WithContext(result.receipt.status(), "storing part " + std::to_string(result.number) + " of '" + key_ + "'"),
        WriteStep::kStorePart);
  }
  events_->Add(PartStoredEvent(*result.receipt, result.duration));
  Deliver(PartStored{*std::move(result.receipt)});
}

void FileDriver::Fail(Status error, WriteStep step) {
  Deliver(RequestFailed{std::move(error)}, step);
  uploader_.DropWaiting();
}

void FileDriver::ChunkEncoded(int64_t referenced_bytes) {
  MutexLock lock(&mutex_);
  unencoded_bytes_ -= referenced_bytes;
  changed_.NotifyAll();
}

void FileDriver::AddRowGroup(EncodedRowGroup row_group, int64_t referenced_bytes) {
  const int64_t size_bytes = row_group.bytes.size();
  WriteEvent closed = EventOf(EventKind::kRowGroupClosed, row_group.entry.rows, size_bytes);
  closed.arrow_bytes = referenced_bytes;
  std::vector<Action> actions;
  {
    MutexLock lock(&mutex_);
    closed.duration = Since(row_group_begin_);
    row_group_begin_ += closed.duration;
    events_->Add(std::move(closed));
    referenced_bytes_ += referenced_bytes;
    rows_ += row_group.entry.rows;
    data_bytes_ += size_bytes;
    content_.digest = Crc64Combine(content_.digest, row_group.bytes.crc64(), static_cast<uint64_t>(size_bytes));
    tail_bytes_bound_ += TailBytesBound(row_group.entry);
    content_.row_groups.push_back(std::move(row_group.entry));
    actions = ApplyLocked(BytesReady{std::move(row_group.bytes)});
  }
  Start(std::move(actions));
}

// --- the producer's calls ---

Status FileDriver::WaitUntil(const std::function<bool()>& ready) {
  for (;;) {
    {
      MutexLock lock(&mutex_);
      ARROW_RETURN_NOT_OK(StatusLocked());
      if (ready()) return Status::OK();
    }
    if (executor_->TryRunOne()) continue;
    MutexLock lock(&mutex_);
    ARROW_RETURN_NOT_OK(StatusLocked());
    if (ready()) return Status::OK();
    changed_.Wait(&mutex_);
  }
}

Status FileDriver::AdmitChunk(int64_t bytes) {
  return WaitUntil([&] {
    const bool lane_empty = unencoded_bytes_ == 0;
    if (!lane_empty && unencoded_bytes_ + bytes > read_ahead_bytes_) return false;
    const bool fits = memory_->bytes_in_use() + unencoded_bytes_ + bytes <= memory_budget_bytes_;
    // With nothing under way, nothing can free anything: what is held is the open row group and less than a part, which
    // the check of the options left room for. A row larger than all the rest of the budget must pass all the same.
    if (!fits && !(lane_empty && file_.idle())) return false;
    unencoded_bytes_ += bytes;
    return true;
  });
}

Status FileDriver::WaitForRows(int64_t rows) {
  return WaitUntil([&] { return rows_ >= rows; });
}

Result<UploadProgress> FileDriver::StoreAll() {
  Deliver(UploadAsked{});
  ARROW_RETURN_NOT_OK(WaitUntil([&] { return file_.idle(); }));
  std::shared_ptr<Upload> upload;
  {
    MutexLock lock(&mutex_);
    upload = upload_;
  }
  Status synced = upload->Sync();
  if (!synced.ok()) {
    Fail(WithContext(synced, "making the upload of '" + key_ + "' durable"), WriteStep::kSync);
    return status();
  }
  MutexLock lock(&mutex_);
  return file_.Progress();
}

Result<FileDriver::ClosedFile> FileDriver::Close(ByteSlices tail) {
  Deliver(CloseAsked{std::move(tail)});
  ARROW_RETURN_NOT_OK(WaitUntil([&] { return file_.ready_to_commit(); }));
  return TakeClosed();
}

Result<FileDriver::ClosedFile> FileDriver::CloseAroundStrays(const UploadProgress& progress,
                                                             const TailBuilder& build_tail) {
  std::shared_ptr<Upload> upload;
  {
    MutexLock lock(&mutex_);
    upload = upload_;
  }
  EndUploader end(upload.get(), progress, build_tail, /*around_strays=*/true, "'" + key_ + "'");
  end.ReportTo([this](const PartReceipt& part, std::chrono::microseconds duration) {
    events_->Tell(PartStoredEvent(part, duration));
  });
  Result<std::vector<PartReceipt>> parts = end.Store();
  if (!parts.ok()) {
    Fail(WithContext(parts.status(), "storing the end of '" + key_ + "'"), WriteStep::kStoreEnd);
    return status();
  }
  Deliver(EndStored{*std::move(parts)});
  ARROW_RETURN_NOT_OK(WaitUntil([&] { return file_.ready_to_commit(); }));
  upload.reset();
  return TakeClosed();
}

Result<FileDriver::ClosedFile> FileDriver::TakeClosed() {
  ClosedFile closed;
  std::shared_ptr<Upload> upload;
  {
    MutexLock lock(&mutex_);
    closed.size_bytes = file_.total_bytes();
    if (const auto* single = std::get_if<OpenFile::ClosingSingle>(&file_.state())) {
      closed.is_inline = true;
      closed.inline_bytes = single->body.ToString();
      closed.crc64 = single->body.crc64();
      return closed;
    }
    closed.receipts = std::get<OpenFile::ClosingMulti>(file_.state()).receipts;
    upload = std::move(upload_);
  }
  closed.upload_id = upload->id();
  closed.crc64 = CombinedCrc(closed.receipts);
  Status synced = upload->Sync();
  if (!synced.ok()) {
    Fail(WithContext(synced, "making the upload of '" + key_ + "' durable"), WriteStep::kSync);
    MutexLock lock(&mutex_);
    upload_ = std::move(upload);  // for an abort
    return StatusLocked();
  }
  closed.seal = upload->Seal();
  return closed;
}

void FileDriver::Stop() { uploader_.Shutdown(); }

Status FileDriver::Abort() {
  const auto begin = std::chrono::steady_clock::now();
  Status aborted = DropUpload();
  WriteEvent event = EventOf(EventKind::kAborted, totals().rows);
  if (!aborted.ok()) event = FailureOf(WriteStep::kAbort, aborted);
  event.duration = Since(begin);
  events_->Tell(std::move(event));
  return aborted;
}

Status FileDriver::DropUpload() {
  Stop();
  Deliver(AbortAsked{});
  std::shared_ptr<Upload> upload;
  {
    MutexLock lock(&mutex_);
    upload = std::move(upload_);
  }
  if (upload == nullptr) return Status::OK();
  Status aborted = AbortUntilGone(upload.get());
  return !aborted.ok() && KindOf(aborted) == ErrorKind::kUploadGone ? Status::OK() : aborted;
}

ParquetContent FileDriver::content() const {
  MutexLock lock(&mutex_);
  return content_;
}

FileDriver::Totals FileDriver::totals() const {
  MutexLock lock(&mutex_);
  return {static_cast<int64_t>(content_.row_groups.size()), data_bytes_, referenced_bytes_, tail_bytes_bound_, rows_};
}

}  // namespace tailrace
