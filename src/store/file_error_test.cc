#include "store/file_error.h"

#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace {
namespace {

using ::testing::HasSubstr;

TEST(FileError, KindSaysWhatTheCallerCanDo) {
  const struct {
    int error;
    ErrorKind kind;
  } rows[] = {
      {ENOSPC, ErrorKind::kNoSpace},   {EDQUOT, ErrorKind::kNoSpace},      {EACCES, ErrorKind::kDenied},
      {EPERM, ErrorKind::kDenied},     {EROFS, ErrorKind::kDenied},        {ENOENT, ErrorKind::kNotFound},
      {EISDIR, ErrorKind::kInvalid},   {ENOTDIR, ErrorKind::kInvalid},     {ENAMETOOLONG, ErrorKind::kInvalid},
      {ELOOP, ErrorKind::kInvalid},    {EXDEV, ErrorKind::kInvalid},       {EOPNOTSUPP, ErrorKind::kInvalid},
      {EFBIG, ErrorKind::kLimit},      {EIO, ErrorKind::kTransient},       {EMFILE, ErrorKind::kTransient},
      {ESTALE, ErrorKind::kTransient}, {ETIMEDOUT, ErrorKind::kTransient}, {ENOMEM, ErrorKind::kTransient},
      {EBADF, ErrorKind::kInternal},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(KindOfErrno(row.error), row.kind) << row.error;
    EXPECT_EQ(KindOf(FileError("open", "/x", row.error)), row.kind) << row.error;
    // As FileCalls returns it.
    EXPECT_EQ(KindOf(CheckFile(-row.error, "open", "/x")), row.kind) << row.error;
  }
}

TEST(FileError, NamesOperationPathReasonAndAdvice) {
  EXPECT_EQ(FileError("write part 3 to", "/data/x", ENOSPC).message(),
            "cannot write part 3 to '/data/x': No space left on device; free space on that file system and try again");
}

TEST(FileError, OtherDeviceIsSaidInClearWords) {
  EXPECT_THAT(FileError("publish the upload as", "/data/x", EXDEV).message(), HasSubstr("one file system"));
}

TEST(FileError, WhatSucceededIsOk) {
  EXPECT_TRUE(CheckFile(0, "open", "/x").ok());
  EXPECT_TRUE(CheckFile(12, "open", "/x").ok());
}

}  // namespace
}  // namespace tailrace
