#include "cli/fd_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <arrow/buffer.h>

namespace tailrace::cli {

namespace {

Status ErrnoError(const std::string& name, const char* doing, int error) {
  ErrorKind kind = ErrorKind::kTransient;
  if (error == ENOENT || error == ENOTDIR) kind = ErrorKind::kNotFound;
  if (error == EACCES || error == EPERM) kind = ErrorKind::kDenied;
  if (error == EISDIR) kind = ErrorKind::kInvalid;
  return MakeError(kind, name + ": cannot " + doing + ": " + std::strerror(error));
}

}  // namespace

Result<std::shared_ptr<InputFd>> InputFd::Open(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  // Non-blocking so that a named pipe without a writer does not hold us where no signal can end it; reads are
  // preceded by poll in any case.
  const int fd = standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return ErrnoError(name, "open it", errno);
  struct stat info{};
  if (fstat(fd, &info) != 0) {
    const int error = errno;
    if (!standard) close(fd);
    return ErrnoError(name, "look at it", error);
  }
  std::optional<int64_t> size;
  if (S_ISREG(info.st_mode) && lseek(fd, 0, SEEK_CUR) == 0) size = info.st_size;
  auto opened = std::shared_ptr<InputFd>(new InputFd(fd, name, size));
  if (S_ISDIR(info.st_mode)) return ErrnoError(name, "read it", EISDIR);
  return opened;
}

InputFd::~InputFd() {
  if (fd_ != STDIN_FILENO) close(fd_);
}

FdStream::FdStream(std::shared_ptr<InputFd> fd, InputWatch* watch) : fd_(std::move(fd)), watch_(watch) {}

Result<std::optional<int64_t>> FdStream::ReadFd(int64_t nbytes, void* out,
                                                std::optional<std::chrono::milliseconds> max_wait) {
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool readable, watch_->WaitReadable(fd_->fd(), max_wait));
    if (!readable) return std::nullopt;
    const ssize_t count = read(fd_->fd(), out, static_cast<size_t>(nbytes));
    if (count >= 0) {
      if (count == 0 && nbytes > 0) met_end_ = true;
      return count;
    }
    if (errno != EINTR && errno != EAGAIN) return ErrnoError(name(), "read it", errno);
  }
}

Result<std::optional<int64_t>> FdStream::ReadSome(int64_t nbytes, void* out,
                                                  std::optional<std::chrono::milliseconds> max_wait) {
  if (!peeked_.empty()) {
    const int64_t count = std::min<int64_t>(nbytes, static_cast<int64_t>(peeked_.size()));
    std::memcpy(out, peeked_.data(), static_cast<size_t>(count));
    peeked_.erase(0, static_cast<size_t>(count));
    position_ += count;
    return count;
  }
  ARROW_ASSIGN_OR_RAISE(const std::optional<int64_t> count, ReadFd(nbytes, out, max_wait));
  position_ += count.value_or(0);
  return count;
}

Result<int64_t> FdStream::Read(int64_t nbytes, void* out) {
  int64_t filled = 0;
  while (filled < nbytes) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<int64_t> count,
                          ReadSome(nbytes - filled, static_cast<char*>(out) + filled, std::nullopt));
    if (*count == 0) break;
    filled += *count;
  }
  return filled;
}

Result<std::shared_ptr<arrow::Buffer>> FdStream::Read(int64_t nbytes) {
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::ResizableBuffer> buffer, arrow::AllocateResizableBuffer(nbytes));
  ARROW_ASSIGN_OR_RAISE(const int64_t filled, Read(nbytes, buffer->mutable_data()));
  ARROW_RETURN_NOT_OK(buffer->Resize(filled, /*shrink_to_fit=*/false));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

Result<std::string_view> FdStream::Peek(int64_t nbytes) {
  while (static_cast<int64_t>(peeked_.size()) < nbytes && !met_end_) {
    char bytes[512];
    const int64_t wanted = std::min<int64_t>(nbytes - static_cast<int64_t>(peeked_.size()), sizeof bytes);
    ARROW_ASSIGN_OR_RAISE(const std::optional<int64_t> count, ReadFd(wanted, bytes, std::nullopt));
    peeked_.append(bytes, static_cast<size_t>(*count));
  }
  return std::string_view(peeked_).substr(0, static_cast<size_t>(nbytes));
}

Status FdStream::Close() {
  closed_ = true;
  return Status::OK();
}

namespace {

class CountingFile : public arrow::io::RandomAccessFile {
 public:
  CountingFile(std::shared_ptr<InputFd> fd, std::shared_ptr<std::atomic<int64_t>> bytes_read)
      : fd_(std::move(fd)), bytes_read_(std::move(bytes_read)) {}

  Result<int64_t> ReadAt(int64_t position, int64_t nbytes, void* out) override {
    int64_t filled = 0;
    while (filled < nbytes) {
      const ssize_t count =
          pread(fd_->fd(), static_cast<char*>(out) + filled, static_cast<size_t>(nbytes - filled), position + filled);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return ErrnoError(fd_->name(), "read it", errno);
      if (count == 0) break;
      filled += count;
    }
    bytes_read_->fetch_add(filled);
    return filled;
  }
  Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t nbytes) override {
    ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::ResizableBuffer> buffer, arrow::AllocateResizableBuffer(nbytes));
    ARROW_ASSIGN_OR_RAISE(const int64_t filled, ReadAt(position, nbytes, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(filled, /*shrink_to_fit=*/false));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }
  Result<int64_t> Read(int64_t nbytes, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t count, ReadAt(position_, nbytes, out));
    position_ += count;
    return count;
  }
  Result<std::shared_ptr<arrow::Buffer>> Read(int64_t nbytes) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, nbytes));
    position_ += buffer->size();
    return buffer;
  }
  Status Seek(int64_t position) override {
    position_ = position;
    return Status::OK();
  }
  Result<int64_t> GetSize() override { return fd_->size(); }
  Result<int64_t> Tell() const override { return position_; }
  Status Close() override {
    closed_ = true;
    return Status::OK();
  }
  bool closed() const override { return closed_; }

 private:
  const std::shared_ptr<InputFd> fd_;
  const std::shared_ptr<std::atomic<int64_t>> bytes_read_;
  int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace

Result<std::shared_ptr<arrow::io::RandomAccessFile>> MakeCountingFile(
    std::shared_ptr<InputFd> fd, std::shared_ptr<std::atomic<int64_t>> bytes_read) {
  if (!fd->seekable()) {
    return MakeError(ErrorKind::kInvalid, fd->name() + ": only a file can be read at any place, not a pipe");
  }
  return std::make_shared<CountingFile>(std::move(fd), std::move(bytes_read));
}

}  // namespace tailrace::cli
