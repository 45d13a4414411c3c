#include "store/file_error.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace tailrace {
namespace {

struct Meaning {
  ErrorKind kind;
  std::string_view advice;
};

Meaning MeaningOf(int error) {
  switch (error) {
    case ENOSPC:
      return {ErrorKind::kNoSpace, "free space on that file system and try again"};
    case EDQUOT:
      return {ErrorKind::kNoSpace, "the quota of this user is used up: free space or raise it, and try again"};
    case EACCES:
    case EPERM:
      return {ErrorKind::kDenied, "check the owner and permissions of the file and its folders"};
    case EROFS:
      return {ErrorKind::kDenied, "the file system is mounted read-only"};
    case ENOENT:
      return {ErrorKind::kNotFound, "check that the path exists"};
    case EISDIR:
      return {ErrorKind::kInvalid, "a folder is where a file should be"};
    case ENOTDIR:
      return {ErrorKind::kInvalid, "a file is where a folder should be"};
    case ENAMETOOLONG:
      return {ErrorKind::kInvalid, "use a shorter name (most file systems take 255 bytes a name, 4095 a path)"};
    case ELOOP:
      return {ErrorKind::kInvalid, "a symbolic link is in the way"};
    case EXDEV:
      return {ErrorKind::kInvalid, "the hidden folder and the target must be on one file system"};
    case EOPNOTSUPP:
    case ENOSYS:
    case EINVAL:
    case ENXIO:
      return {ErrorKind::kInvalid, "this file system does not support it"};
    case EFBIG:
      return {ErrorKind::kLimit,
              "the largest file size of the file system, or of this process (ulimit -f), is reached"};
    case EMFILE:
      return {ErrorKind::kTransient, "this process has too many open files: raise its limit (ulimit -n)"};
    case ENFILE:
      return {ErrorKind::kTransient, "the system has too many open files"};
    case EBADF:
    case EFAULT:
      return {ErrorKind::kInternal, "this is a bug, please report it"};
    default:
      return {ErrorKind::kTransient, "try again; if it stays, look at the disk or the file server"};
  }
}

}  // namespace

ErrorKind KindOfErrno(int error) { return MeaningOf(std::abs(error)).kind; }

Status FileError(std::string_view action, const std::string& path, int error) {
  error = std::abs(error);
  const Meaning meaning = MeaningOf(error);
  std::string message = "cannot " + std::string(action) + " '" + path + "': ";
  message += std::generic_category().message(error);
  message += "; " + std::string(meaning.advice);
  return MakeError(meaning.kind, std::move(message));
}

Status CheckFile(int64_t rc, std::string_view action, const std::string& path) {
  return rc < 0 ? FileError(action, path, static_cast<int>(rc)) : Status::OK();
}

}  // namespace tailrace
