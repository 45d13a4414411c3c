#include "tailrace/uploads.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_clock.h"
#include "testing/memory_store.h"
#include "testing/status_macros.h"
#include "testing/temp_folder.h"

namespace tailrace {
namespace {

using std::chrono::hours;
using testing::ElementsAre;
using testing::HasSubstr;

const WriteId kWriteA{"01890a5d-ac96-774b-bcce-b302099a8057"};
const WriteId kWriteB{"01890a5d-ac96-774b-bcce-b302099a8058"};

std::vector<std::string> KeysOf(const std::vector<OpenUpload>& uploads) {
  std::vector<std::string> keys;
  for (const OpenUpload& upload : uploads) keys.push_back(upload.summary.key);
  return keys;
}

TEST(Uploads, PrefixesAreWholePathSegments) {
  for (const auto& [key, prefix] : std::vector<std::pair<std::string, std::string>>{
           {"a", ""}, {"a/b", "a"}, {"a/b", "a/"}, {"a/b", "a/b"}, {"a/b/c", "a"}, {"a//b", "a/"}}) {
    EXPECT_TRUE(KeyIsAtOrUnder(key, prefix)) << key << " " << prefix;
  }
  for (const auto& [key, prefix] : std::vector<std::pair<std::string, std::string>>{
           {"ab", "a"}, {"a", "a/"}, {"a", "a/b"}, {"b/a", "a"}, {"a/bc", "a/b"}, {"", "a"}}) {
    EXPECT_FALSE(KeyIsAtOrUnder(key, prefix)) << key << " " << prefix;
  }
}

class UploadsTest : public testing::Test {
 protected:
  std::unique_ptr<Upload> Create(const std::string& key, const WriteId& write = kWriteA) {
    return store_->CreateUpload({key, write}).ValueOrDie();
  }
  static Part PartOf(int number, const std::string& text) {
    return {.number = number, .offset_bytes = (number - 1) * 4, .body = ByteSlices(ByteSlice::Copy(text))};
  }

  FakeClock clock_;
  std::shared_ptr<MemoryStore> store_ = MemoryStore::Make({.clock = &clock_});
};

TEST_F(UploadsTest, ThoseUnderAPrefixAreListedByKeyAndAge) {
  for (const char* key : {"b/x", "a/z", "ab/c", "a", "a/b/c"}) Create(key);
  clock_.Advance(hours(1));
  const auto newer = Create("a/z");
  EXPECT_THAT(KeysOf(ListOpenUploads(store_.get(), "a").ValueOrDie()), ElementsAre("a", "a/b/c", "a/z", "a/z"));
  EXPECT_EQ(ListOpenUploads(store_.get(), "a")->back().summary.id, newer->id());
  EXPECT_EQ(ListOpenUploads(store_.get(), "")->size(), 6u);
  EXPECT_TRUE(ListOpenUploads(store_.get(), "c")->empty());
}

TEST_F(UploadsTest, SizesAreAskedForOnlyWhereWanted) {
  const auto upload = Create("k");
  ASSERT_OK(upload->PutPart(PartOf(1, "abcd")));
  ASSERT_OK(upload->PutPart(PartOf(2, "ef")));
  EXPECT_EQ(ListOpenUploads(store_.get(), "k")->front().parts, std::nullopt);
  ASSERT_OK_AND_ASSIGN(const auto sized, ListOpenUploads(store_.get(), "k", {.claims = {}, .sizes = true}));
  EXPECT_EQ(sized[0].parts, 2);
  EXPECT_EQ(sized[0].stored_bytes, 6);
}

TEST_F(UploadsTest, TheStateWithMostRowsMarksItsUpload) {
  const auto ours = Create("k"), other = Create("k");
  const std::vector<UploadClaim> claims = {{"old", ours->id(), kWriteA, 10},
                                           {"new", ours->id(), kWriteA, 20},
                                           {"older", ours->id(), kWriteA, 5},
                                           {"small file", {}, kWriteB, 99}};
  ASSERT_OK_AND_ASSIGN(const auto uploads, ListOpenUploads(store_.get(), "k", {.claims = claims}));
  for (const OpenUpload& upload : uploads) {
    const bool is_ours = upload.summary.id == ours->id();
    EXPECT_EQ(upload.finishable, is_ours);
    EXPECT_EQ(upload.claim ? upload.claim->name : "", is_ours ? "new" : "");
  }
}

OpenUpload Aged(FakeClock* clock, hours age) {
  OpenUpload upload;
  upload.summary.initiated = clock->Now() - age;
  upload.summary.initiator = "me";
  return upload;
}

TEST_F(UploadsTest, OnlyOldUnclaimedOnesOfTheInitiatorAreDropped) {
  const SweepOptions week{.older_than = hours(24 * 7), .clock = &clock_};
  EXPECT_EQ(JudgeUpload(Aged(&clock_, hours(24 * 7)), week), SweepVerdict::kAbort);
  EXPECT_EQ(JudgeUpload(Aged(&clock_, hours(24 * 7 - 1)), week), SweepVerdict::kTooYoung);
  EXPECT_EQ(JudgeUpload(OpenUpload{}, week), SweepVerdict::kTooYoung) << "nobody knows its age";
  OpenUpload claimed = Aged(&clock_, hours(10000));
  claimed.claim = UploadClaim{};
  EXPECT_EQ(JudgeUpload(claimed, week), SweepVerdict::kClaimed);
  SweepOptions mine = week;
  mine.initiator = "me";
  EXPECT_EQ(JudgeUpload(Aged(&clock_, hours(1000)), mine), SweepVerdict::kAbort);
  mine.initiator = "you";
  EXPECT_EQ(JudgeUpload(Aged(&clock_, hours(1000)), mine), SweepVerdict::kOtherInitiator);
}

TEST_F(UploadsTest, AnUploadThatIsGoneAlreadyIsAborted) {
  const auto upload = Create("k");
  ASSERT_OK(upload->PutPart(PartOf(1, "abcd")));
  const OpenUpload listed = ListOpenUploads(store_.get(), "k")->front();
  EXPECT_OK(AbortOpenUpload(store_.get(), listed));
  EXPECT_TRUE(store_->Uploads().empty());
  EXPECT_OK(AbortOpenUpload(store_.get(), listed));
}

class LocalUploadsTest : public testing::Test {
 protected:
  LocalUploadsTest() : at_(OpenPrefix(folder_.path() + "/").ValueOrDie()) {}

  std::unique_ptr<Upload> Create(const std::string& name, const WriteId& write = kWriteA) {
    const std::string key = (folder_.path() + "/" + name).substr(1);
    std::filesystem::create_directories(std::filesystem::path("/" + key).parent_path());
    return at_.store->CreateUpload({key, write}).ValueOrDie();
  }
  std::vector<std::string> Names(const std::string& prefix) {
    std::vector<std::string> names;
    for (const std::string& key : KeysOf(ListOpenUploads(at_.store.get(), at_.key + prefix).ValueOrDie())) {
      names.push_back(key.substr(at_.key.size()));
    }
    return names;
  }

  TempFolder folder_;
  const StoreAndKey at_;
};

TEST_F(LocalUploadsTest, FoldersBelowAreSearchedAndLinksAreNot) {
  Create("x");
  Create("a/x");
  Create("a/b/y");
  Create("ab/z");
  std::filesystem::create_directory_symlink(folder_.path() + "/a", folder_.path() + "/link");
  EXPECT_THAT(Names(""), ElementsAre("a/b/y", "a/x", "ab/z", "x"));
  EXPECT_THAT(Names("a"), ElementsAre("a/b/y", "a/x"));
  EXPECT_THAT(Names("a/"), ElementsAre("a/b/y", "a/x"));
  EXPECT_THAT(Names("x"), ElementsAre("x"));
  EXPECT_THAT(Names("missing"), ElementsAre());
}

TEST_F(LocalUploadsTest, SizeAndWriteIdAreToldAndNothingIsLocked) {
  const auto upload = Create("x");
  ASSERT_OK(upload->PutPart({.number = 1, .offset_bytes = 0, .body = ByteSlices(ByteSlice::Copy("abcd"))}));
  ASSERT_OK_AND_ASSIGN(const auto listed, ListOpenUploads(at_.store.get(), at_.key, {.claims = {}, .sizes = true}));
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].stored_bytes, 4);
  EXPECT_EQ(listed[0].summary.write_id, kWriteA.text);
}

TEST_F(LocalUploadsTest, WhatALivingWriterHoldsStays) {
  auto upload = Create("x");
  const OpenUpload listed = ListOpenUploads(at_.store.get(), at_.key)->front();
  const Status refused = AbortOpenUpload(at_.store.get(), listed);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(KindOf(refused), ErrorKind::kWriterAlive);
  EXPECT_THAT(Names(""), ElementsAre("x"));
  upload.reset();
  EXPECT_OK(AbortOpenUpload(at_.store.get(), listed));
  EXPECT_THAT(Names(""), ElementsAre());
}

TEST_F(LocalUploadsTest, PlacesThatAreNoObjectsCanBeOpened) {
  const std::string path = folder_.path();
  EXPECT_EQ(OpenPrefix(path)->key, path.substr(1));
  EXPECT_EQ(OpenPrefix("file://" + path + "/")->key, path.substr(1) + "/");
  EXPECT_EQ(OpenPrefix("/")->key, "");
  EXPECT_EQ(OpenPrefix(path + "/.")->key, path.substr(1) + "/");
  StoreOptions options;
  options.s3.anonymous = true;
  EXPECT_EQ(OpenPrefix("s3::https://h/bucket/a/", options)->key, "a/");
  EXPECT_EQ(OpenPrefix("s3::https://h/bucket", options)->key, "");
}

}  // namespace
}  // namespace tailrace
