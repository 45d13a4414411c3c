#include "tailrace/uploads.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "upload/abort_upload.h"

namespace tailrace {
namespace {

// A name beside the upload where the store only knows the folder; the target itself is not looked at.
std::string KeyToOpen(const UploadSummary& summary) {
  return summary.key.ends_with('/') ? summary.key + "unknown" : summary.key;
}

void Match(const std::vector<UploadClaim>& claims, OpenUpload* upload) {
  for (const UploadClaim& claim : claims) {
    const bool same_upload = !claim.upload_id.text.empty() && claim.upload_id == upload->summary.id;
    const bool same_write = !claim.write_id.text.empty() && claim.write_id.text == upload->summary.write_id;
    if (!same_upload && !same_write) continue;
    const bool better =
        !upload->claim || std::pair(same_upload, claim.rows) > std::pair(upload->finishable, upload->claim->rows);
    if (!better) continue;
    upload->claim = claim;
    upload->finishable = same_upload;
  }
}

// What cannot be told stays unknown: a listing of parts may be denied, an upload gone by now.
void AskForSize(MultipartStore* store, OpenUpload* upload) {
  const auto opened = store->OpenUpload(KeyToOpen(upload->summary), upload->summary.id, {.verify = false});
  if (!opened.ok()) return;
  const auto parts = (*opened)->ListParts({});
  if (!parts.ok()) return;
  upload->parts = static_cast<int64_t>(parts->size());
  upload->stored_bytes = 0;
  for (const PartReceipt& part : *parts) *upload->stored_bytes += part.size_bytes;
}

}  // namespace

UploadClaim ClaimOf(const WriterState& state, std::string name) {
  return {std::move(name), state.progress.upload_id, state.write_id, state.rows()};
}

UploadClaim ClaimOf(const PendingCommit& pending, std::string name) {
  return {std::move(name), pending.upload_id, pending.write_id, pending.rows};
}

Result<StoreAndKey> OpenPrefix(const std::string& url, const StoreOptions& options) {
  // Stores open keys; a folder has none of its own.
  std::string in_folder;
  if (url.ends_with('/')) in_folder = url + "x";
  if (url == "." || url == ".." || url.ends_with("/.") || url.ends_with("/..")) in_folder = url + "/x";
  ARROW_ASSIGN_OR_RAISE(StoreAndKey at, OpenStore(in_folder.empty() ? url : in_folder, options));
  if (!in_folder.empty()) at.key.pop_back();
  return at;
}

bool KeyIsAtOrUnder(const std::string& key, const std::string& prefix) {
  if (prefix.empty()) return true;
  if (!key.starts_with(prefix)) return false;
  return prefix.ends_with('/') || key.size() == prefix.size() || key[prefix.size()] == '/';
}

Result<std::vector<OpenUpload>> ListOpenUploads(MultipartStore* store, const std::string& prefix,
                                                const ListUploadsOptions& options) {
  auto listed = store->ListUploadsUnder(prefix);
  if (!listed.ok()) {
    const Status& status = listed.status();
    if (KindOf(status) != ErrorKind::kDenied) return status;
    const bool is_local = store->TargetOf(prefix).kind == "file";
    return status.WithMessage(status.message() + "; listing open uploads needs the right to " +
                              (is_local ? "read these folders" : "list them (s3:ListBucketMultipartUploads)"));
  }
  std::vector<OpenUpload> uploads;
  for (UploadSummary& summary : *listed) {
    if (!KeyIsAtOrUnder(summary.key, prefix)) continue;
    OpenUpload upload{.summary = std::move(summary)};
    upload.stored_bytes = upload.summary.stored_bytes;
    Match(options.claims, &upload);
    // Local uploads would be locked by it.
    if (options.sizes && !upload.stored_bytes) AskForSize(store, &upload);
    uploads.push_back(std::move(upload));
  }
  std::sort(uploads.begin(), uploads.end(), [](const OpenUpload& a, const OpenUpload& b) {
    const auto Order = [](const UploadSummary& s) { return std::tie(s.key, s.initiated, s.id); };
    return Order(a.summary) < Order(b.summary);
  });
  return uploads;
}

SweepVerdict JudgeUpload(const OpenUpload& upload, const SweepOptions& options) {
  if (upload.claim) return SweepVerdict::kClaimed;
  Clock* const clock = options.clock != nullptr ? options.clock : Clock::System();
  const Timestamp initiated = upload.summary.initiated;
  if (initiated == Timestamp{} || clock->Now() - initiated < options.older_than) return SweepVerdict::kTooYoung;
  if (options.initiator && upload.summary.initiator != *options.initiator) return SweepVerdict::kOtherInitiator;
  return SweepVerdict::kAbort;
}

Status AbortOpenUpload(MultipartStore* store, const OpenUpload& upload) {
  const auto opened = store->OpenUpload(KeyToOpen(upload.summary), upload.summary.id, {.verify = false});
  const Status status = opened.ok() ? AbortUntilGone(opened->get()) : opened.status();
  return !status.ok() && KindOf(status) == ErrorKind::kUploadGone ? Status::OK() : status;
}

}  // namespace tailrace
