#include "cli/state_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

namespace fs = std::filesystem;

class StateFileTest : public testing::Test {
 protected:
  StateFileTest() {
    std::string pattern = (fs::temp_directory_path() / "tailrace-state-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    path_ = folder_ + "/x.state";
  }
  ~StateFileTest() override { fs::remove_all(folder_); }

  static std::string PendingBytes(const std::string& write_id) {
    PendingCommit pending;
    pending.library_version = "0.1.0";
    pending.write_id.text = write_id;
    pending.target = {.kind = "file", .endpoint = {}, .region = {}, .addressing = {}, .bucket = {}, .key = "data/x"};
    pending.inline_bytes = std::string(100, 'x');
    pending.size_bytes = 100;
    pending.crc64 = ByteSlice::Copy(pending.inline_bytes).crc64;
    pending.footer = "footer";
    pending.rows = 7;
    return pending.ToBytes();
  }

  std::string folder_;
  std::string path_;
};

TEST_F(StateFileTest, SavingKeepsTheOneBefore) {
  ASSERT_TRUE(SaveSmallFile(path_, "one", Previous::kKeep).ok());
  EXPECT_FALSE(fs::exists(path_ + ".prev"));
  ASSERT_TRUE(SaveSmallFile(path_, "two", Previous::kKeep).ok());
  ASSERT_TRUE(SaveSmallFile(path_, "three", Previous::kKeep).ok());
  EXPECT_EQ(ReadSmallFile(path_).ValueOrDie(), "three");
  EXPECT_EQ(ReadSmallFile(path_ + ".prev").ValueOrDie(), "two");
  // Nothing else stays.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

TEST_F(StateFileTest, ALeftTemporaryFileIsUsedAgain) {
  std::ofstream(path_ + ".tmp") << "a much longer torn state of a process that died";
  ASSERT_TRUE(SaveSmallFile(path_, "short", Previous::kKeep).ok());
  EXPECT_EQ(ReadSmallFile(path_).ValueOrDie(), "short");
  EXPECT_FALSE(fs::exists(path_ + ".tmp"));
}

TEST_F(StateFileTest, TwoProcessesDoNotMixTheirStates) {
  const int other = open((path_ + ".tmp").c_str(), O_WRONLY | O_CREAT, 0666);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  EXPECT_EQ(KindOf(SaveSmallFile(path_, "x", Previous::kKeep)), ErrorKind::kWriterAlive);
  close(other);
  EXPECT_TRUE(SaveSmallFile(path_, "x", Previous::kKeep).ok());
}

TEST_F(StateFileTest, ErrorsHaveTheirKinds) {
  EXPECT_EQ(KindOf(ReadSmallFile(path_).status()), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(ReadSmallFile(folder_).status()), ErrorKind::kInvalid);
  EXPECT_EQ(KindOf(SaveSmallFile(folder_ + "/no/x", "x", Previous::kKeep)), ErrorKind::kNotFound);
  std::ofstream(path_) << "no state";
  EXPECT_EQ(KindOf(LoadState(path_).status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(LoadPending(path_).status()), ErrorKind::kBadState);
  EXPECT_THAT(LoadState(path_).status().message(), testing::HasSubstr(path_));
}

TEST_F(StateFileTest, WhatNeverEndsIsNoState) {
  for (const Status& status : {LoadState("/dev/zero").status(), LoadPending("/dev/zero").status(),
                               ReadBlobFile("/dev/zero").status(), ReadSmallFile("/dev/zero", 1 << 20).status()}) {
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState);
    EXPECT_THAT(status.message(), testing::HasSubstr("/dev/zero"));
  }
  EXPECT_NE(UnfinishedWriteIn("/dev/zero").ValueOrDie(), std::nullopt) << "not ours to overwrite";
}

TEST_F(StateFileTest, AMarkEndsOnlyTheWriteItNames) {
  const std::string first = "01890a5d-ac96-774b-bcce-b302099a8057";
  const std::string second = "01890a5d-ac96-774b-bcce-b302099a8058";
  EXPECT_EQ(UnfinishedWriteIn(path_).ValueOrDie(), std::nullopt);
  std::ofstream(path_).flush();
  EXPECT_EQ(UnfinishedWriteIn(path_).ValueOrDie(), std::nullopt) << "an empty file is nobody's";
  ASSERT_TRUE(SaveSmallFile(path_, PendingBytes(first), Previous::kKeep).ok());
  EXPECT_THAT(UnfinishedWriteIn(path_).ValueOrDie().value_or(""), testing::HasSubstr("7 rows"));
  ASSERT_TRUE(MarkCommitted(path_, WriteId{first}, "file:///data/x", {.size_bytes = 100, .rows = 7}).ok());
  EXPECT_EQ(UnfinishedWriteIn(path_).ValueOrDie(), std::nullopt);
  ASSERT_TRUE(SaveSmallFile(path_, PendingBytes(second), Previous::kKeep).ok());
  EXPECT_NE(UnfinishedWriteIn(path_).ValueOrDie(), std::nullopt);
  ASSERT_TRUE(MarkAborted(path_, WriteId{second}).ok());
  EXPECT_EQ(UnfinishedWriteIn(path_).ValueOrDie(), std::nullopt);
  ASSERT_TRUE(SaveSmallFile(path_, "what is this", Previous::kDrop).ok());
  EXPECT_NE(UnfinishedWriteIn(path_).ValueOrDie(), std::nullopt) << "not ours to overwrite";
}

}  // namespace
}  // namespace tailrace::cli
