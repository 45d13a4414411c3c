// Every file call fails once; and the failures that disks have of themselves.
#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <optional>

#include <gmock/gmock.h>

#include "store/child_process.h"
#include "store/local_fixture.h"
#include "store/posix_files.h"
#include "testing/fault_files.h"
#include "testing/model_disk.h"

namespace tailrace {
namespace {

using ::testing::HasSubstr;

constexpr int kParts = 3;
const char kKey[] = "data/x";

// What a process remembers of its write.
struct Memory {
  std::optional<UploadId> id;
  std::vector<PartReceipt> receipts;
};

// One try to bring the object about, as finish does it.
Status Try(LocalStore* store, const std::string& key, const PutCondition& condition, Memory* memory) {
  std::unique_ptr<Upload> upload;
  if (memory->id) {
    auto opened = store->OpenUpload(key, *memory->id);
    if (!opened.ok() && KindOf(opened.status()) == ErrorKind::kUploadGone) {
      ARROW_ASSIGN_OR_RAISE(const ObjectMeta meta, store->Head(key));
      if (meta.write_id == kTestWrite.text || meta.MadeFrom(*memory->id)) return store->SyncObject(key);
      return opened.status();
    }
    ARROW_ASSIGN_OR_RAISE(upload, std::move(opened));
  } else {
    ARROW_ASSIGN_OR_RAISE(upload, store->CreateUpload({key, kTestWrite}));
    memory->id = upload->id();
  }
  ARROW_ASSIGN_OR_RAISE(memory->receipts, upload->ListParts(memory->receipts));
  for (int number = static_cast<int>(memory->receipts.size()) + 1; number <= kParts; ++number) {
    ARROW_ASSIGN_OR_RAISE(const PartReceipt receipt, upload->PutPart(TestPart(number)));
    memory->receipts.push_back(receipt);
    ARROW_RETURN_NOT_OK(upload->Sync());
  }
  return upload->Complete(memory->receipts, condition).status();
}

// Fails each call once, in runs of their own; the tries of a run go on until one succeeds.
void FailEveryCall(ModelDisk::Features features, const PutCondition& condition) {
  for (int64_t nth = 0, fired = 1; fired > 0; ++nth) {
    SCOPED_TRACE(::testing::Message() << "fault at call " << nth << ", attributes " << features.attributes
                                      << ", rename_if_absent " << features.rename_if_absent << ", locks "
                                      << features.locks << ", if_absent " << condition.if_absent);
    ModelDisk disk(features);
    disk.AddFolder("/data");
    FaultFiles files(&disk, FaultFiles::FailNth(nth, EIO));
    auto store = LocalStore::Make({}, &files);
    Memory memory;
    Status status = Try(store.get(), kKey, condition, &memory);
    for (int tries = 1; !status.ok(); ++tries) {
      // The first error stays on its handle; a new one goes on.
      ASSERT_LT(tries, 3) << status.ToString();
      EXPECT_EQ(KindOf(status), ErrorKind::kTransient) << status.ToString();
      status = Try(store.get(), kKey, condition, &memory);
    }
    ASSERT_TRUE(disk.ContentOf("/data/x") == Content(kParts));
    std::vector<std::string> left;
    ASSERT_EQ(disk.ListFolder("/data/.tailrace", &left), 0);
    EXPECT_TRUE(left.empty()) << left[0];
    fired = files.fired();
    ASSERT_LT(nth, 1000);
  }
}

TEST(LocalFault, EveryCallFailsOnce) {
  for (const bool attributes : {true, false}) {
    for (const bool rename_if_absent : {true, false}) {
      for (const bool locks : {true, false}) {
        for (const bool if_absent : {true, false}) {
          ModelDisk::Features features;
          features.attributes = attributes;
          features.rename_if_absent = rename_if_absent;
          features.locks = locks;
          FailEveryCall(features, {.if_absent = if_absent, .if_match_etag = {}});
        }
      }
    }
  }
}

TEST(LocalFault, EveryCallOfAPutFailsOnce) {
  for (const bool rename_if_absent : {true, false}) {
    for (int64_t nth = 0, fired = 1; fired > 0; ++nth) {
      SCOPED_TRACE(::testing::Message() << "fault at call " << nth);
      ModelDisk::Features features;
      features.rename_if_absent = rename_if_absent;
      ModelDisk disk(features);
      disk.AddFolder("/data");
      FaultFiles files(&disk, FaultFiles::FailNth(nth, EIO));
      auto store = LocalStore::Make({}, &files);
      const auto put = store->Put(kKey, Bytes("small"), kTestWrite, {.if_absent = true, .if_match_etag = {}});
      if (!put.ok()) {
        EXPECT_EQ(KindOf(put.status()), ErrorKind::kTransient) << put.status().ToString();
        const auto seen = store->Head(kKey);
        if (seen.ok()) {
          EXPECT_EQ(seen->write_id, kTestWrite.text);
          ASSERT_OK(store->SyncObject(kKey));
        } else {
          ASSERT_OK(store->Put(kKey, Bytes("small"), kTestWrite, {.if_absent = true, .if_match_etag = {}}));
        }
      }
      ASSERT_TRUE(disk.ContentOf("/data/x") == "small");
      std::vector<std::string> left;
      ASSERT_EQ(disk.ListFolder("/data/.tailrace", &left), 0);
      EXPECT_TRUE(left.empty()) << left[0];
      fired = files.fired();
      ASSERT_LT(nth, 1000);
    }
  }
}

TEST(LocalFault, AFullDiskLosesNothing) {
  ModelDisk::Features features;
  features.capacity_bytes = 2500;
  ModelDisk disk(features);
  disk.AddFolder("/data");
  auto store = LocalStore::Make({}, &disk);
  ASSERT_OK_AND_ASSIGN(auto upload, store->CreateUpload({kKey, kTestWrite}));
  std::vector<PartReceipt> receipts;
  for (int number : {1, 2}) receipts.push_back(upload->PutPart(TestPart(number)).ValueOrDie());
  ASSERT_OK(upload->Sync());
  const auto full = upload->PutPart(TestPart(3));
  EXPECT_KIND(ErrorKind::kNoSpace, full);
  EXPECT_THAT(full.status().message(), HasSubstr("part 3"));
  EXPECT_THAT(full.status().message(), HasSubstr("/data/.tailrace/"));
  EXPECT_THAT(full.status().message(), HasSubstr("free space"));
  EXPECT_FALSE(disk.ContentOf("/data/x").has_value());
  EXPECT_KIND(ErrorKind::kNoSpace, store->Put("data/y", Bytes(PartText(1)), kOtherWrite, {}));
  EXPECT_FALSE(disk.ContentOf("/data/y").has_value());
  EXPECT_EQ(store->ListUploads("data/").ValueOrDie().size(), 1u);
  // What was there before the disk was full can be completed on it.
  const UploadId id = upload->id();
  upload.reset();
  ASSERT_OK_AND_ASSIGN(upload, store->OpenUpload(kKey, id));
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_TRUE(disk.ContentOf("/data/x") == Content(2));
}

TEST(LocalFault, ErrorsOfEachStepHaveTheirKind) {
  const struct {
    const char* call;
    int error;
    ErrorKind kind;
  } rows[] = {
      {"MakeFolder", ENOSPC, ErrorKind::kNoSpace},     {"MakeFolder", EROFS, ErrorKind::kDenied},
      {"MayWriteTo", EACCES, ErrorKind::kDenied},      {"MayWriteTo", EROFS, ErrorKind::kDenied},
      {"Open", EDQUOT, ErrorKind::kNoSpace},           {"Open", EMFILE, ErrorKind::kTransient},
      {"SetAttribute", ENOSPC, ErrorKind::kNoSpace},   {"Lock", EIO, ErrorKind::kTransient},
      {"WriteAt", ENOSPC, ErrorKind::kNoSpace},        {"WriteAt", EDQUOT, ErrorKind::kNoSpace},
      {"WriteAt", EFBIG, ErrorKind::kLimit},           {"WriteAt", EIO, ErrorKind::kTransient},
      {"SyncFile", ENOSPC, ErrorKind::kNoSpace},       {"SyncFile", EIO, ErrorKind::kTransient},
      {"SyncFolder", EIO, ErrorKind::kTransient},      {"Truncate", EIO, ErrorKind::kTransient},
      {"RemoveAttribute", EIO, ErrorKind::kTransient}, {"Rename", EXDEV, ErrorKind::kInvalid},
      {"Rename", EACCES, ErrorKind::kDenied},          {"Rename", ENOSPC, ErrorKind::kNoSpace},
      {"Rename", EISDIR, ErrorKind::kInvalid},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(::testing::Message() << row.call << " " << row.error);
    ModelDisk disk;
    disk.AddFolder("/data");
    FaultFiles files(&disk, FaultFiles::FailAll(row.call, row.error));
    Memory memory;
    EXPECT_KIND(row.kind, Try(LocalStore::Make({}, &files).get(), kKey, {}, &memory));
    EXPECT_GT(files.fired(), 0);
    EXPECT_FALSE(disk.ContentOf("/data/x").has_value());
    // And once the trouble is over, the same write goes on.
    EXPECT_OK(Try(LocalStore::Make({}, &disk).get(), kKey, {}, &memory));
    EXPECT_TRUE(disk.ContentOf("/data/x") == Content(kParts));
  }
}

TEST(LocalFault, AFailedSyncStays) {
  ModelDisk disk;
  disk.AddFolder("/data");
  bool fail = true;
  FaultFiles files(&disk, [&](const FileCall& call) { return call.name == "SyncFile" && fail ? -EIO : 0; });
  auto store = LocalStore::Make({}, &files);
  ASSERT_OK_AND_ASSIGN(auto upload, store->CreateUpload({kKey, kTestWrite}));
  ASSERT_OK_AND_ASSIGN(const PartReceipt receipt, upload->PutPart(TestPart(1)));
  EXPECT_KIND(ErrorKind::kTransient, upload->Sync());
  fail = false;
  // The kernel may have dropped the bytes; only who reads them back knows.
  EXPECT_KIND(ErrorKind::kTransient, upload->Sync());
  EXPECT_KIND(ErrorKind::kTransient, upload->Complete({receipt}, {}));
  EXPECT_EQ(upload->Seal(), "");
  EXPECT_FALSE(disk.ContentOf("/data/x").has_value());
  const UploadId id = upload->id();
  upload.reset();
  ASSERT_OK_AND_ASSIGN(upload, store->OpenUpload(kKey, id));
  ASSERT_OK(upload->Complete({receipt}, {}));
}

TEST(LocalFault, ARenameWhoseAnswerIsLostCounts) {
  ModelDisk disk;
  disk.AddFolder("/data");
  std::string hidden;
  FaultFiles files(&disk, [&](const FileCall& call) {
    if (call.name != "Rename") return 0;
    EXPECT_EQ(disk.Rename(call.path, "/data/x"), 0);
    return -EIO;
  });
  Memory memory;
  ASSERT_OK(Try(LocalStore::Make({}, &files).get(), kKey, {}, &memory));
  EXPECT_EQ(files.fired(), 1);
  EXPECT_TRUE(disk.CutPower(0)->ContentOf("/data/x") == Content(kParts));
}

TEST(LocalFault, AnObjectThatTurnsUpBeforeTheRenameIsNotReplaced) {
  for (const bool rename_if_absent : {true, false}) {
    ModelDisk::Features features;
    features.rename_if_absent = rename_if_absent;
    ModelDisk disk(features);
    disk.AddFolder("/data");
    FaultFiles files(&disk, [&](const FileCall& call) {
      if (call.name == "RenameIfAbsent") EXPECT_OK(LocalStore::Make({}, &disk)->Put(kKey, Bytes("b"), kOtherWrite, {}));
      return 0;
    });
    Memory memory;
    const PutCondition if_absent{.if_absent = true, .if_match_etag = {}};
    EXPECT_KIND(ErrorKind::kPrecondition, Try(LocalStore::Make({}, &files).get(), kKey, if_absent, &memory));
    EXPECT_TRUE(disk.ContentOf("/data/x") == "b");
    // Refused, the upload is as good as before.
    EXPECT_OK(Try(LocalStore::Make({}, &disk).get(), kKey, {}, &memory));
    EXPECT_TRUE(disk.ContentOf("/data/x") == Content(kParts));
  }
}

TEST(LocalFault, AnUnreadableWriteIdIsNoForeignObject) {
  ModelDisk disk;
  disk.AddFolder("/data");
  ASSERT_OK(LocalStore::Make({}, &disk)->Put(kKey, Bytes("b"), kTestWrite, {}));
  FaultFiles files(&disk, FaultFiles::FailAll("GetAttribute", EIO));
  EXPECT_KIND(ErrorKind::kTransient, LocalStore::Make({}, &files)->Head(kKey));
}

TEST(LocalFault, NothingIsWrittenToAFileThatMayBePublished) {
  ModelDisk disk;
  disk.AddFolder("/data");
  FaultFiles files(&disk, [&](const FileCall& call) {
    return call.name == "SyncFolder" && disk.ContentOf("/data/x").has_value() ? -EIO : 0;
  });
  auto store = LocalStore::Make({}, &files);
  ASSERT_OK_AND_ASSIGN(auto upload, store->CreateUpload({kKey, kTestWrite}));
  ASSERT_OK_AND_ASSIGN(const PartReceipt receipt, upload->PutPart(TestPart(1)));
  EXPECT_KIND(ErrorKind::kTransient, upload->Complete({receipt}, {}));
  Part other = TestPart(1);
  other.body = Bytes(PartText(9));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->PutPart(other));
  EXPECT_TRUE(disk.ContentOf("/data/x") == Content(1));
}

TEST(LocalFault, WithoutAttributesTheInodeTells) {
  ModelDisk::Features features;
  features.attributes = false;
  ModelDisk disk(features);
  disk.AddFolder("/data");
  auto store = LocalStore::Make({}, &disk);
  ASSERT_OK_AND_ASSIGN(auto upload, store->CreateUpload({kKey, kTestWrite}));
  ASSERT_OK_AND_ASSIGN(auto other, store->CreateUpload({kKey, kTestWrite}));
  EXPECT_EQ(upload->Seal(), "");
  ASSERT_OK_AND_ASSIGN(const auto uploads, store->ListUploads("data/x"));
  ASSERT_EQ(uploads.size(), 2u);
  EXPECT_EQ(uploads[0].key, "data/");
  EXPECT_EQ(uploads[0].write_id, kTestWrite.text);
  const UploadId id = upload->id();
  ASSERT_OK_AND_ASSIGN(const PartReceipt receipt, upload->PutPart(TestPart(1)));
  ASSERT_OK(upload->Complete({receipt}, {}));
  ASSERT_OK_AND_ASSIGN(const ObjectMeta meta, store->Head(kKey));
  EXPECT_EQ(meta.write_id, "");
  EXPECT_TRUE(meta.MadeFrom(id));
  EXPECT_FALSE(meta.MadeFrom(other->id()));
}

TEST(LocalFault, AHiddenFolderOnAnotherDeviceIsRefused) {
  class OtherDevice : public PosixFiles {
    int StatLink(const std::string& path, FileFacts* facts) override {
      const int rc = PosixFiles::StatLink(path, facts);
      if (path.ends_with("/.tailrace")) ++facts->device;
      return rc;
    }
  };
  TempFolder folder;
  OtherDevice files;
  const auto created = LocalStore::Make({}, &files)->CreateUpload({folder.KeyOf("x"), kTestWrite});
  EXPECT_KIND(ErrorKind::kInvalid, created);
  EXPECT_THAT(created.status().message(), HasSubstr("another device"));
}

TEST(LocalFault, AReadOnlyFolderIsDeniedAtOnce) {
  TempFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  const std::string answer = AsPlainUser([&] {
    auto store = LocalStore::Make();
    const Status created = store->CreateUpload({folder.KeyOf("x"), kTestWrite}).status();
    const Status put = store->Put(folder.KeyOf("x"), Bytes("a"), kTestWrite, {}).status();
    return std::string(ErrorKindName(KindOf(created))) + ", " + std::string(ErrorKindName(KindOf(put))) + ": " +
           created.message();
  });
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  EXPECT_THAT(answer, ::testing::StartsWith("denied, denied: "));
  EXPECT_THAT(answer, HasSubstr("'" + folder.path() + "'"));
  EXPECT_EQ(folder.Count("."), 0);
  // The hidden folder of an earlier day does not let it start either.
  std::filesystem::create_directory(folder.PathOf(".tailrace"));
  std::filesystem::permissions(folder.PathOf(".tailrace"), std::filesystem::perms(0777));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_EQ(AsPlainUser([&] {
              return std::string(
                  ErrorKindName(KindOf(LocalStore::Make()->CreateUpload({folder.KeyOf("x"), kTestWrite}).status())));
            }),
            "denied");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
}

// Runs `body` in a child with a file system of 64 KiB at `at`, which no other process sees. False where this user may
// not mount: the same failures through the seam are in the tests above, so that nothing goes unseen.
bool WithSmallFileSystem(const std::string& at, const std::function<std::string()>& body, std::string* answer) {
  ChildProcess child([&](int out) {
    const bool mounted = ::unshare(CLONE_NEWNS) == 0 &&
                         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         ::mount("tmpfs", at.c_str(), "tmpfs", 0, "size=64k") == 0;
    if (!mounted) return 1;
    ChildProcess::WriteLine(out, body());
    return 0;
  });
  *answer = child.ReadLine();
  if (child.Wait() == 0) return true;
  std::cerr << "NOTE: this user may not mount, so the real small file system was left out\n";
  return false;
}

TEST(LocalFault, ARealFullDiskLosesNothing) {
  TempFolder folder;
  std::string answer;
  const bool ran = WithSmallFileSystem(
      folder.path(),
      [&]() -> std::string {
        auto store = LocalStore::Make();
        auto upload = store->CreateUpload({folder.KeyOf("x"), kTestWrite}).ValueOrDie();
        std::vector<PartReceipt> receipts{upload->PutPart(TestPart(1)).ValueOrDie()};
        const Part big{.number = 2, .offset_bytes = 1000, .body = Bytes(std::string(200'000, 'z'))};
        const auto full = upload->PutPart(big);
        if (full.ok() || KindOf(full.status()) != ErrorKind::kNoSpace) return "not refused";
        if (folder.Has("x")) return "published";
        receipts.push_back(upload->PutPart(TestPart(2)).ValueOrDie());
        const auto completed = upload->Complete(receipts, {});
        if (!completed.ok()) return completed.status().ToString();
        return folder.Read("x") == Content(2) ? "good" : "wrong bytes";
      },
      &answer);
  EXPECT_EQ(answer, ran ? "good" : "");
}

TEST(LocalFault, ARealOtherDeviceIsRefused) {
  TempFolder folder;
  std::filesystem::create_directory(folder.PathOf(".tailrace"));
  std::string answer;
  const bool ran = WithSmallFileSystem(
      folder.PathOf(".tailrace"),
      [&] { return LocalStore::Make()->CreateUpload({folder.KeyOf("x"), kTestWrite}).status().message(); }, &answer);
  EXPECT_THAT(answer, HasSubstr(ran ? "another device" : ""));
}

}  // namespace
}  // namespace tailrace
