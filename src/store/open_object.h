// A published object, open for reading.
#pragma once

#include <string>

#include <arrow/result.h>

#include "store/file_calls.h"
#include "store/local_place.h"

namespace tailrace {

// Closes its descriptor. Holds no lock: a published object never changes, it is only replaced.
class OpenObject {
 public:
  // kNotFound where there is none; kInvalid where it is a folder or anything but a regular file.
  static Result<OpenObject> Open(FileCalls* files, const LocalPlace& place);
  OpenObject(OpenObject&& other) noexcept : files_(other.files_), fd_(other.fd_), facts_(other.facts_) {
    other.fd_ = -1;
  }
  ~OpenObject() {
    if (fd_ >= 0) files_->Close(fd_);
  }
  OpenObject(const OpenObject&) = delete;
  OpenObject& operator=(const OpenObject&) = delete;
  OpenObject& operator=(OpenObject&&) = delete;

  int fd() const { return fd_; }
  const FileFacts& facts() const { return facts_; }

 private:
  OpenObject(FileCalls* files, int fd) : files_(files), fd_(fd) {}

  FileCalls* files_;
  int fd_;
  FileFacts facts_;
};

}  // namespace tailrace
