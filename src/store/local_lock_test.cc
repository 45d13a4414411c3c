#include <dirent.h>
#include <fcntl.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>

#include "store/child_process.h"
#include "store/local_fixture.h"
#include "store/posix_files.h"
#include "testing/fault_files.h"

namespace tailrace {
namespace {

using ::testing::HasSubstr;

// Descriptors of this process that lead into a hidden folder.
int OpenUploadDescriptors() {
  int count = 0;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(folder)) {
    char target[4096];
    const ssize_t size = ::readlinkat(::dirfd(folder), entry->d_name, target, sizeof target);
    if (size > 0 && std::string_view(target, size).find("/.tailrace/") != std::string_view::npos) ++count;
  }
  ::closedir(folder);
  return count;
}

class LocalLockTest : public LocalFixture {
 protected:
  // Waits in a process of its own with the upload open.
  std::function<int(int)> HoldOpen(const UploadId& id) {
    return [this, id](int out) {
      const auto upload = store_->OpenUpload(key(), id);
      ChildProcess::WriteLine(out, upload.status().ToString());
      ::pause();
      return 0;
    };
  }
};

TEST_F(LocalLockTest, TheSameProcessCannotOpenAnUploadTwice) {
  auto upload = Create();
  const auto second = store_->OpenUpload(key(), upload->id());
  EXPECT_KIND(ErrorKind::kWriterAlive, second);
  EXPECT_THAT(second.status().message(), HasSubstr("in this process"));
  const UploadId id = upload->id();
  upload.reset();
  EXPECT_OK(store_->OpenUpload(key(), id));
}

TEST_F(LocalLockTest, AnotherProcessIsNamedUntilItIsKilled) {
  const UploadId id = Create()->id();
  ChildProcess holder(HoldOpen(id));
  ASSERT_EQ(holder.ReadLine(), "OK");
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  const auto refused = store_->OpenUpload(key(), id);
  EXPECT_KIND(ErrorKind::kWriterAlive, refused);
  EXPECT_THAT(refused.status().message(), HasSubstr("host " + std::string(host)));
  EXPECT_THAT(refused.status().message(), HasSubstr("pid " + std::to_string(holder.pid())));
  holder.Kill();
  EXPECT_OK(store_->OpenUpload(key(), id));
}

TEST_F(LocalLockTest, AForkedChildDoesNotKeepTheLockOfItsDeadParent) {
  ChildProcess parent([this](int out) {
    auto upload = Create();
    ChildProcess child([](int child_out) {
      ChildProcess::WriteLine(child_out, "here");
      ::pause();
      return 0;
    });
    // It closes the file before anything else that it does, but not before it runs.
    if (child.ReadLine() != "here") return 1;
    ChildProcess::WriteLine(out, upload->id().text);
    ChildProcess::WriteLine(out, std::to_string(child.pid()));
    ::pause();
    return 0;
  });
  const UploadId id{parent.ReadLine()};
  const pid_t child = std::stoi(parent.ReadLine());
  EXPECT_KIND(ErrorKind::kWriterAlive, store_->OpenUpload(key(), id));
  parent.Kill();
  EXPECT_EQ(::kill(child, 0), 0);
  EXPECT_OK(store_->OpenUpload(key(), id));
  ::kill(child, SIGKILL);
}

TEST_F(LocalLockTest, AForkedChildHasNoRightToTheUploadAndTakesNoneAway) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 1);
  ChildProcess child([&](int out) {
    const auto put = upload->PutPart(TestPart(1));
    const auto completed = upload->Complete(receipts, {});
    const Status aborted = upload->Abort();
    const Status synced = upload->Sync();
    const int open = OpenUploadDescriptors();
    upload.reset();
    for (const Status& status : {put.status(), completed.status(), aborted, synced}) {
      ChildProcess::WriteLine(out, std::string(ErrorKindName(KindOf(status))));
    }
    return open;
  });
  for (int i = 0; i < 4; ++i) EXPECT_EQ(child.ReadLine(), "invalid");
  EXPECT_EQ(child.Wait(), 0);
  // Ours is untouched, and still locked.
  EXPECT_KIND(ErrorKind::kWriterAlive, store_->OpenUpload(key(), upload->id()));
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(folder_.Read("x"), Content(1));
}

TEST_F(LocalLockTest, NoForkCatchesAnUploadInTheMoment) {
  // The file is open already, but nobody else can know it yet.
  class SlowToOpen : public PosixFiles {
    int Open(const std::string& path, int flags, uint32_t mode) override {
      const int fd = PosixFiles::Open(path, flags, mode);
      if ((flags & O_CREAT) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return fd;
    }
  };
  SlowToOpen files;
  store_ = LocalStore::Make({}, &files);
  std::atomic<bool> stop = false;
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      const std::string key = folder_.KeyOf("t" + std::to_string(t));
      while (!stop) {
        auto upload = store_->CreateUpload({key, kTestWrite}).ValueOrDie();
        if (!upload->Abort().ok()) ++failures;
      }
    });
  }
  int caught = 0;
  for (int i = 0; i < 50; ++i) {
    ChildProcess child([](int) { return OpenUploadDescriptors(); });
    caught += child.Wait();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(caught, 0);
  EXPECT_EQ(failures, 0);
}

TEST_F(LocalLockTest, AFilePublishedBetweenOpenAndLockIsNotTouched) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  FaultFiles files(PosixFiles::Get(), [&](const FileCall& call) {
    if (call.name == "Lock" && !folder_.Has("x")) EXPECT_OK(upload->Complete(receipts, {}));
    return 0;
  });
  auto late = LocalStore::Make({}, &files);
  EXPECT_KIND(ErrorKind::kUploadGone, late->OpenUpload(key(), upload->id()));
  EXPECT_EQ(folder_.Read("x"), Content(2));
  EXPECT_EQ(store_->Head(key()).ValueOrDie().write_id, kTestWrite.text);
}

TEST_F(LocalLockTest, AFileThatWentAwayBetweenOpenAndLockIsGone) {
  enum class How { kAborted, kPublishedAndReplaced, kPublishedAndDeleted };
  for (const How how : {How::kAborted, How::kPublishedAndReplaced, How::kPublishedAndDeleted}) {
    auto upload = Create();
    const auto receipts = PutParts(upload.get(), 2);
    int locks = 0;
    FaultFiles files(PosixFiles::Get(), [&](const FileCall& call) {
      if (call.name != "Lock" || locks++ > 0) return 0;
      if (how == How::kAborted) {
        EXPECT_OK(upload->Abort());
        return 0;
      }
      EXPECT_OK(upload->Complete(receipts, {}));
      std::filesystem::remove(folder_.PathOf("x"));
      if (how == How::kPublishedAndReplaced) EXPECT_OK(store_->Put(key(), Bytes("other"), kOtherWrite, {}));
      return 0;
    });
    EXPECT_KIND(ErrorKind::kUploadGone, LocalStore::Make({}, &files)->OpenUpload(key(), upload->id()));
    EXPECT_EQ(folder_.Read("x"), how == How::kPublishedAndReplaced ? "other" : "");
    std::filesystem::remove(folder_.PathOf("x"));
  }
}

TEST_F(LocalLockTest, APutDoesNotEmptyWhatAnotherPublishedMeanwhile) {
  int locks = 0;
  int reader = -1;
  FaultFiles files(PosixFiles::Get(), [&](const FileCall& call) {
    if (call.name == "Lock" && ++locks == 1) {
      EXPECT_OK(store_->Put(key(), Bytes("first"), kTestWrite, {}));
      reader = ::open(folder_.PathOf("x").c_str(), O_RDONLY);
    }
    return 0;
  });
  ASSERT_OK(LocalStore::Make({}, &files)->Put(key(), Bytes("second"), kTestWrite, {}));
  EXPECT_EQ(locks, 2);
  char seen[10] = {};
  EXPECT_EQ(::read(reader, seen, sizeof seen), 5);
  EXPECT_STREQ(seen, "first");
  ::close(reader);
  EXPECT_EQ(folder_.Read("x"), "second");
  EXPECT_EQ(hidden_files(), 0);
}

TEST_F(LocalLockTest, TwoPutsOfOneWriteDoNotMix) {
  Status other;
  FaultFiles files(PosixFiles::Get(), [&](const FileCall& call) {
    if (call.name == "Truncate") other = store_->Put(key(), Bytes("other"), kTestWrite, {}).status();
    return 0;
  });
  ASSERT_OK(LocalStore::Make({}, &files)->Put(key(), Bytes("one"), kTestWrite, {}));
  EXPECT_KIND(ErrorKind::kWriterAlive, other);
  EXPECT_EQ(folder_.Read("x"), "one");
}

TEST_F(LocalLockTest, OfManyFinishersOneCompletes) {
  auto upload = Create();
  const UploadId id = upload->id();
  const auto receipts = PutParts(upload.get(), 3);
  upload.reset();
  std::vector<std::unique_ptr<ChildProcess>> finishers;
  for (int i = 0; i < 8; ++i) {
    finishers.push_back(std::make_unique<ChildProcess>([&](int) {
      auto mine = store_->OpenUpload(key(), id);
      Status status = mine.status();
      if (status.ok()) status = (*mine)->Complete(receipts, {}).status();
      if (status.ok()) return 0;
      const ErrorKind kind = KindOf(status);
      return kind == ErrorKind::kWriterAlive || kind == ErrorKind::kUploadGone ? 1 : 2;
    }));
  }
  int winners = 0;
  for (auto& finisher : finishers) {
    const int code = finisher->Wait();
    EXPECT_TRUE(code == 0 || code == 1) << code;
    winners += code == 0;
  }
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(folder_.Read("x"), Content(3));
  EXPECT_EQ(hidden_files(), 0);
}

TEST_F(LocalLockTest, AnotherUserWithoutTheRightToWriteIsDenied) {
  auto upload = Create();
  const UploadId id = upload->id();
  const auto receipts = PutParts(upload.get(), 1);
  const std::string hidden = folder_.PathOf(".tailrace/" + id.text.substr(0, id.text.find('@')));
  upload.reset();
  std::filesystem::permissions(hidden, std::filesystem::perms(0444));
  EXPECT_EQ(AsPlainUser([&] { return std::string(ErrorKindName(KindOf(store_->OpenUpload(key(), id).status()))); }),
            "denied");
  // Nothing is lost.
  std::filesystem::permissions(hidden, std::filesystem::perms(0644));
  ASSERT_OK_AND_ASSIGN(upload, store_->OpenUpload(key(), id));
  ASSERT_OK(upload->Complete(receipts, {}));
}

}  // namespace
}  // namespace tailrace
