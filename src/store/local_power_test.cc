// Power is cut before every file call, over a disk that keeps only what was synced.
#include <fcntl.h>

#include <cerrno>
#include <ostream>
#include <tuple>

#include "store/local_fixture.h"
#include "testing/fault_files.h"
#include "testing/model_disk.h"

namespace tailrace {
namespace {

constexpr uint64_t kSeeds = 12;
constexpr int kParts = 4;
constexpr int kPartsAtCheckpoint = 2;
const char kKey[] = "data/deep/er/x";
const char kPath[] = "/data/deep/er/x";

struct Setting {
  bool attributes = true;
  bool rename_if_absent = true;
  bool if_absent = false;
  bool create_folders = false;
  bool old_object = false;

  friend std::ostream& operator<<(std::ostream& out, const Setting& s) {
    return out << "attributes " << s.attributes << ", rename_if_absent " << s.rename_if_absent << ", if_absent "
               << s.if_absent << ", create_folders " << s.create_folders << ", old_object " << s.old_object;
  }
  PutCondition condition() const { return {.if_absent = if_absent, .if_match_etag = {}}; }
  StoreOptions options() const { return {.create_folders = create_folders}; }
};

std::vector<Setting> AllSettings() {
  std::vector<Setting> settings;
  for (int bits = 0; bits < 32; ++bits) {
    const Setting setting{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0};
    // With if_absent an old object refuses; with create_folders there is none.
    if (setting.old_object && (setting.if_absent || setting.create_folders)) continue;
    settings.push_back(setting);
  }
  return settings;
}

std::unique_ptr<ModelDisk> NewDisk(const Setting& setting) {
  ModelDisk::Features features;
  features.attributes = setting.attributes;
  features.rename_if_absent = setting.rename_if_absent;
  auto disk = std::make_unique<ModelDisk>(features);
  disk->AddFolder(setting.create_folders ? "/data" : "/data/deep/er");
  if (setting.old_object) LocalStore::Make({}, disk.get())->Put(kKey, Bytes("old"), kOtherWrite, {}).ValueOrDie();
  return disk;
}

// What the process that died had been promised.
struct Promised {
  UploadId id;
  std::vector<PartReceipt> state;  // of the last Sync that returned
  bool completed = false;
};

Promised RunScript(FileCalls* files, const Setting& setting) {
  Promised promised;
  auto store = LocalStore::Make(setting.options(), files);
  auto upload = store->CreateUpload({kKey, kTestWrite});
  if (!upload.ok()) return promised;
  std::vector<PartReceipt> receipts;
  for (int number = 1; number <= kParts; ++number) {
    auto receipt = (*upload)->PutPart(TestPart(number));
    if (!receipt.ok()) return promised;
    receipts.push_back(*receipt);
    if (number != kPartsAtCheckpoint) continue;
    if (!(*upload)->Sync().ok()) return promised;
    promised.id = (*upload)->id();
    promised.state = receipts;
  }
  promised.completed = (*upload)->Complete(receipts, setting.condition()).ok();
  return promised;
}

// Finishes from the state, as another process would.
void FinishFromState(ModelDisk* disk, const Setting& setting, const Promised& promised) {
  auto store = LocalStore::Make(setting.options(), disk);
  auto upload = store->OpenUpload(kKey, promised.id);
  if (!upload.ok()) {
    ASSERT_EQ(KindOf(upload.status()), ErrorKind::kUploadGone) << upload.status().ToString();
    ASSERT_TRUE(disk->ContentOf(kPath) == Content(kParts)) << "the state's upload is lost";
    ASSERT_OK(store->SyncObject(kKey));
    return;
  }
  ASSERT_OK_AND_ASSIGN(const auto listed, (*upload)->ListParts(promised.state));
  ASSERT_EQ(listed, promised.state);
  auto receipts = promised.state;
  for (int number = kPartsAtCheckpoint + 1; number <= kParts; ++number) {
    ASSERT_OK_AND_ASSIGN(const PartReceipt receipt, (*upload)->PutPart(TestPart(number)));
    receipts.push_back(receipt);
  }
  ASSERT_OK((*upload)->Complete(receipts, setting.condition()));
}

void CheckAfterCut(std::unique_ptr<ModelDisk> disk, const Setting& setting, const Promised& promised) {
  const std::optional<std::string> target = disk->ContentOf(kPath);
  const bool is_new = target == Content(kParts);
  const bool as_before = setting.old_object ? target == "old" : !target.has_value();
  ASSERT_TRUE(is_new || as_before) << "neither whole nor as before";
  auto store = LocalStore::Make(setting.options(), disk.get());
  if (is_new && setting.attributes) {
    EXPECT_EQ(store->Head(kKey).ValueOrDie().write_id, kTestWrite.text);
  }
  if (promised.completed) {
    ASSERT_TRUE(is_new) << "lost after Complete had returned";
  }
  if (promised.state.empty()) {
    if (!is_new) return;
    // Found and reported as committed.
    ASSERT_OK(store->SyncObject(kKey));
  } else {
    FinishFromState(disk.get(), setting, promised);
    if (::testing::Test::HasFatalFailure()) return;
  }
  const auto again = disk->CutPower(/*seed=*/0);
  ASSERT_TRUE(again->ContentOf(kPath) == Content(kParts)) << "lost after it was reported as committed";
  std::vector<std::string> left;
  disk->ListFolder("/data/deep/er/.tailrace", &left);
  EXPECT_TRUE(left.empty());
}

TEST(LocalPower, CutAtEveryCallOfAnUpload) {
  for (const Setting& setting : AllSettings()) {
    bool completed = false;
    for (int64_t cut = 0; !completed; ++cut) {
      auto disk = NewDisk(setting);
      FaultFiles files(disk.get(), FaultFiles::FailFrom(cut, EIO));
      const Promised promised = RunScript(&files, setting);
      completed = promised.completed;
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE(::testing::Message() << setting << ", cut before call " << cut << ", seed " << seed);
        CheckAfterCut(disk->CutPower(seed), setting, promised);
        if (::testing::Test::HasFailure()) return;
      }
      ASSERT_LT(cut, 1000);
    }
  }
}

TEST(LocalPower, CutAtEveryCallOfFinishingFromAState) {
  for (const Setting& setting : AllSettings()) {
    bool completed = false;
    for (int64_t cut = 0; !completed; ++cut) {
      auto first = NewDisk(setting);
      // As far as the checkpoint; the power fails there.
      Promised promised;
      {
        auto store = LocalStore::Make(setting.options(), first.get());
        auto upload = store->CreateUpload({kKey, kTestWrite}).ValueOrDie();
        for (int number = 1; number <= kPartsAtCheckpoint; ++number) {
          promised.state.push_back(upload->PutPart(TestPart(number)).ValueOrDie());
        }
        ASSERT_OK(upload->Sync());
        promised.id = upload->id();
      }
      auto disk = first->CutPower(/*seed=*/0);
      FaultFiles files(disk.get(), FaultFiles::FailFrom(cut, EIO));
      auto store = LocalStore::Make(setting.options(), &files);
      auto upload = store->OpenUpload(kKey, promised.id);
      if (upload.ok()) {
        auto receipts = promised.state;
        for (int number = kPartsAtCheckpoint + 1; number <= kParts; ++number) {
          auto receipt = (*upload)->PutPart(TestPart(number));
          if (receipt.ok()) receipts.push_back(*receipt);
        }
        promised.completed = receipts.size() == kParts && (*upload)->Complete(receipts, setting.condition()).ok();
        completed = promised.completed;
      }
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE(::testing::Message() << setting << ", cut before call " << cut << ", seed " << seed);
        CheckAfterCut(disk->CutPower(seed), setting, promised);
        if (::testing::Test::HasFailure()) return;
      }
      ASSERT_LT(cut, 1000);
    }
  }
}

// The process is killed, but the machine goes on: names and bytes are there, synced or not. Somebody looks at what it
// left, and the power goes while he does.
TEST(LocalPower, CutWhileSomebodyTidiesUpAfterAKilledProcess) {
  constexpr uint64_t kFewSeeds = 4;
  for (const Setting& setting : AllSettings()) {
    bool completed = false;
    for (int64_t kill = 0; !completed; ++kill) {
      for (int64_t cut = 0, fired = 1; fired > 0; ++cut) {
        auto disk = NewDisk(setting);
        FaultFiles killed(disk.get(), FaultFiles::FailFrom(kill, EIO));
        Promised promised = RunScript(&killed, setting);
        completed = promised.completed;
        FaultFiles files(disk.get(), FaultFiles::FailFrom(cut, EIO));
        auto store = LocalStore::Make(setting.options(), &files);
        if (!promised.state.empty()) (void)store->OpenUpload(kKey, promised.id);
        const bool found = store->SyncObject(kKey).ok() && disk->ContentOf(kPath) == Content(kParts);
        promised.completed |= found;
        fired = files.fired();
        for (uint64_t seed = 0; seed < kFewSeeds; ++seed) {
          SCOPED_TRACE(::testing::Message() << setting << ", killed before call " << kill << ", cut before call " << cut
                                            << " of the second process, seed " << seed);
          CheckAfterCut(disk->CutPower(seed), setting, promised);
          if (::testing::Test::HasFailure()) return;
        }
        ASSERT_LT(cut, 1000);
      }
      ASSERT_LT(kill, 1000);
    }
  }
}

TEST(LocalPower, SyncObjectSyncsWhateverMadeTheObject) {
  ModelDisk disk;
  disk.AddFolder("/data");
  const int fd = disk.Open("/data/x", O_RDWR | O_CREAT, 0666);
  char byte = 'b';
  const iovec piece{&byte, 1};
  ASSERT_EQ(disk.WriteAt(fd, std::span(&piece, 1), 0), 0);
  disk.Close(fd);
  EXPECT_FALSE(disk.CutPower(/*seed=*/0)->ContentOf("/data/x").has_value());
  ASSERT_OK(LocalStore::Make({}, &disk)->SyncObject("data/x"));
  EXPECT_EQ(disk.CutPower(/*seed=*/0)->ContentOf("/data/x"), "b");
}

TEST(LocalPower, APutThatWasKilledAndFoundLasts) {
  for (const Setting& setting : AllSettings()) {
    bool done = false;
    for (int64_t kill = 0; !done; ++kill) {
      SCOPED_TRACE(::testing::Message() << setting << ", killed before call " << kill);
      auto disk = NewDisk(setting);
      FaultFiles killed(disk.get(), FaultFiles::FailFrom(kill, EIO));
      done = LocalStore::Make(setting.options(), &killed)
                 ->Put(kKey, Bytes(Content(3)), kTestWrite, setting.condition())
                 .ok();
      if (disk->ContentOf(kPath) != Content(3)) continue;
      ASSERT_OK(LocalStore::Make(setting.options(), disk.get())->SyncObject(kKey));
      ASSERT_TRUE(disk->CutPower(/*seed=*/0)->ContentOf(kPath) == Content(3));
    }
  }
}

TEST(LocalPower, CutAtEveryCallOfAPut) {
  const std::string body = Content(3);
  for (const Setting& setting : AllSettings()) {
    bool done = false;
    for (int64_t cut = 0; !done; ++cut) {
      auto disk = NewDisk(setting);
      FaultFiles files(disk.get(), FaultFiles::FailFrom(cut, EIO));
      done = LocalStore::Make(setting.options(), &files)->Put(kKey, Bytes(body), kTestWrite, setting.condition()).ok();
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE(::testing::Message() << setting << ", cut before call " << cut << ", seed " << seed);
        auto after = disk->CutPower(seed);
        const std::optional<std::string> target = after->ContentOf(kPath);
        const bool is_new = target == body;
        ASSERT_TRUE(is_new || (setting.old_object ? target == "old" : !target.has_value()));
        ASSERT_TRUE(is_new || !done) << "lost after Put had returned";
        auto store = LocalStore::Make(setting.options(), after.get());
        if (is_new) {
          ASSERT_OK(store->SyncObject(kKey));
        } else {
          ASSERT_OK(store->Put(kKey, Bytes(body), kTestWrite, setting.condition()));
        }
        std::vector<std::string> left;
        after->ListFolder("/data/deep/er/.tailrace", &left);
        EXPECT_TRUE(left.empty());
        ASSERT_TRUE(after->CutPower(/*seed=*/0)->ContentOf(kPath) == body) << "lost after it was reported as committed";
      }
      ASSERT_LT(cut, 1000);
    }
  }
}

}  // namespace
}  // namespace tailrace
