#include "store/upload_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "base/uuid.h"
#include "store/file_error.h"
#include "store/hidden_folder.h"

namespace tailrace {
namespace {

// Non-blocking, so that a pipe in the place of a file cannot stop us; a regular file does not mind.
constexpr int kOpenFlags = O_RDWR | O_NOFOLLOW | O_NONBLOCK;

struct Owner {
  std::string host;
  std::string pid;
  std::string instance;

  std::string ToString() const { return host + " " + pid + " " + instance; }

  static std::optional<Owner> Parse(const std::string& text) {
    const size_t second = text.rfind(' ');
    if (second == std::string::npos || second == 0) return std::nullopt;
    const size_t first = text.rfind(' ', second - 1);
    if (first == std::string::npos) return std::nullopt;
    return Owner{text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
  }

  static Owner Self() {
    char host[256] = {};
    if (::gethostname(host, sizeof host - 1) != 0 || host[0] == '\0') return {"?", std::to_string(::getpid()), {}};
    return {host, std::to_string(::getpid()), {}};
  }
};

Status Gone(const std::string& path, std::string_view why) {
  return MakeError(ErrorKind::kUploadGone, "the upload '" + path + "' " + std::string(why));
}

// A file system that knows no locks (some FUSE and network ones): uploads work there, but nothing keeps a second
// process away. docs/formats/local-store.md says so.
bool NoLocks(int rc) { return rc == -EOPNOTSUPP || rc == -ENOSYS || rc == -ENOLCK || rc == -EINVAL; }

}  // namespace

bool NoAttributes(int rc) { return rc == -ENOTSUP || rc == -EOPNOTSUPP || rc == -ENOSYS; }

int UploadFile::OpenFile(int flags) { return GuardedFile::Open(files_, path_, kOpenFlags | flags, 0666, &file_); }

Result<bool> UploadFile::IsAt(const std::string& path) const {
  FileFacts named;
  const int rc = files_->StatLink(path, &named);
  if (rc == -ENOENT || rc == -ENOTDIR) return false;
  ARROW_RETURN_NOT_OK(CheckFile(rc, "examine", path));
  return named.SameFile(facts_);
}

Status UploadFile::HeldByOther() const {
  std::string text;
  const std::optional<Owner> owner =
      files_->GetAttribute(fd(), kOwnerAttribute, &text) < 0 ? std::nullopt : Owner::Parse(text);
  std::string who = "a live process";
  if (owner) {
    const Owner self = Owner::Self();
    const bool here = owner->host == self.host && owner->pid == self.pid;
    who = here ? "another writer in this process" : "a live process (host " + owner->host + ", pid " + owner->pid + ")";
  }
  return MakeError(ErrorKind::kWriterAlive,
                   "the upload '" + path_ + "' is held by " + who + "; wait until it ends, or end it, and try again");
}

Result<UploadFile::LockResult> UploadFile::Lock() {
  ARROW_RETURN_NOT_OK(CheckFile(files_->StatFile(fd(), &facts_), "examine", path_));
  if (!facts_.is_regular()) return FileError("use as an upload", path_, EINVAL);
  const int rc = files_->Lock(fd());
  if (rc == -EWOULDBLOCK) return HeldByOther();
  if (!NoLocks(rc)) ARROW_RETURN_NOT_OK(CheckFile(rc, "lock", path_));
  // Who had the lock before may have published or dropped the file after we opened it: writing to it then would change
  // the published object.
  ARROW_ASSIGN_OR_RAISE(const bool named, IsAt(path_));
  return named ? LockResult::kLocked : LockResult::kReplaced;
}

Status UploadFile::RecordOwner(const LocalPlace& place, const UploadFileName& name) {
  std::string text;
  int rc = files_->GetAttribute(fd(), kWriteIdAttribute, &text);
  if (NoAttributes(rc)) return Status::OK();
  if (rc < 0 || text != name.write_id.text) {
    rc = files_->SetAttribute(fd(), kWriteIdAttribute, name.write_id.text);
    if (NoAttributes(rc)) return Status::OK();
    ARROW_RETURN_NOT_OK(CheckFile(rc, "set the attribute user.tailrace.write_id of", path_));
  }
  if (files_->GetAttribute(fd(), kOwnerAttribute, &text) >= 0) {
    const std::optional<Owner> before = Owner::Parse(text);
    if (before) previous_instance_ = before->instance;
  }
  Owner self = Owner::Self();
  self.instance = MakeInstanceId();
  // The owner goes last: where it is set, the rest is too.
  ARROW_RETURN_NOT_OK(CheckFile(files_->SetAttribute(fd(), kTargetAttribute, place.target_name()),
                                "set the attribute user.tailrace.target of", path_));
  ARROW_RETURN_NOT_OK(CheckFile(files_->SetAttribute(fd(), kOwnerAttribute, self.ToString()),
                                "set the attribute user.tailrace.owner of", path_));
  instance_ = self.instance;
  return Status::OK();
}

Result<std::unique_ptr<UploadFile>> UploadFile::Create(FileCalls* files, const LocalPlace& place,
                                                       const UploadFileName& name) {
  std::unique_ptr<UploadFile> file(new UploadFile(files, place.InHidden(name.ToString())));
  ARROW_RETURN_NOT_OK(CheckFile(file->OpenFile(O_CREAT | O_EXCL), "make the upload", file->path_));
  Result<LockResult> locked = file->Lock();
  Status status = locked.status();
  if (status.ok() && *locked == LockResult::kReplaced) status = Gone(file->path_, "was removed while it was made");
  if (status.ok()) status = file->RecordOwner(place, name);
  if (status.ok()) return file;
  // The name is random and was made by us, whoever looked at it meanwhile. The first error is the one to tell.
  files->Unlink(file->path_);
  return status;
}

Result<std::unique_ptr<UploadFile>> UploadFile::Open(FileCalls* files, const LocalPlace& place,
                                                     const LocalUploadId& id) {
  std::unique_ptr<UploadFile> file(new UploadFile(files, place.InHidden(id.name.ToString())));
  const int rc = file->OpenFile(0);
  if (rc == -ENOENT || rc == -ENOTDIR) {
    // A folder that was moved or is not mounted took the upload along: that is no reason to give the write up.
    FileFacts folder;
    if (files->Stat(place.folder, &folder) != 0) {
      return MakeError(ErrorKind::kNotFound, "the folder '" + place.folder +
                                                 "' of the upload does not exist: mount it, or "
                                                 "set retarget where it was moved");
    }
    return Gone(file->path_, "does not exist (any more)");
  }
  ARROW_RETURN_NOT_OK(CheckFile(rc, "open the upload for writing", file->path_));
  ARROW_ASSIGN_OR_RAISE(const LockResult locked, file->Lock());
  if (locked == LockResult::kReplaced) return Gone(file->path_, "was published or dropped a moment ago");
  if (file->facts_.inode != id.inode) {
    return Gone(file->path_, "is another file than that of the id (inode " + std::to_string(file->facts_.inode) +
                                 " instead of " + std::to_string(id.inode) + ")");
  }
  ARROW_ASSIGN_OR_RAISE(const bool published, file->IsAt(place.target));
  if (published) {
    // Killed between link and unlink.
    ARROW_RETURN_NOT_OK(CheckFile(files->SyncFile(file->fd()), "sync", place.target));
    ARROW_RETURN_NOT_OK(SyncTargetFolder(files, place, /*ancestors=*/false));
    ARROW_RETURN_NOT_OK(SettleHiddenFolder(files, place, file->facts_));
    return Gone(file->path_, "was completed");
  }
  ARROW_RETURN_NOT_OK(file->RecordOwner(place, id.name));
  return file;
}

Result<std::unique_ptr<UploadFile>> UploadFile::CreateOrOpen(FileCalls* files, const LocalPlace& place,
                                                             const UploadFileName& name) {
  // Each round is lost to another process that published or dropped the same write in this very moment.
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    std::unique_ptr<UploadFile> file(new UploadFile(files, place.InHidden(name.ToString())));
    ARROW_RETURN_NOT_OK(CheckFile(file->OpenFile(O_CREAT), "make the upload", file->path_));
    ARROW_ASSIGN_OR_RAISE(const LockResult locked, file->Lock());
    if (locked == LockResult::kReplaced) continue;
    ARROW_ASSIGN_OR_RAISE(const bool published, file->IsAt(place.target));
    if (published) {
      // An earlier try was killed between link and unlink. The object stays as it is; we write a new file.
      ARROW_RETURN_NOT_OK(file->Unlink());
      continue;
    }
    Status status = file->RecordOwner(place, name);
    if (status.ok()) return file;
    files->Unlink(file->path_);
    return status;
  }
  return MakeError(ErrorKind::kTransient, "the upload '" + place.InHidden(name.ToString()) +
                                              "' is being published by other processes again and again; try again");
}

Status UploadFile::Unlink() {
  ARROW_ASSIGN_OR_RAISE(const bool named, IsAt(path_));
  if (!named) return Status::OK();
  const int rc = files_->Unlink(path_);
  return rc == -ENOENT ? Status::OK() : CheckFile(rc, "remove the upload", path_);
}

Status UploadFile::RemoveUploadAttributes() {
  for (const char* name : {kOwnerAttribute, kTargetAttribute}) {
    const int rc = files_->RemoveAttribute(fd(), name);
    if (rc == -ENODATA || NoAttributes(rc)) continue;
    ARROW_RETURN_NOT_OK(CheckFile(rc, "remove the attribute " + std::string(name) + " of", path_));
  }
  return Status::OK();
}

}  // namespace tailrace
