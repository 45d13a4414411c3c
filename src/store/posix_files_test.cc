#include "store/posix_files.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/temp_folder.h"

namespace tailrace {
namespace {

// Writes a few bytes at a time, as a kernel may.
class SlowFiles : public PosixFiles {
 public:
  std::vector<int> counts;

 protected:
  int64_t WriteSome(int fd, const iovec* pieces, int count, int64_t offset) override {
    counts.push_back(count);
    const iovec piece{pieces[0].iov_base, std::min<size_t>(pieces[0].iov_len, 3)};
    return PosixFiles::WriteSome(fd, &piece, 1, offset);
  }
};

class PosixFilesTest : public ::testing::Test {
 protected:
  int OpenNew(FileCalls* files, const std::string& name) {
    const int fd = files->Open(folder_.PathOf(name), O_RDWR | O_CREAT | O_EXCL, 0666);
    EXPECT_GE(fd, 0);
    return fd;
  }

  TempFolder folder_;
  PosixFiles files_;
};

TEST_F(PosixFilesTest, PartialWritesAreGoneOnWith) {
  SlowFiles files;
  const int fd = OpenNew(&files, "f");
  std::string a = "0123456", empty, b = "ab", c = "ABCDEFGHIJ";
  const std::vector<iovec> pieces{
      {a.data(), a.size()}, {empty.data(), 0}, {b.data(), b.size()}, {c.data(), c.size()}, {empty.data(), 0}};
  EXPECT_EQ(files.WriteAt(fd, pieces, 5), 0);
  files.Close(fd);
  EXPECT_EQ(folder_.Read("f"), std::string("\0\0\0\0\0", 5).append("0123456abABCDEFGHIJ"));
  EXPECT_GT(files.counts.size(), 7u);
}

TEST_F(PosixFilesTest, WritesMorePiecesThanOneCallTakes) {
  const int fd = OpenNew(&files_, "f");
  std::string expected;
  std::vector<std::string> texts;
  for (int i = 0; i < 2 * IOV_MAX + 7; ++i) texts.push_back(std::to_string(i) + ",");
  std::vector<iovec> pieces;
  for (std::string& text : texts) {
    expected += text;
    pieces.push_back({text.data(), text.size()});
  }
  EXPECT_EQ(files_.WriteAt(fd, pieces, 0), 0);
  files_.Close(fd);
  EXPECT_EQ(folder_.Read("f"), expected);
}

TEST_F(PosixFilesTest, ReadsFewerBytesOnlyAtTheEnd) {
  folder_.Write("f", "0123456789");
  const int fd = files_.Open(folder_.PathOf("f"), O_RDONLY, 0);
  char out[8] = {};
  EXPECT_EQ(files_.ReadAt(fd, out, 4, 3), 4);
  EXPECT_EQ(std::string(out, 4), "3456");
  EXPECT_EQ(files_.ReadAt(fd, out, 8, 6), 4);
  EXPECT_EQ(files_.ReadAt(fd, out, 8, 10), 0);
  EXPECT_EQ(files_.ReadAt(fd, out, 8, 100), 0);
  files_.Close(fd);
}

TEST_F(PosixFilesTest, ErrorsAreNegative) {
  FileFacts facts;
  std::vector<std::string> names;
  EXPECT_EQ(files_.Open(folder_.PathOf("f"), O_RDONLY, 0), -ENOENT);
  EXPECT_EQ(files_.Stat(folder_.PathOf("f"), &facts), -ENOENT);
  EXPECT_EQ(files_.StatLink(folder_.PathOf("f"), &facts), -ENOENT);
  EXPECT_EQ(files_.Unlink(folder_.PathOf("f")), -ENOENT);
  EXPECT_EQ(files_.Rename(folder_.PathOf("f"), folder_.PathOf("g")), -ENOENT);
  EXPECT_EQ(files_.Link(folder_.PathOf("f"), folder_.PathOf("g")), -ENOENT);
  EXPECT_EQ(files_.SyncFolder(folder_.PathOf("f")), -ENOENT);
  EXPECT_EQ(files_.ListFolder(folder_.PathOf("f"), &names), -ENOENT);
  EXPECT_EQ(files_.MakeFolder(folder_.path(), 0777), -EEXIST);
  EXPECT_EQ(files_.MayWriteTo(folder_.PathOf("f")), -ENOENT);
  EXPECT_EQ(files_.ReadAt(-1, nullptr, 1, 0), -EBADF);
  EXPECT_EQ(files_.SyncFile(-1), -EBADF);
  EXPECT_EQ(files_.Lock(-1), -EBADF);
}

TEST_F(PosixFilesTest, AFolderListsItsNames) {
  folder_.Write("b", "");
  folder_.Write(".a", "");
  std::vector<std::string> names{"old"};
  EXPECT_EQ(files_.ListFolder(folder_.path(), &names), 0);
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("b", ".a"));
}

TEST_F(PosixFilesTest, RenameIfAbsentReplacesNothing) {
  folder_.Write("new", "new");
  folder_.Write("old", "old");
  EXPECT_EQ(files_.RenameIfAbsent(folder_.PathOf("new"), folder_.PathOf("old")), -EEXIST);
  EXPECT_EQ(folder_.Read("old"), "old");
  EXPECT_EQ(files_.RenameIfAbsent(folder_.PathOf("new"), folder_.PathOf("other")), 0);
  EXPECT_EQ(folder_.Read("other"), "new");
}

TEST_F(PosixFilesTest, ALockIsOfTheOpenFileAndEndsWithIt) {
  folder_.Write("f", "");
  const int one = files_.Open(folder_.PathOf("f"), O_RDWR, 0);
  const int two = files_.Open(folder_.PathOf("f"), O_RDWR, 0);
  EXPECT_EQ(files_.Lock(one), 0);
  EXPECT_EQ(files_.Lock(two), -EWOULDBLOCK);
  files_.Close(one);
  EXPECT_EQ(files_.Lock(two), 0);
  files_.Close(two);
}

TEST_F(PosixFilesTest, DescriptorsDoNotPassExec) {
  const int fd = OpenNew(&files_, "f");
  EXPECT_EQ(::fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  files_.Close(fd);
}

TEST_F(PosixFilesTest, FactsTellFoldersLinksAndFilesApart) {
  folder_.Write("f", "12345");
  std::filesystem::create_symlink("f", folder_.PathOf("link"));
  FileFacts file, link, followed, folder;
  EXPECT_EQ(files_.Stat(folder_.PathOf("f"), &file), 0);
  EXPECT_EQ(files_.StatLink(folder_.PathOf("link"), &link), 0);
  EXPECT_EQ(files_.Stat(folder_.PathOf("link"), &followed), 0);
  EXPECT_EQ(files_.Stat(folder_.path(), &folder), 0);
  EXPECT_TRUE(file.is_regular());
  EXPECT_EQ(file.size_bytes, 5);
  EXPECT_FALSE(link.is_regular());
  EXPECT_TRUE(followed.SameFile(file));
  EXPECT_FALSE(link.SameFile(file));
  EXPECT_TRUE(folder.is_folder());
  EXPECT_GT(file.mtime_ns, int64_t{1'700'000'000'000'000'000});
}

}  // namespace
}  // namespace tailrace
