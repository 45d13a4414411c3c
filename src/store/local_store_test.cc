#include "store/local_store.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "store/local_fixture.h"

namespace tailrace {
namespace {

using ::testing::HasSubstr;

class LocalStoreTest : public LocalFixture {};

TEST_F(LocalStoreTest, PutMakesAnObjectAndNothingElse) {
  ASSERT_OK_AND_ASSIGN(const ObjectMeta meta, store_->Put(key(), Bytes("hello"), kTestWrite, {}));
  EXPECT_EQ(folder_.Read("x"), "hello");
  EXPECT_EQ(hidden_files(), 0);
  EXPECT_EQ(meta.size_bytes, 5);
  EXPECT_EQ(meta.write_id, kTestWrite.text);
  ASSERT_OK_AND_ASSIGN(const ObjectMeta seen, store_->Head(key()));
  EXPECT_EQ(seen.etag, meta.etag);
  EXPECT_EQ(seen.write_id, kTestWrite.text);
  EXPECT_EQ(seen.last_modified, meta.last_modified);
  EXPECT_TRUE(seen.from_upload.empty());
  const auto age = std::chrono::system_clock::now() - seen.last_modified;
  EXPECT_LT(std::chrono::abs(age), std::chrono::minutes(5));
}

TEST_F(LocalStoreTest, EtagChangesWithEveryReplacement) {
  ASSERT_OK_AND_ASSIGN(const ObjectMeta first, store_->Put(key(), Bytes("hello"), kTestWrite, {}));
  ASSERT_OK_AND_ASSIGN(const ObjectMeta second, store_->Put(key(), Bytes("hello"), kTestWrite, {}));
  EXPECT_NE(first.etag, second.etag);
}

TEST_F(LocalStoreTest, PutOfNoBytesIsAnEmptyObject) {
  ASSERT_OK(store_->Put(key(), ByteSlices(), kTestWrite, {}));
  EXPECT_TRUE(folder_.Has("x"));
  EXPECT_EQ(folder_.Read("x"), "");
}

TEST_F(LocalStoreTest, PutHonoursItsCondition) {
  EXPECT_KIND(ErrorKind::kPrecondition, store_->Put(key(), Bytes("a"), kTestWrite, {.if_match_etag = "1-2-3"}));
  EXPECT_FALSE(folder_.Has("x"));
  ASSERT_OK_AND_ASSIGN(const ObjectMeta first, store_->Put(key(), Bytes("a"), kTestWrite, {.if_absent = true}));
  EXPECT_KIND(ErrorKind::kPrecondition, store_->Put(key(), Bytes("b"), kOtherWrite, {.if_absent = true}));
  EXPECT_KIND(ErrorKind::kPrecondition, store_->Put(key(), Bytes("b"), kOtherWrite, {.if_match_etag = "1-2-3"}));
  EXPECT_EQ(folder_.Read("x"), "a");
  EXPECT_EQ(hidden_files(), 0);
  ASSERT_OK(store_->Put(key(), Bytes("b"), kOtherWrite, {.if_match_etag = first.etag}));
  EXPECT_EQ(folder_.Read("x"), "b");
}

TEST_F(LocalStoreTest, PutUsesWhatAKilledOneLeft) {
  std::filesystem::create_directory(folder_.PathOf(".tailrace"));
  folder_.Write(".tailrace/" + kTestWrite.text, std::string(10000, 'z'));
  ASSERT_OK(store_->Put(key(), Bytes("short"), kTestWrite, {}));
  EXPECT_EQ(folder_.Read("x"), "short");
  EXPECT_EQ(hidden_files(), 0);
}

TEST_F(LocalStoreTest, PutNeverWritesToAnObjectThatStillHasItsHiddenName) {
  // As after a kill between link and unlink.
  ASSERT_OK(store_->Put(key(), Bytes("first"), kTestWrite, {}));
  std::filesystem::create_hard_link(folder_.PathOf("x"), folder_.PathOf(".tailrace/" + kTestWrite.text));
  std::ifstream reader(folder_.PathOf("x"));
  ASSERT_OK(store_->Put(key(), Bytes("second"), kTestWrite, {}));
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "first");
  EXPECT_EQ(folder_.Read("x"), "second");
  EXPECT_EQ(hidden_files(), 0);
}

TEST_F(LocalStoreTest, HeadOfNothingIsNotFound) {
  EXPECT_KIND(ErrorKind::kNotFound, store_->Head(key()));
  EXPECT_KIND(ErrorKind::kNotFound, store_->Head(folder_.KeyOf("no/x")));
  EXPECT_KIND(ErrorKind::kNotFound, store_->SyncObject(key()));
  EXPECT_KIND(ErrorKind::kNotFound, store_->GetRange(key(), 0, 1, ""));
  EXPECT_KIND(ErrorKind::kInvalid, store_->Head(folder_.path().substr(1)));
  EXPECT_KIND(ErrorKind::kInvalid, store_->Head(""));
}

TEST_F(LocalStoreTest, HeadOfAPipeDoesNotHang) {
  ASSERT_EQ(::mkfifo(folder_.PathOf("x").c_str(), 0666), 0);
  EXPECT_KIND(ErrorKind::kInvalid, store_->Head(key()));
  EXPECT_KIND(ErrorKind::kInvalid, store_->CreateUpload({key(), kTestWrite}));
}

TEST_F(LocalStoreTest, HeadOfAForeignObjectHasNoWriteId) {
  folder_.Write("x", "foreign");
  ASSERT_OK_AND_ASSIGN(const ObjectMeta meta, store_->Head(key()));
  EXPECT_EQ(meta.size_bytes, 7);
  EXPECT_EQ(meta.write_id, "");
  EXPECT_EQ(meta.from_upload, "");
}

TEST_F(LocalStoreTest, RangesAreExactUpToTheEnd) {
  ASSERT_OK_AND_ASSIGN(const ObjectMeta meta, store_->Put(key(), Bytes("0123456789"), kTestWrite, {}));
  EXPECT_EQ(store_->GetRange(key(), 0, 10, meta.etag).ValueOrDie(), "0123456789");
  EXPECT_EQ(store_->GetRange(key(), 3, 4, "").ValueOrDie(), "3456");
  EXPECT_EQ(store_->GetRange(key(), 8, 100, "").ValueOrDie(), "89");
  EXPECT_EQ(store_->GetRange(key(), 10, 5, "").ValueOrDie(), "");
  EXPECT_EQ(store_->GetRange(key(), 99, 5, "").ValueOrDie(), "");
  EXPECT_EQ(store_->GetRange(key(), 0, 0, "").ValueOrDie(), "");
  EXPECT_EQ(store_->GetRange(key(), 0, int64_t{1} << 62, "").ValueOrDie(), "0123456789");
  EXPECT_KIND(ErrorKind::kInvalid, store_->GetRange(key(), -1, 5, ""));
  EXPECT_KIND(ErrorKind::kInvalid, store_->GetRange(key(), 0, -5, ""));
  ASSERT_OK(store_->Put(key(), Bytes("0123456789"), kTestWrite, {}));
  EXPECT_KIND(ErrorKind::kPrecondition, store_->GetRange(key(), 0, 10, meta.etag));
}

TEST_F(LocalStoreTest, ALinkIsReplacedAndNotWhatItNames) {
  folder_.Write("other", "keep");
  std::filesystem::create_symlink("other", folder_.PathOf("x"));
  ASSERT_OK(store_->Put(key(), Bytes("new"), kTestWrite, {}));
  EXPECT_EQ(folder_.Read("other"), "keep");
  EXPECT_FALSE(std::filesystem::is_symlink(folder_.PathOf("x")));
  EXPECT_EQ(folder_.Read("x"), "new");
}

TEST_F(LocalStoreTest, RefusesATargetThatIsAFolder) {
  std::filesystem::create_directory(folder_.PathOf("x"));
  const auto created = store_->CreateUpload({key(), kTestWrite});
  EXPECT_KIND(ErrorKind::kInvalid, created);
  EXPECT_THAT(created.status().message(), HasSubstr("is a folder"));
  EXPECT_KIND(ErrorKind::kInvalid, store_->Put(key(), Bytes("a"), kTestWrite, {}));
  EXPECT_FALSE(folder_.Has(".tailrace"));
}

TEST_F(LocalStoreTest, RefusesAMissingFolderAndNamesTheSetting) {
  const std::string missing = folder_.KeyOf("a/b/x");
  const auto created = store_->CreateUpload({missing, kTestWrite});
  EXPECT_KIND(ErrorKind::kNotFound, created);
  EXPECT_THAT(created.status().message(), HasSubstr(folder_.PathOf("a/b")));
  EXPECT_THAT(created.status().message(), HasSubstr("create_folders"));
  EXPECT_KIND(ErrorKind::kNotFound, store_->Put(missing, Bytes("a"), kTestWrite, {}));
  EXPECT_KIND(ErrorKind::kNotFound, store_->CheckNewObject(missing));
  EXPECT_FALSE(folder_.Has("a"));
  auto creating = LocalStore::Make({.create_folders = true});
  ASSERT_OK(creating->CheckNewObject(missing));
  EXPECT_FALSE(folder_.Has("a")) << "looking makes nothing";
  ASSERT_OK(creating->Put(missing, Bytes("a"), kTestWrite, {}));
  EXPECT_EQ(folder_.Read("a/b/x"), "a");
  ASSERT_OK(store_->CheckNewObject(missing));
  EXPECT_KIND(ErrorKind::kInvalid, store_->CheckNewObject(folder_.KeyOf("a")));
}

TEST_F(LocalStoreTest, RefusesAFileInThePlaceOfAFolder) {
  folder_.Write("f", "");
  for (const StoreOptions& options : {StoreOptions{}, StoreOptions{.create_folders = true}}) {
    auto store = LocalStore::Make(options);
    EXPECT_KIND(ErrorKind::kInvalid, store->CreateUpload({folder_.KeyOf("f/x"), kTestWrite}));
    EXPECT_KIND(ErrorKind::kInvalid, store->CreateUpload({folder_.KeyOf("f/g/x"), kTestWrite}));
  }
}

TEST_F(LocalStoreTest, RefusesAHiddenFolderThatIsNone) {
  folder_.Write(".tailrace", "");
  EXPECT_KIND(ErrorKind::kInvalid, store_->CreateUpload({key(), kTestWrite}));
  std::filesystem::remove(folder_.PathOf(".tailrace"));
  std::filesystem::create_directory(folder_.PathOf("elsewhere"));
  std::filesystem::create_symlink("elsewhere", folder_.PathOf(".tailrace"));
  EXPECT_KIND(ErrorKind::kInvalid, store_->CreateUpload({key(), kTestWrite}));
  EXPECT_EQ(folder_.Count("elsewhere"), 0);
}

TEST_F(LocalStoreTest, RefusesNamesThatAreTooLong) {
  EXPECT_KIND(ErrorKind::kInvalid, store_->CreateUpload({folder_.KeyOf(std::string(256, 'n')), kTestWrite}));
  EXPECT_FALSE(folder_.Has(".tailrace"));
  ASSERT_OK(store_->Put(folder_.KeyOf(std::string(255, 'n')), Bytes("a"), kTestWrite, {}));
}

TEST_F(LocalStoreTest, RefusesAWriteIdThatCouldNameAnything) {
  EXPECT_KIND(ErrorKind::kInvalid, store_->CreateUpload({key(), {"../../x"}}));
  EXPECT_KIND(ErrorKind::kInvalid, store_->Put(key(), Bytes("a"), {"x"}, {}));
  EXPECT_KIND(ErrorKind::kBadState, store_->OpenUpload(key(), {"../x@1"}));
}

TEST_F(LocalStoreTest, TheHiddenFolderHasThePermissionsOfItsFolder) {
  const mode_t before = ::umask(077);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(01777));
  ASSERT_OK(store_->Put(key(), Bytes("a"), kTestWrite, {}));
  ::umask(before);
  struct stat st;
  ASSERT_EQ(::stat(folder_.PathOf(".tailrace").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 07777, 01777u);
  ASSERT_EQ(::stat(folder_.PathOf("x").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 07777, 0600u);
}

TEST_F(LocalStoreTest, ListsOpenUploadsOfAFolder) {
  EXPECT_TRUE(store_->ListUploads(folder_.KeyOf("")).ValueOrDie().empty());
  ASSERT_OK_AND_ASSIGN(auto one, store_->CreateUpload({folder_.KeyOf("one"), kTestWrite}));
  ASSERT_OK_AND_ASSIGN(auto two, store_->CreateUpload({folder_.KeyOf("two"), kOtherWrite}));
  folder_.Write(".tailrace/foreign", "");
  ASSERT_OK_AND_ASSIGN(auto all, store_->ListUploads(folder_.KeyOf("")));
  EXPECT_EQ(all.size(), 2u);
  ASSERT_OK_AND_ASSIGN(auto ones, store_->ListUploads(folder_.KeyOf("on")));
  ASSERT_EQ(ones.size(), 1u);
  EXPECT_EQ(ones[0].key, folder_.KeyOf("one"));
  EXPECT_EQ(ones[0].id, one->id());
  EXPECT_EQ(ones[0].write_id, kTestWrite.text);
  EXPECT_EQ(ones[0].initiated, *kTestWrite.Time());
  EXPECT_TRUE(store_->ListUploads(folder_.KeyOf("onx")).ValueOrDie().empty());
  ASSERT_OK(one->Abort());
  EXPECT_TRUE(store_->ListUploads(folder_.KeyOf("on")).ValueOrDie().empty());
}

TEST_F(LocalStoreTest, WhatAKilledPutLeftCanBeListedAndAborted) {
  ASSERT_OK(store_->Put(folder_.KeyOf("other"), Bytes("a"), kOtherWrite, {}));
  folder_.Write(".tailrace/" + kTestWrite.text, "half");
  ASSERT_OK_AND_ASSIGN(auto uploads, store_->ListUploads(folder_.KeyOf("")));
  ASSERT_EQ(uploads.size(), 1u);
  EXPECT_EQ(uploads[0].key, folder_.KeyOf(""));
  ASSERT_OK_AND_ASSIGN(auto upload, store_->OpenUpload(key(), uploads[0].id));
  ASSERT_OK(upload->Abort());
  EXPECT_EQ(hidden_files(), 0);
}

}  // namespace
}  // namespace tailrace
