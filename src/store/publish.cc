#include "store/publish.h"

#include <cerrno>

#include "store/file_error.h"
#include "store/hidden_folder.h"
#include "store/object_facts.h"

namespace tailrace {
namespace {

Status Exists(const LocalPlace& place) {
  return MakeError(ErrorKind::kPrecondition,
                   "'" + place.target + "' exists already, and the overwrite policy forbids replacing it");
}

// For kernels and file systems without RENAME_NOREPLACE. The old name goes when the new one is durable; until then the
// file has both, which Publish, Open and SyncObject recognise.
Status LinkToTarget(FileCalls* files, const LocalPlace& place, UploadFile* file) {
  const int rc = files->Link(file->path(), place.target);
  if (rc == -EEXIST) return Exists(place);
  return CheckFile(rc, "publish, without replacing anything, the target", place.target);
}

Status RenameToTarget(FileCalls* files, const LocalPlace& place, UploadFile* file, const PutCondition& condition) {
  int rc;
  if (condition.if_absent) {
    rc = files->RenameIfAbsent(file->path(), place.target);
    if (rc == -ENOSYS || rc == -EINVAL || rc == -EOPNOTSUPP) return LinkToTarget(files, place, file);
    if (rc == -EEXIST) return Exists(place);
  } else {
    rc = files->Rename(file->path(), place.target);
  }
  if (rc == -ENOENT) {
    return MakeError(ErrorKind::kUploadGone, "the upload '" + file->path() + "', or the folder of its target, is gone");
  }
  return CheckFile(rc, "publish the upload as", place.target);
}

}  // namespace

Status CheckCondition(FileCalls* files, const LocalPlace& place, const PutCondition& condition) {
  if (!condition.if_absent && condition.if_match_etag.empty()) return Status::OK();
  FileFacts facts;
  const int rc = condition.if_absent ? files->StatLink(place.target, &facts) : files->Stat(place.target, &facts);
  if (rc != -ENOENT) ARROW_RETURN_NOT_OK(CheckFile(rc, "examine the target", place.target));
  if (condition.if_absent) return rc == -ENOENT ? Status::OK() : Exists(place);
  if (rc == -ENOENT || EtagOf(facts) != condition.if_match_etag) {
    return MakeError(ErrorKind::kPrecondition, "'" + place.target + "' is " +
                                                   (rc == -ENOENT ? "absent" : "another one") +
                                                   ", not the object with etag " + condition.if_match_etag);
  }
  return Status::OK();
}

Status Publish(FileCalls* files, const LocalPlace& place, UploadFile* file, const PutCondition& condition,
               bool sync_ancestors) {
  ARROW_ASSIGN_OR_RAISE(const bool ours_already, file->IsAt(place.target));
  if (!ours_already) {
    ARROW_RETURN_NOT_OK(CheckCondition(files, place, condition));
    const Status renamed = RenameToTarget(files, place, file, condition);
    if (!renamed.ok()) {
      // A file server can carry out a rename and lose its answer.
      ARROW_ASSIGN_OR_RAISE(const bool done, file->IsAt(place.target));
      if (!done) return renamed;
    }
  }
  ARROW_RETURN_NOT_OK(CheckFile(files->SyncFolder(place.folder), "sync the folder", place.folder));
  ARROW_RETURN_NOT_OK(file->Unlink());
  return SyncFolders(files, place, sync_ancestors);
}

}  // namespace tailrace
