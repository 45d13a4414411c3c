#include "store/local_upload.h"

#include <cinttypes>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "store/file_error.h"
#include "store/hidden_folder.h"
#include "store/object_facts.h"
#include "store/part_check.h"
#include "store/publish.h"

namespace tailrace {
namespace {

std::string CrcEtag(uint64_t crc64) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, crc64);
  return text;
}

Status PartMismatch(const UploadFile& file, int number, const std::string& why) {
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kPartMismatch);
  detail->part_number = number;
  return MakeError(std::move(detail), "part " + std::to_string(number) + " of the upload '" + file.path() + "' " + why);
}

// A local object is one run of bytes: its parts must lie one behind the other.
Result<int64_t> TotalBytes(const std::vector<PartReceipt>& parts) {
  int64_t end = 0;
  int number = 0;
  for (const PartReceipt& part : parts) {
    const bool fits = part.size_bytes >= 0 && part.size_bytes <= std::numeric_limits<int64_t>::max() - end;
    if (part.number != ++number || part.offset_bytes != end || !fits) {
      return MakeError(ErrorKind::kInvalid,
                       "the local store completes parts 1 to n without a gap, but number " + std::to_string(number) +
                           " of the list is part " + std::to_string(part.number) + " at offset " +
                           std::to_string(part.offset_bytes) + ", expected at " + std::to_string(end) + ", of " +
                           std::to_string(part.size_bytes) + " bytes");
    }
    end += part.size_bytes;
  }
  if (parts.empty()) return MakeError(ErrorKind::kInvalid, "an upload cannot be completed without parts");
  return end;
}

}  // namespace

LocalUpload::LocalUpload(FileCalls* files, LocalPlace place, UploadFileName name, std::unique_ptr<UploadFile> file,
                         Options options)
    : files_(files),
      place_(std::move(place)),
      file_(std::move(file)),
      options_(options),
      id_(LocalUploadId{std::move(name), file_->facts().inode}.ToUploadId()),
      parts_(options.trust_parts ? file_->facts().size_bytes : 0) {}

Status LocalUpload::CheckOpen() const {
  if (done_) return MakeError(ErrorKind::kUploadGone, "the upload '" + file_->path() + "' was completed or aborted");
  if (file_->fd() >= 0) return Status::OK();
  return MakeError(ErrorKind::kInvalid,
                   "the upload '" + file_->path() + "' belongs to the process that this one was forked from");
}

Status LocalUpload::CheckWritable() {
  ARROW_RETURN_NOT_OK(CheckOpen());
  if (!publish_tried_) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const bool hidden, file_->IsAt(file_->path()));
  ARROW_ASSIGN_OR_RAISE(const bool published, file_->IsAt(place_.target));
  if (hidden && !published) return Status::OK();
  return MakeError(ErrorKind::kUploadGone, "the upload '" + file_->path() + "' is published or gone");
}

Result<PartReceipt> LocalUpload::PutPart(const Part& part) {
  if (part.number < 1 || part.offset_bytes < 0) {
    return MakeError(ErrorKind::kInvalid, "part " + std::to_string(part.number) + " at offset " +
                                              std::to_string(part.offset_bytes) + " cannot be: both start at 1 and 0");
  }
  ARROW_RETURN_NOT_OK(CheckWritable());
  {
    MutexLock lock(&mutex_);
    parts_.Forget(part.offset_bytes, part.offset_bytes + part.body.size());
  }
  std::vector<iovec> pieces;
  pieces.reserve(part.body.slices().size());
  for (const ByteSlice& slice : part.body.slices()) {
    pieces.push_back({const_cast<uint8_t*>(slice.data()), static_cast<size_t>(slice.size())});
  }
  ARROW_RETURN_NOT_OK(CheckFile(files_->WriteAt(file_->fd(), pieces, part.offset_bytes),
                                "write part " + std::to_string(part.number) + " to", file_->path()));
  PartReceipt receipt{.number = part.number,
                      .offset_bytes = part.offset_bytes,
                      .size_bytes = part.body.size(),
                      .etag = {},
                      .crc64 = part.body.crc64()};
  receipt.etag = CrcEtag(receipt.crc64);
  MutexLock lock(&mutex_);
  parts_.Remember(receipt);
  return receipt;
}

Status LocalUpload::SyncBytes() {
  MutexLock lock(&mutex_);
  ARROW_RETURN_NOT_OK(sync_error_);
  // fdatasync leaves out what reading the bytes does not need, such as the attributes; they change only at the start.
  const int rc = attributes_synced_ ? files_->SyncData(file_->fd()) : files_->SyncFile(file_->fd());
  sync_error_ = CheckFile(rc, "sync the upload", file_->path());
  attributes_synced_ = sync_error_.ok();
  return sync_error_;
}

Status LocalUpload::Sync() {
  ARROW_RETURN_NOT_OK(CheckOpen());
  ARROW_RETURN_NOT_OK(SyncBytes());
  if (folders_synced_) return Status::OK();
  ARROW_RETURN_NOT_OK(SyncFolders(files_, place_, options_.sync_ancestors));
  folders_synced_ = true;
  return Status::OK();
}

Result<int64_t> LocalUpload::FileSize() const {
  FileFacts facts;
  ARROW_RETURN_NOT_OK(CheckFile(files_->StatFile(file_->fd(), &facts), "examine", file_->path()));
  return facts.size_bytes;
}

Result<bool> LocalUpload::Holds(const PartReceipt& receipt, int64_t file_size) {
  const bool possible =
      receipt.offset_bytes >= 0 && receipt.size_bytes >= 0 && receipt.size_bytes <= file_size - receipt.offset_bytes;
  if (!possible) return false;
  {
    MutexLock lock(&mutex_);
    if (parts_.Believes(receipt)) return true;
  }
  int64_t read_bytes = 0;
  ARROW_ASSIGN_OR_RAISE(const uint64_t crc64, ReadBackCrc(files_, file_->fd(), file_->path(), receipt.offset_bytes,
                                                          receipt.size_bytes, &read_bytes));
  if (read_bytes != receipt.size_bytes || crc64 != receipt.crc64) return false;
  MutexLock lock(&mutex_);
  parts_.Remember(receipt);
  return true;
}

Result<std::vector<PartReceipt>> LocalUpload::ListParts(const std::vector<PartReceipt>& expected) {
  ARROW_RETURN_NOT_OK(CheckOpen());
  ARROW_ASSIGN_OR_RAISE(const int64_t file_size, FileSize());
  std::map<int, PartReceipt> parts;
  {
    MutexLock lock(&mutex_);
    for (PartReceipt& known : parts_.Known()) parts.emplace(known.number, std::move(known));
  }
  for (const PartReceipt& receipt : expected) {
    ARROW_ASSIGN_OR_RAISE(const bool holds, Holds(receipt, file_size));
    if (holds) parts.insert_or_assign(receipt.number, receipt);
  }
  std::vector<PartReceipt> list;
  for (auto& [number, receipt] : parts) list.push_back(std::move(receipt));
  return list;
}

Status LocalUpload::CheckParts(const std::vector<PartReceipt>& parts) {
  ARROW_ASSIGN_OR_RAISE(const int64_t file_size, FileSize());
  for (const PartReceipt& part : parts) {
    if (part.offset_bytes + part.size_bytes > file_size) {
      return PartMismatch(*file_, part.number,
                          "is not there: it would end at byte " + std::to_string(part.offset_bytes + part.size_bytes) +
                              ", but the file ends at " + std::to_string(file_size));
    }
    ARROW_ASSIGN_OR_RAISE(const bool holds, Holds(part, file_size));
    if (!holds) return PartMismatch(*file_, part.number, "has other bytes than its receipt says (checksum)");
  }
  return Status::OK();
}

// All of Complete that can be repeated and leaves the upload an upload.
Status LocalUpload::Prepare(const std::vector<PartReceipt>& parts) {
  ARROW_ASSIGN_OR_RAISE(const int64_t total_bytes, TotalBytes(parts));
  ARROW_ASSIGN_OR_RAISE(const bool hidden, file_->IsAt(file_->path()));
  if (!hidden) return MakeError(ErrorKind::kUploadGone, "the upload '" + file_->path() + "' was removed");
  ARROW_RETURN_NOT_OK(CheckParts(parts));
  // What lies behind the last part is of a writer that came further than this one's state.
  ARROW_RETURN_NOT_OK(CheckFile(files_->Truncate(file_->fd(), total_bytes), "cut to its size", file_->path()));
  ARROW_RETURN_NOT_OK(file_->RemoveUploadAttributes());
  attributes_synced_ = false;
  return SyncBytes();
}

Result<ObjectMeta> LocalUpload::Complete(const std::vector<PartReceipt>& parts, const PutCondition& condition) {
  ARROW_RETURN_NOT_OK(CheckOpen());
  ARROW_ASSIGN_OR_RAISE(const bool published, file_->IsAt(place_.target));
  if (!published) {
    // Before anything is cut off: a refused condition leaves the upload as it was.
    ARROW_RETURN_NOT_OK(CheckCondition(files_, place_, condition));
    ARROW_RETURN_NOT_OK(Prepare(parts));
  }
  publish_tried_ = true;
  ARROW_RETURN_NOT_OK(Publish(files_, place_, file_.get(), condition, options_.sync_ancestors));
  FileFacts facts;
  ARROW_RETURN_NOT_OK(CheckFile(files_->StatFile(file_->fd(), &facts), "examine", place_.target));
  ARROW_ASSIGN_OR_RAISE(ObjectMeta meta, DescribeObject(files_, file_->fd(), place_.target, facts));
  done_ = true;
  file_->Close();
  return meta;
}

Status LocalUpload::Abort() {
  if (done_) return Status::OK();
  ARROW_RETURN_NOT_OK(CheckOpen());
  // Only the name in the hidden folder: where the file is published too, the object stays.
  ARROW_RETURN_NOT_OK(file_->Unlink());
  const int rc = files_->SyncFolder(place_.hidden);
  done_ = true;
  file_->Close();
  return CheckFile(rc, "sync the folder", place_.hidden);
}

std::string LocalUpload::Seal() const {
  MutexLock lock(&mutex_);
  return sync_error_.ok() ? file_->instance() : std::string();
}

}  // namespace tailrace
