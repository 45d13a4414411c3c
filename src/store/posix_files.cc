#include "store/posix_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace tailrace {
namespace {

// Calls until a signal does not get in the way.
template <typename Call>
auto Retry(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

template <typename Call>
int ZeroOrErrno(Call call) {
  return Retry(call) < 0 ? -errno : 0;
}

FileFacts FactsOf(const struct stat& st) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  return {.device = st.st_dev,
          .inode = st.st_ino,
          .size_bytes = st.st_size,
          .mtime_ns = st.st_mtim.tv_sec * kNanosPerSecond + st.st_mtim.tv_nsec,
          .mode = st.st_mode,
          .user = st.st_uid};
}

}  // namespace

bool FileFacts::is_folder() const { return S_ISDIR(mode); }
bool FileFacts::is_regular() const { return S_ISREG(mode); }

PosixFiles* PosixFiles::Get() {
  static PosixFiles files;
  return &files;
}

int PosixFiles::Open(const std::string& path, int flags, uint32_t mode) {
  const int fd = Retry([&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode); });
  return fd < 0 ? -errno : fd;
}

int PosixFiles::Close(int fd) {
  // Never again after EINTR: Linux has closed the descriptor by then, and another thread may own its number.
  return ::close(fd) < 0 && errno != EINTR ? -errno : 0;
}

int64_t PosixFiles::WriteSome(int fd, const iovec* pieces, int count, int64_t offset) {
  const ssize_t written = Retry([&] { return ::pwritev(fd, pieces, count, offset); });
  return written < 0 ? -errno : written;
}

int PosixFiles::WriteAt(int fd, std::span<const iovec> pieces, int64_t offset) {
  std::vector<iovec> rest(pieces.begin(), pieces.end());
  for (size_t first = 0; first < rest.size();) {
    if (rest[first].iov_len == 0) {
      ++first;
      continue;
    }
    const int count = static_cast<int>(std::min<size_t>(rest.size() - first, IOV_MAX));
    int64_t written = WriteSome(fd, &rest[first], count, offset);
    if (written < 0) return static_cast<int>(written);
    if (written == 0) return -EIO;  // no file does this; it would be tried for ever
    offset += written;
    for (; written > 0 && written >= static_cast<int64_t>(rest[first].iov_len); ++first) {
      written -= static_cast<int64_t>(rest[first].iov_len);
    }
    if (written > 0) {
      rest[first].iov_base = static_cast<char*>(rest[first].iov_base) + written;
      rest[first].iov_len -= written;
    }
  }
  return 0;
}

int64_t PosixFiles::ReadAt(int fd, void* out, int64_t size, int64_t offset) {
  int64_t done = 0;
  while (done < size) {
    const ssize_t got = Retry([&] { return ::pread(fd, static_cast<char*>(out) + done, size - done, offset + done); });
    if (got < 0) return -errno;
    if (got == 0) break;
    done += got;
  }
  return done;
}

int PosixFiles::Truncate(int fd, int64_t size) {
  return ZeroOrErrno([&] { return ::ftruncate(fd, size); });
}

int PosixFiles::SyncData(int fd) {
  return ZeroOrErrno([&] { return ::fdatasync(fd); });
}

int PosixFiles::SyncFile(int fd) {
  return ZeroOrErrno([&] { return ::fsync(fd); });
}

int PosixFiles::SyncFolder(const std::string& path) {
  const int fd = Open(path, O_RDONLY | O_DIRECTORY, 0);
  if (fd < 0) return fd;
  const int rc = SyncFile(fd);
  Close(fd);
  // Some file systems (9p, some FUSE) cannot sync a folder and say so with EINVAL; their names are as durable as they
  // get.
  return rc == -EINVAL ? 0 : rc;
}

int PosixFiles::StatFile(int fd, FileFacts* facts) {
  struct stat st;
  if (::fstat(fd, &st) < 0) return -errno;
  *facts = FactsOf(st);
  return 0;
}

int PosixFiles::Stat(const std::string& path, FileFacts* facts) {
  struct stat st;
  if (::stat(path.c_str(), &st) < 0) return -errno;
  *facts = FactsOf(st);
  return 0;
}

int PosixFiles::StatLink(const std::string& path, FileFacts* facts) {
  struct stat st;
  if (::lstat(path.c_str(), &st) < 0) return -errno;
  *facts = FactsOf(st);
  return 0;
}

int PosixFiles::MayWriteTo(const std::string& folder) {
  return ZeroOrErrno([&] { return ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS); });
}

int PosixFiles::Rename(const std::string& from, const std::string& to) {
  return ZeroOrErrno([&] { return ::rename(from.c_str(), to.c_str()); });
}

int PosixFiles::RenameIfAbsent(const std::string& from, const std::string& to) {
  return ZeroOrErrno([&] { return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE); });
}

int PosixFiles::Link(const std::string& from, const std::string& to) {
  return ZeroOrErrno([&] { return ::link(from.c_str(), to.c_str()); });
}

int PosixFiles::Unlink(const std::string& path) {
  return ZeroOrErrno([&] { return ::unlink(path.c_str()); });
}

int PosixFiles::MakeFolder(const std::string& path, uint32_t mode) {
  return ZeroOrErrno([&] { return ::mkdir(path.c_str(), mode); });
}

int PosixFiles::ChangeMode(const std::string& path, uint32_t mode) {
  return ZeroOrErrno([&] { return ::chmod(path.c_str(), mode); });
}

int PosixFiles::ListFolder(const std::string& path, std::vector<std::string>* names) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (folder == nullptr) return -errno;
  names->clear();
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr) return -errno;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names->push_back(name);
  }
}

int PosixFiles::Lock(int fd) {
  return ZeroOrErrno([&] { return ::flock(fd, LOCK_EX | LOCK_NB); });
}

int PosixFiles::GetAttribute(int fd, const std::string& name, std::string* value) {
  // All our values are far shorter; a longer one (ERANGE) is not ours.
  char buffer[1024];
  const ssize_t size = Retry([&] { return ::fgetxattr(fd, name.c_str(), buffer, sizeof buffer); });
  if (size < 0) return -errno;
  value->assign(buffer, static_cast<size_t>(size));
  return 0;
}

int PosixFiles::SetAttribute(int fd, const std::string& name, const std::string& value) {
  return ZeroOrErrno([&] { return ::fsetxattr(fd, name.c_str(), value.data(), value.size(), 0); });
}

int PosixFiles::RemoveAttribute(int fd, const std::string& name) {
  return ZeroOrErrno([&] { return ::fremovexattr(fd, name.c_str()); });
}

}  // namespace tailrace
