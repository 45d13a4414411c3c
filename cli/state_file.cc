#include "cli/state_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/size_text.h"

namespace tailrace::cli {

namespace {

// Enough of a blob to tell what it is.
constexpr size_t kMagicBytes = 64;
constexpr std::string_view kPrevious = ".prev";

Status FileError(const std::string& path, const char* doing, int error) {
  ErrorKind kind = ErrorKind::kTransient;
  if (error == ENOENT || error == ENOTDIR) kind = ErrorKind::kNotFound;
  if (error == EACCES || error == EPERM || error == EROFS) kind = ErrorKind::kDenied;
  if (error == ENOSPC || error == EDQUOT) kind = ErrorKind::kNoSpace;
  if (error == EFBIG) kind = ErrorKind::kLimit;
  if (error == EISDIR) kind = ErrorKind::kInvalid;
  return MakeError(kind, path + ": cannot " + doing + ": " + std::strerror(error));
}

class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() {
    if (fd_ >= 0) close(fd_);
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

Status TooLarge(const std::string& path, int64_t max_bytes) {
  return MakeError(ErrorKind::kBadState,
                   path + ": is larger than " + SizeText(max_bytes) + ", so not what is read here");
}

// Whether the file may be a right one is asked of its first bytes, when they are there: a device never ends.
using CheckFirst = Status (*)(std::string_view first);

Result<std::string> ReadAll(const std::string& path, int fd, int64_t max_bytes, CheckFirst check) {
  std::string bytes;
  char piece[1 << 16];
  bool checked = false;
  while (true) {
    const ssize_t count = read(fd, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(path, "read it", errno);
    bytes.append(piece, static_cast<size_t>(count));
    if (!checked && (count == 0 || bytes.size() >= kMagicBytes)) {
      ARROW_RETURN_NOT_OK(WithContext(check(std::string_view(bytes).substr(0, kMagicBytes)), path));
      checked = true;
    }
    if (count == 0) return bytes;
    if (static_cast<int64_t>(bytes.size()) > max_bytes) return TooLarge(path, max_bytes);
  }
}

Result<std::string> ReadChecked(const std::string& path, int64_t max_bytes, CheckFirst check) {
  ARROW_RETURN_NOT_OK(CheckIsPath(path));
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) return FileError(path, "open it", errno);
  struct stat info{};
  if (fstat(fd.get(), &info) != 0) return FileError(path, "look at it", errno);
  if (S_ISDIR(info.st_mode)) return FileError(path, "read it", EISDIR);
  if (info.st_size > max_bytes) return TooLarge(path, max_bytes);
  return ReadAll(path, fd.get(), max_bytes, check);
}

// The temporary file, locked: of two processes that save to one path only one writes.
Status LockTemporary(const std::string& path, int fd) {
  if (fd < 0) return FileError(path, "write it", errno);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return MakeError(ErrorKind::kWriterAlive, path + ": another process is writing it at this moment");
  }
  struct stat opened{};
  struct stat named{};
  if (fstat(fd, &opened) != 0) return FileError(path, "look at it", errno);
  if (stat(path.c_str(), &named) != 0 || named.st_ino != opened.st_ino) {
    return MakeError(ErrorKind::kWriterAlive, path + ": another process has just written it");
  }
  return Status::OK();
}

Status WriteAll(const std::string& path, int fd, std::string_view bytes) {
  if (ftruncate(fd, 0) != 0) return FileError(path, "write it", errno);
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(path, "write it", errno);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  if (fsync(fd) != 0) return FileError(path, "sync it", errno);
  return Status::OK();
}

// PATH stays where it is meanwhile.
Status KeepPrevious(const std::string& path) {
  const std::string previous = path + std::string(kPrevious);
  const std::string step = previous + ".tmp";
  unlink(step.c_str());
  if (link(path.c_str(), step.c_str()) != 0) {
    if (errno == ENOENT) return Status::OK();
    // No hard links here: a copy.
    ARROW_ASSIGN_OR_RAISE(const std::string bytes, ReadSmallFile(path));
    Fd copy(open(step.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (copy.get() < 0) return FileError(step, "write it", errno);
    ARROW_RETURN_NOT_OK(WriteAll(step, copy.get(), bytes));
  }
  if (rename(step.c_str(), previous.c_str()) != 0) return FileError(previous, "rename to it", errno);
  return Status::OK();
}

Status SyncFolderOf(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0 || fsync(fd.get()) != 0) return FileError(folder, "sync the folder", errno);
  return Status::OK();
}

// Not a pipe or a device.
bool MayHaveMark(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
}

// A mark counts only for the write it names: a new write may use the file again.
bool HasMark(const std::string& path, const WriteId& write_id) {
  const auto text = ReadSmallFile(path);
  if (!text.ok()) return false;
  const auto mark = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  return mark.is_object() && mark.contains("write_id") && mark["write_id"] == write_id.text;
}

}  // namespace

Status CheckIsPath(const std::string& path) {
  const size_t scheme = path.find("://");
  if (scheme == std::string::npos || path.find('/') < scheme) return Status::OK();
  return MakeError(ErrorKind::kInvalid,
                   "a URL of scheme '" + path.substr(0, scheme) + "' stands where a local file is read; give its path");
}

Result<std::string> ReadSmallFile(const std::string& path, int64_t max_bytes) {
  return ReadChecked(path, max_bytes, [](std::string_view) { return Status::OK(); });
}

Result<std::string> ReadBlobFile(const std::string& path) {
  return ReadChecked(path, kMaxStateBytes, [](std::string_view first) { return KindOfBlob(first).status(); });
}

Status SaveSmallFile(const std::string& path, std::string_view bytes, Previous previous) {
  const std::string temporary = path + ".tmp";
  Fd fd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  ARROW_RETURN_NOT_OK(LockTemporary(temporary, fd.get()));
  const Status written = WriteAll(temporary, fd.get(), bytes);
  if (!written.ok()) {
    unlink(temporary.c_str());
    return written;
  }
  if (previous == Previous::kKeep) ARROW_RETURN_NOT_OK(KeepPrevious(path));
  if (rename(temporary.c_str(), path.c_str()) != 0) return FileError(path, "rename to it", errno);
  return SyncFolderOf(path);
}

Result<WriterState> LoadState(const std::string& path) {
  const auto bytes = ReadBlobFile(path);
  auto state = bytes.ok() ? WriterState::FromBytes(*bytes) : Result<WriterState>(bytes.status());
  if (state.ok()) return state;
  const Status status = bytes.ok() ? WithContext(state.status(), path) : bytes.status();
  if (KindOf(status) != ErrorKind::kBadState) return status;
  const auto before = ReadBlobFile(path + ".prev");
  const auto previous = before.ok() ? WriterState::FromBytes(*before) : Result<WriterState>(before.status());
  if (!previous.ok()) return status;
  return status.WithMessage(status.message() + "; the state before it is whole: " + path + ".prev, with " +
                            std::to_string(previous->rows()) + " rows");
}

Result<PendingCommit> LoadPending(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const std::string bytes, ReadBlobFile(path));
  auto pending = PendingCommit::FromBytes(bytes);
  if (!pending.ok()) return WithContext(pending.status(), path);
  return pending;
}

Status MarkCommitted(const std::string& path, const WriteId& write_id, const std::string& url, const CommitInfo& info) {
  if (!MayHaveMark(path)) return Status::OK();
  const nlohmann::json mark = {{"write_id", write_id.text},
                               {"url", url},
                               {"rows", info.rows},
                               {"size_bytes", info.size_bytes},
                               {"etag", info.etag}};
  return SaveSmallFile(path + ".committed", mark.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                       Previous::kDrop);
}

Status MarkAborted(const std::string& path, const WriteId& write_id) {
  if (!MayHaveMark(path)) return Status::OK();
  const nlohmann::json mark = {{"write_id", write_id.text}};
  return SaveSmallFile(path + ".aborted", mark.dump() + "\n", Previous::kDrop);
}

bool IsMarkedAborted(const std::string& path, const WriteId& write_id) { return HasMark(path + ".aborted", write_id); }

bool HasEnded(const std::string& path, const WriteId& write_id) {
  const std::string file = path.ends_with(kPrevious) ? path.substr(0, path.size() - kPrevious.size()) : path;
  return HasMark(file + ".committed", write_id) || HasMark(file + ".aborted", write_id);
}

Result<std::optional<std::string>> UnfinishedWriteIn(const std::string& path) {
  // Not ours to overwrite unless it is empty, as a touched file is.
  const auto whatever = ReadSmallFile(path, 0);
  if (whatever.ok()) return std::nullopt;
  if (KindOf(whatever.status()) == ErrorKind::kNotFound) return std::nullopt;
  const auto bytes = ReadBlobFile(path);
  if (!bytes.ok() && KindOf(bytes.status()) != ErrorKind::kBadState) return bytes.status();
  const auto state = bytes.ok() ? WriterState::FromBytes(*bytes) : Result<WriterState>(bytes.status());
  const auto pending = bytes.ok() && !state.ok() ? PendingCommit::FromBytes(*bytes) : PendingCommit{};
  if (!state.ok() && (!bytes.ok() || !pending.ok())) {
    return std::optional<std::string>("something that is no readable state");
  }
  const WriteId& write_id = state.ok() ? state->write_id : pending->write_id;
  if (HasEnded(path, write_id)) return std::nullopt;
  const std::string url = state.ok() ? state->target.ToUrl() : pending->target.ToUrl();
  const int64_t rows = state.ok() ? state->rows() : pending->rows;
  return std::optional<std::string>("an unfinished write of " + url + " with " + std::to_string(rows) + " rows");
}

}  // namespace tailrace::cli
