#include "store/local_store.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "store/file_error.h"
#include "store/hidden_folder.h"
#include "store/local_place.h"
#include "store/local_upload.h"
#include "store/object_facts.h"
#include "store/open_object.h"
#include "store/posix_files.h"
#include "store/publish.h"

namespace tailrace {

std::shared_ptr<LocalStore> LocalStore::Make(const StoreOptions& options, FileCalls* files) {
  return std::shared_ptr<LocalStore>(new LocalStore(options, files != nullptr ? files : PosixFiles::Get()));
}

StoreLimits LocalStore::limits() const {
  if (options_.profile) return options_.profile->limits;
  // What the file system allows beyond memory and disk is not known ahead; these are bounds that no file system
  // reaches, and a number of parts that keeps a state below some tens of megabytes.
  constexpr int64_t kMaxBytes = int64_t{1} << 62;
  return {.min_part_bytes = 1,
          .max_part_bytes = kMaxBytes,
          .max_parts = 1'000'000,
          .max_object_bytes = kMaxBytes,
          .max_put_bytes = kMaxBytes,
          .checks_part_etags = true,
          .stray_parts = StrayParts::kLeftOut,
          .conditional_put = true,
          .reads_settle_at_once = true};
}

Target LocalStore::TargetOf(const std::string& key) const {
  Target target;
  target.kind = "file";
  target.key = key;
  return target;
}

Result<ObjectMeta> LocalStore::Head(const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(const LocalPlace place, LocalPlace::Of(key));
  ARROW_ASSIGN_OR_RAISE(const OpenObject object, OpenObject::Open(files_, place));
  return DescribeObject(files_, object.fd(), place.target, object.facts());
}

Status LocalStore::SyncObject(const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(const LocalPlace place, LocalPlace::Of(key));
  ARROW_ASSIGN_OR_RAISE(const OpenObject object, OpenObject::Open(files_, place));
  ARROW_RETURN_NOT_OK(CheckFile(files_->SyncFile(object.fd()), "sync", place.target));
  ARROW_RETURN_NOT_OK(SyncTargetFolder(files_, place, options_.create_folders));
  return SettleHiddenFolder(files_, place, object.facts());
}

Result<std::string> LocalStore::GetRange(const std::string& key, int64_t offset, int64_t length,
                                         const std::string& if_etag) {
  ARROW_ASSIGN_OR_RAISE(const LocalPlace place, LocalPlace::Of(key));
  if (offset < 0 || length < 0) {
    return MakeError(ErrorKind::kInvalid, "the range of " + std::to_string(length) + " bytes from byte " +
                                              std::to_string(offset) + " of '" + place.target + "' makes no sense");
  }
  ARROW_ASSIGN_OR_RAISE(const OpenObject object, OpenObject::Open(files_, place));
  if (!if_etag.empty() && EtagOf(object.facts()) != if_etag) {
    return MakeError(ErrorKind::kPrecondition,
                     "'" + place.target + "' was replaced since its etag was " + if_etag + "; look at it again");
  }
  const int64_t there = std::max<int64_t>(object.facts().size_bytes - offset, 0);
  std::string bytes(static_cast<size_t>(std::min(length, there)), '\0');
  const int64_t got = files_->ReadAt(object.fd(), bytes.data(), static_cast<int64_t>(bytes.size()), offset);
  ARROW_RETURN_NOT_OK(CheckFile(got, "read", place.target));
  bytes.resize(static_cast<size_t>(got));
  return bytes;
}

Status LocalStore::Fill(UploadFile* file, const ByteSlices& body) {
  std::vector<iovec> pieces;
  for (const ByteSlice& slice : body.slices()) {
    pieces.push_back({const_cast<uint8_t*>(slice.data()), static_cast<size_t>(slice.size())});
  }
  // What an earlier try of the same write left.
  ARROW_RETURN_NOT_OK(CheckFile(files_->Truncate(file->fd(), 0), "empty", file->path()));
  ARROW_RETURN_NOT_OK(CheckFile(files_->WriteAt(file->fd(), pieces, 0), "write", file->path()));
  ARROW_RETURN_NOT_OK(file->RemoveUploadAttributes());
  return CheckFile(files_->SyncFile(file->fd()), "sync", file->path());
}

Result<ObjectMeta> LocalStore::Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                                   const PutCondition& condition) {
  ARROW_ASSIGN_OR_RAISE(const LocalPlace place, LocalPlace::Of(key));
  if (!write_id.Time()) return MakeError(ErrorKind::kInvalid, "'" + write_id.text + "' is no write id (UUIDv7)");
  ARROW_RETURN_NOT_OK(PrepareFolders(files_, place, options_.create_folders));
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<UploadFile> file,
                        UploadFile::CreateOrOpen(files_, place, UploadFileName::ForPut(write_id)));
  Status status = CheckCondition(files_, place, condition);
  if (status.ok()) status = Fill(file.get(), body);
  if (status.ok()) status = Publish(files_, place, file.get(), condition, options_.create_folders);
  if (!status.ok()) {
    // A Put leaves nothing behind but its object; what cannot be removed now, the next Put of this write uses.
    (void)file->Unlink();
    return status;
  }
  FileFacts facts;
  ARROW_RETURN_NOT_OK(CheckFile(files_->StatFile(file->fd(), &facts), "examine", place.target));
  return DescribeObject(files_, file->fd(), place.target, facts);
}

Status LocalStore::CheckNewObject(const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(const LocalPlace place, LocalPlace::Of(key));
  return CheckPlace(files_, place, options_.create_folders);
}

Result<std::unique_ptr<Upload>> LocalStore::CreateUpload(const UploadRequest& request) {
  ARROW_ASSIGN_OR_RAISE(LocalPlace place, LocalPlace::Of(request.key));
  if (!request.write_id.Time()) {
    return MakeError(ErrorKind::kInvalid, "'" + request.write_id.text + "' is no write id (UUIDv7)");
  }
  ARROW_RETURN_NOT_OK(PrepareFolders(files_, place, options_.create_folders));
  UploadFileName name = UploadFileName::ForUpload(request.write_id);
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<UploadFile> file, UploadFile::Create(files_, place, name));
  const LocalUpload::Options options{.trust_parts = false, .sync_ancestors = options_.create_folders};
  return std::make_unique<LocalUpload>(files_, std::move(place), std::move(name), std::move(file), options);
}

Result<std::unique_ptr<Upload>> LocalStore::OpenUpload(const std::string& key, const UploadId& id,
                                                       const OpenUploadOptions& options) {
  ARROW_ASSIGN_OR_RAISE(LocalPlace place, LocalPlace::Of(key));
  ARROW_ASSIGN_OR_RAISE(LocalUploadId parsed, LocalUploadId::Parse(id));
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<UploadFile> file, UploadFile::Open(files_, place, parsed));
  const bool sealed = !options.seal.empty() && options.seal == file->previous_instance();
  const LocalUpload::Options upload_options{.trust_parts = sealed || !options.verify,
                                            .sync_ancestors = options_.create_folders};
  return std::make_unique<LocalUpload>(files_, std::move(place), std::move(parsed.name), std::move(file),
                                       upload_options);
}

std::optional<UploadSummary> LocalStore::Summarize(const LocalPlace& place, const std::string& file_name) {
  const std::optional<UploadFileName> name = UploadFileName::Parse(file_name);
  if (!name) return std::nullopt;
  // One that goes away while we look is not listed.
  const int fd = files_->Open(place.InHidden(file_name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  FileFacts facts;
  const bool readable = fd >= 0;
  if (readable ? files_->StatFile(fd, &facts) < 0 : files_->StatLink(place.InHidden(file_name), &facts) < 0) {
    if (readable) files_->Close(fd);
    return std::nullopt;
  }
  UploadSummary summary{.key = place.key.substr(0, place.key.rfind('/') + 1),
                        .id = LocalUploadId{*name, facts.inode}.ToUploadId(),
                        .write_id = name->write_id.text,
                        .initiated = *name->write_id.Time(),
                        .initiator = {},
                        .stored_bytes = facts.size_bytes};
  std::string target;
  if (readable && files_->GetAttribute(fd, kTargetAttribute, &target) >= 0) summary.key += target;
  if (readable) files_->Close(fd);
  return summary;
}

Result<std::vector<UploadSummary>> LocalStore::ListUploads(const std::string& prefix) {
  // Any name beside the uploads gives the folder.
  const std::string folder_key = prefix.substr(0, prefix.rfind('/') + 1);
  ARROW_ASSIGN_OR_RAISE(const LocalPlace place, LocalPlace::Of(folder_key + "x"));
  std::vector<std::string> names;
  const int rc = files_->ListFolder(place.hidden, &names);
  std::vector<UploadSummary> uploads;
  if (rc == -ENOENT) return uploads;
  ARROW_RETURN_NOT_OK(CheckFile(rc, "list the folder", place.hidden));
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    std::optional<UploadSummary> summary = Summarize(place, name);
    if (!summary) continue;
    const bool key_known = !summary->key.ends_with('/') && !summary->key.empty();
    if (!key_known || summary->key.starts_with(prefix)) uploads.push_back(*std::move(summary));
  }
  return uploads;
}

Status LocalStore::AddUploadsIn(const std::string& folder, uint64_t device, std::vector<UploadSummary>* uploads) {
  const std::string prefix = folder.substr(1) + "/";
  ARROW_ASSIGN_OR_RAISE(const std::vector<UploadSummary> here, ListUploads(folder == "/" ? "" : prefix));
  uploads->insert(uploads->end(), here.begin(), here.end());
  std::vector<std::string> names;
  const int rc = files_->ListFolder(folder, &names);
  // One that went away while we looked.
  if (rc == -ENOENT) return Status::OK();
  ARROW_RETURN_NOT_OK(CheckFile(rc, "list the folder", folder));
  for (const std::string& name : names) {
    FileFacts facts;
    const std::string path = (folder == "/" ? "" : folder) + "/" + name;
    if (name == "." || name == ".." || name == kHiddenFolderName) continue;
    if (files_->StatLink(path, &facts) < 0 || !facts.is_folder() || facts.device != device) continue;
    ARROW_RETURN_NOT_OK(AddUploadsIn(path, device, uploads));
  }
  return Status::OK();
}

Result<std::vector<UploadSummary>> LocalStore::ListUploadsUnder(const std::string& prefix) {
  std::vector<UploadSummary> uploads;
  std::string folder = "/" + prefix;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  if (!prefix.empty() && !prefix.ends_with('/')) {
    ARROW_ASSIGN_OR_RAISE(uploads, ListUploads(prefix));
    // Those of which only the folder is known may be of any name in it.
    std::erase_if(uploads, [&](const UploadSummary& upload) { return upload.key != prefix; });
  }
  FileFacts facts;
  const int rc = files_->Stat(folder, &facts);
  if (rc == -ENOENT || rc == -ENOTDIR) return uploads;
  ARROW_RETURN_NOT_OK(CheckFile(rc, "examine", folder));
  if (facts.is_folder()) ARROW_RETURN_NOT_OK(AddUploadsIn(folder, facts.device, &uploads));
  return uploads;
}

}  // namespace tailrace
