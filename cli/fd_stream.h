// Input from a descriptor: a pipe, a terminal, a file. What Arrow's own file classes lack: a read from a silent
// pipe can be stopped, and the end of the input is told apart from the end of the data in it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <arrow/io/interfaces.h>

#include "cli/input_watch.h"

namespace tailrace::cli {

// An open descriptor with the name that messages call it. Closes it, unless it is standard input.
class InputFd {
 public:
  // "-" is standard input. kNotFound, kDenied; kInvalid for a folder. A named pipe opens at once; its first read waits.
  static Result<std::shared_ptr<InputFd>> Open(const std::string& path);
  ~InputFd();
  InputFd(const InputFd&) = delete;
  InputFd& operator=(const InputFd&) = delete;

  int fd() const { return fd_; }
  const std::string& name() const { return name_; }
  // A regular file, read from its start: it has a size and can be read at any place.
  bool seekable() const { return size_.has_value(); }
  int64_t size() const { return size_.value_or(0); }

 private:
  InputFd(int fd, std::string name, std::optional<int64_t> size) : fd_(fd), name_(std::move(name)), size_(size) {}

  const int fd_;
  const std::string name_;
  const std::optional<int64_t> size_;
};

// Sequential reading. Not thread-safe.
class FdStream : public arrow::io::InputStream {
 public:
  // `watch` outlives this.
  FdStream(std::shared_ptr<InputFd> fd, InputWatch* watch);

  // Fills `nbytes`, fewer only at the end of the input.
  Result<int64_t> Read(int64_t nbytes, void* out) override;
  Result<std::shared_ptr<arrow::Buffer>> Read(int64_t nbytes) override;
  // What has come, at least one byte, or 0 at the end of the input; nullopt when nothing came within `max_wait`.
  Result<std::optional<int64_t>> ReadSome(int64_t nbytes, void* out, std::optional<std::chrono::milliseconds> max_wait);
  // The next bytes, fewer only at the end of the input; they stay unread.
  Result<std::string_view> Peek(int64_t nbytes) override;

  Status Close() override;
  Result<int64_t> Tell() const override { return position_; }
  bool closed() const override { return closed_; }
  // A read met the end of the input.
  bool met_end() const { return met_end_; }
  // Of a regular file; nullopt for a pipe.
  std::optional<int64_t> total_bytes() const {
    return fd_->seekable() ? std::optional<int64_t>(fd_->size()) : std::nullopt;
  }
  const std::string& name() const { return fd_->name(); }

 private:
  Result<std::optional<int64_t>> ReadFd(int64_t nbytes, void* out, std::optional<std::chrono::milliseconds> max_wait);

  const std::shared_ptr<InputFd> fd_;
  InputWatch* const watch_;
  std::string peeked_;
  int64_t position_ = 0;
  bool met_end_ = false;
  bool closed_ = false;
};

// Reading at any place of a regular file, counting the bytes. As thread-safe as pread.
Result<std::shared_ptr<arrow::io::RandomAccessFile>> MakeCountingFile(std::shared_ptr<InputFd> fd,
                                                                      std::shared_ptr<std::atomic<int64_t>> bytes_read);

}  // namespace tailrace::cli
