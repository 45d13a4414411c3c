#include "store/hidden_folder.h"

#include <cerrno>
#include <string>
#include <vector>

#include "store/file_error.h"

namespace tailrace {
namespace {

constexpr uint32_t kPermissionBits = 07777;

std::string ParentOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

// As `mkdir -p`.
Status MakeFolders(FileCalls* files, const std::string& folder) {
  const int rc = files->MakeFolder(folder, 0777);
  if (rc == -EEXIST) return Status::OK();
  if (rc != -ENOENT || folder == "/") return CheckFile(rc, "make the folder", folder);
  ARROW_RETURN_NOT_OK(MakeFolders(files, ParentOf(folder)));
  const int again = files->MakeFolder(folder, 0777);
  return again == -EEXIST ? Status::OK() : CheckFile(again, "make the folder", folder);
}

Status CheckTarget(FileCalls* files, const LocalPlace& place) {
  FileFacts facts;
  const int rc = files->Stat(place.target, &facts);
  if (rc == -ENOENT) return Status::OK();
  ARROW_RETURN_NOT_OK(CheckFile(rc, "examine the target", place.target));
  if (facts.is_regular()) return Status::OK();
  return MakeError(ErrorKind::kInvalid, "the target '" + place.target + "' is " +
                                            (facts.is_folder() ? "a folder" : "not a regular file") +
                                            ", which cannot be replaced by an object; choose another name");
}

Result<FileFacts> CheckFolder(FileCalls* files, const LocalPlace& place) {
  FileFacts facts;
  const int rc = files->Stat(place.folder, &facts);
  if (rc == -ENOENT) {
    return MakeError(ErrorKind::kNotFound, "the folder '" + place.folder + "' of the target '" + place.target +
                                               "' does not exist; make it, or set create_folders");
  }
  ARROW_RETURN_NOT_OK(CheckFile(rc, "examine the folder", place.folder));
  if (!facts.is_folder()) return FileError("use as a folder", place.folder, ENOTDIR);
  // Without this right the upload could be written, in a hidden folder made earlier, but never be published.
  ARROW_RETURN_NOT_OK(CheckFile(files->MayWriteTo(place.folder), "write to the folder", place.folder));
  return facts;
}

}  // namespace

Status PrepareFolders(FileCalls* files, const LocalPlace& place, bool create_folders) {
  ARROW_RETURN_NOT_OK(CheckTarget(files, place));
  FileFacts there;
  if (create_folders && files->Stat(place.folder, &there) == -ENOENT) {
    ARROW_RETURN_NOT_OK(MakeFolders(files, place.folder));
  }
  ARROW_ASSIGN_OR_RAISE(const FileFacts folder, CheckFolder(files, place));
  const uint32_t mode = folder.mode & kPermissionBits;
  int rc = files->MakeFolder(place.hidden, mode);
  const bool made = rc == 0;
  if (rc == -EEXIST) rc = 0;
  ARROW_RETURN_NOT_OK(CheckFile(rc, "make the folder for uploads", place.hidden));
  FileFacts hidden;
  ARROW_RETURN_NOT_OK(CheckFile(files->StatLink(place.hidden, &hidden), "examine", place.hidden));
  if (!hidden.is_folder()) {
    return MakeError(ErrorKind::kInvalid,
                     "'" + place.hidden + "' must be the folder for uploads but is a file or link; move it away");
  }
  if (hidden.device != folder.device) {
    return MakeError(ErrorKind::kInvalid, "'" + place.hidden + "' is on another device than '" + place.folder +
                                              "', so that nothing in it can be renamed to its target; unmount it");
  }
  if (made && (hidden.mode & kPermissionBits) != mode) {
    // The umask took some. Without them only this user could write here: good enough, so no error.
    files->ChangeMode(place.hidden, mode);
  }
  return Status::OK();
}

Status CheckPlace(FileCalls* files, const LocalPlace& place, bool create_folders) {
  ARROW_RETURN_NOT_OK(CheckTarget(files, place));
  FileFacts there;
  if (create_folders && files->Stat(place.folder, &there) == -ENOENT) return Status::OK();
  return CheckFolder(files, place).status();
}

Status SyncTargetFolder(FileCalls* files, const LocalPlace& place, bool ancestors) {
  ARROW_RETURN_NOT_OK(CheckFile(files->SyncFolder(place.folder), "sync the folder", place.folder));
  if (!ancestors) return Status::OK();
  FileFacts below;
  ARROW_RETURN_NOT_OK(CheckFile(files->Stat(place.folder, &below), "examine the folder", place.folder));
  for (std::string path = place.folder; path != "/";) {
    path = ParentOf(path);
    FileFacts facts;
    ARROW_RETURN_NOT_OK(CheckFile(files->Stat(path, &facts), "examine the folder", path));
    if (facts.device != below.device) break;
    const int rc = files->SyncFolder(path);
    // We can make folders only where we may write; what we may not even read was there before.
    if (rc != -EACCES) ARROW_RETURN_NOT_OK(CheckFile(rc, "sync the folder", path));
  }
  return Status::OK();
}

Status SyncFolders(FileCalls* files, const LocalPlace& place, bool ancestors) {
  ARROW_RETURN_NOT_OK(CheckFile(files->SyncFolder(place.hidden), "sync the folder", place.hidden));
  return SyncTargetFolder(files, place, ancestors);
}

Status SettleHiddenFolder(FileCalls* files, const LocalPlace& place, const FileFacts& object) {
  std::vector<std::string> names;
  const int rc = files->ListFolder(place.hidden, &names);
  // What we may not see is for another user to tidy up.
  if (rc == -ENOENT || rc == -EACCES) return Status::OK();
  ARROW_RETURN_NOT_OK(CheckFile(rc, "list the folder", place.hidden));
  for (const std::string& name : names) {
    const std::string path = place.InHidden(name);
    FileFacts facts;
    if (!UploadFileName::Parse(name) || files->StatLink(path, &facts) < 0 || !facts.SameFile(object)) continue;
    const int unlinked = files->Unlink(path);
    if (unlinked != -ENOENT) ARROW_RETURN_NOT_OK(CheckFile(unlinked, "remove the upload", path));
  }
  // Also where there was none: a rename is sure to last only when both its folders are synced.
  return CheckFile(files->SyncFolder(place.hidden), "sync the folder", place.hidden);
}

}  // namespace tailrace
