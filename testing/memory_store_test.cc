#include "testing/memory_store.h"

#include <gtest/gtest.h>

#include "base/crc64.h"
#include "testing/fake_clock.h"

namespace tailrace {
namespace {

const WriteId kWrite{"01900000-0000-7000-8000-000000000000"};

ByteSlices Bytes(std::string bytes) { return ByteSlices(ByteSlice::Copy(std::move(bytes))); }

ErrorKind Kind(const Status& status) {
  EXPECT_FALSE(status.ok());
  return status.ok() ? ErrorKind::kInternal : KindOf(status);
}

class MemoryStoreTest : public ::testing::Test {
 protected:
  void Use(MemoryStoreOptions options) {
    options.clock = &clock_;
    store_ = MemoryStore::Make(options);
  }
  void SetUp() override { Use({}); }

  std::shared_ptr<Upload> Create() { return *store_->CreateUpload({"key", kWrite}); }
  // The parts are put one behind the other.
  std::vector<PartReceipt> PutAll(Upload* upload, const std::vector<std::string>& parts) {
    std::vector<PartReceipt> receipts;
    int64_t offset = 0;
    for (const std::string& bytes : parts) {
      const int number = static_cast<int>(receipts.size()) + 1;
      receipts.push_back(*upload->PutPart({number, offset, Bytes(bytes)}));
      offset += static_cast<int64_t>(bytes.size());
    }
    return receipts;
  }
  Status Complete(const std::vector<std::string>& parts) {
    auto upload = Create();
    return upload->Complete(PutAll(upload.get(), parts), {}).status();
  }

  FakeClock clock_;
  std::shared_ptr<MemoryStore> store_;
};

TEST_F(MemoryStoreTest, AnUploadIsInvisibleUntilItIsComplete) {
  auto upload = Create();
  const std::vector<PartReceipt> receipts = PutAll(upload.get(), {"abc", "defg"});
  EXPECT_EQ(receipts[1], (PartReceipt{2, 3, 4, receipts[1].etag, Crc64Nvme("defg", 4)}));
  EXPECT_EQ(Kind(store_->Head("key").status()), ErrorKind::kNotFound);
  EXPECT_EQ(*upload->ListParts({}), receipts);
  clock_.Advance(std::chrono::seconds(5));
  const ObjectMeta meta = *upload->Complete(receipts, {});
  EXPECT_EQ(store_->Content("key"), "abcdefg");
  EXPECT_EQ(meta.size_bytes, 7);
  EXPECT_EQ(meta.write_id, kWrite.text);
  EXPECT_EQ(meta.crc64, Crc64Nvme("abcdefg", 7));
  EXPECT_EQ(meta.last_modified, FakeClock::kStart + std::chrono::seconds(5));
  EXPECT_EQ(store_->Head("key")->etag, meta.etag);
  EXPECT_TRUE(store_->Uploads().empty());
  EXPECT_EQ(store_->TargetOf("key").ToUrl(), "memory://memory/key");
}

TEST_F(MemoryStoreTest, AnUploadThatEndedIsGone) {
  for (bool completed : {true, false}) {
    auto upload = Create();
    auto other = *store_->OpenUpload("key", upload->id());
    const std::vector<PartReceipt> receipts = PutAll(upload.get(), {"abc"});
    ASSERT_TRUE(completed ? upload->Complete(receipts, {}).ok() : upload->Abort().ok());
    EXPECT_EQ(Kind(other->PutPart({1, 0, Bytes("x")}).status()), ErrorKind::kUploadGone);
    EXPECT_EQ(Kind(other->ListParts({}).status()), ErrorKind::kUploadGone);
    EXPECT_EQ(Kind(other->Complete(receipts, {}).status()), ErrorKind::kUploadGone);
    EXPECT_EQ(Kind(store_->OpenUpload("key", upload->id()).status()), ErrorKind::kUploadGone);
    EXPECT_TRUE(other->Abort().ok());
    EXPECT_TRUE(other->Sync().ok());
  }
  auto expired = Create();
  EXPECT_EQ(Kind(store_->OpenUpload("other", expired->id()).status()), ErrorKind::kUploadGone);
  store_->ExpireUpload(expired->id());
  EXPECT_EQ(Kind(expired->PutPart({1, 0, Bytes("x")}).status()), ErrorKind::kUploadGone);
}

TEST_F(MemoryStoreTest, CompleteRefusesAPartThatWasReplacedOrNeverStored) {
  for (bool opaque : {false, true}) {
    Use({.opaque_etags = opaque});
    auto upload = Create();
    std::vector<PartReceipt> receipts = PutAll(upload.get(), {"abc", "def"});
    auto stranger = *store_->OpenUpload("key", upload->id());
    ASSERT_TRUE(stranger->PutPart({2, 3, Bytes("xyz")}).ok());
    Status refused = upload->Complete(receipts, {}).status();
    EXPECT_EQ(Kind(refused), ErrorKind::kPartMismatch);
    EXPECT_EQ(DetailOf(refused)->part_number, 2);

    std::vector<PartReceipt> absent = receipts;
    absent[1].number = 3;
    refused = upload->Complete(absent, {}).status();
    EXPECT_EQ(Kind(refused), ErrorKind::kPartMismatch);
    EXPECT_EQ(DetailOf(refused)->part_number, 3);

    // The same bytes again: their etag comes back only where it follows from them.
    ASSERT_TRUE(stranger->PutPart({2, 3, Bytes("def")}).ok());
    EXPECT_EQ(upload->Complete(receipts, {}).ok(), !opaque);
  }
  MemoryStoreOptions careless;
  careless.limits.checks_part_etags = false;
  Use(careless);
  auto upload = Create();
  std::vector<PartReceipt> receipts = PutAll(upload.get(), {"abc"});
  PutAll(upload.get(), {"xyz"});
  EXPECT_TRUE(upload->Complete(receipts, {}).ok());
  EXPECT_EQ(store_->Content("key"), "xyz");
}

TEST_F(MemoryStoreTest, CompleteChecksTheListOfParts) {
  auto upload = Create();
  std::vector<PartReceipt> receipts = PutAll(upload.get(), {"abc", "def", "ghi"});
  ErrorKind kind = ErrorKind::kInvalid;
  auto refusal = [&](std::vector<PartReceipt> parts) {
    const Status status = upload->Complete(parts, {}).status();
    EXPECT_EQ(Kind(status), kind);
    return status.message();
  };
  EXPECT_EQ(refusal({}), "Complete names no part");
  EXPECT_EQ(refusal({receipts[1], receipts[0]}), "part 2 was stored for byte 3 and comes to stand at 0");
  EXPECT_EQ(refusal({receipts[0], receipts[0]}), "part 1 is named after part 1");
  EXPECT_EQ(refusal({receipts[0], receipts[2]}), "part 3 was stored for byte 6 and comes to stand at 3");
  EXPECT_TRUE(upload->Complete({receipts[0], receipts[1]}, {}).ok());
  EXPECT_EQ(store_->Content("key"), "abcdef");  // the stray is left out

  MemoryStoreOptions strict;
  strict.limits.stray_parts = StrayParts::kRefused;
  Use(strict);
  upload = Create();
  receipts = PutAll(upload.get(), {"abc", "def"});
  kind = ErrorKind::kPartMismatch;
  EXPECT_EQ(refusal({receipts[0]}), "Complete names 1 of 2 stored parts; all must be named");
  EXPECT_TRUE(upload->Complete(receipts, {}).ok());
}

TEST_F(MemoryStoreTest, LimitsAreCheckedByName) {
  MemoryStoreOptions options;
  options.limits = {
      .min_part_bytes = 3, .max_part_bytes = 5, .max_parts = 2, .max_object_bytes = 8, .max_put_bytes = 6};
  Use(options);
  EXPECT_EQ(Complete({"ab", "abc"}).message(), "part 1 of 2 bytes: min_part_bytes is 3");
  EXPECT_EQ(Complete({"abcde", "abcd"}).message(), "object of 9 bytes: max_object_bytes is 8");
  EXPECT_TRUE(Complete({"abc", "a"}).ok());
  EXPECT_TRUE(Complete({""}).ok());
  auto upload = Create();
  Status status = upload->PutPart({3, 6, Bytes("abc")}).status();
  EXPECT_EQ(Kind(status), ErrorKind::kLimit);
  EXPECT_EQ(status.message(), "part 3: max_parts is 2");
  EXPECT_EQ(Kind(upload->PutPart({0, 0, Bytes("abc")}).status()), ErrorKind::kLimit);
  status = upload->PutPart({1, 0, Bytes("abcdef")}).status();
  EXPECT_EQ(status.message(), "part 1 of 6 bytes: max_part_bytes is 5");
  status = store_->Put("key", Bytes("abcdefg"), kWrite, {}).status();
  EXPECT_EQ(Kind(status), ErrorKind::kLimit);
  EXPECT_EQ(status.message(), "object 'key' of 7 bytes: max_put_bytes is 6");

  Use({.equal_parts = true});
  EXPECT_FALSE(Complete({"abc", "ab", "abc"}).ok());
  EXPECT_FALSE(Complete({"abc", "abcd"}).ok());
  EXPECT_TRUE(Complete({"abc", "abc", "ab"}).ok());
  EXPECT_TRUE(Complete({"abc", "abc"}).ok());
}

TEST_F(MemoryStoreTest, BytesMustHaveTheirChecksum) {
  ByteSlice slice = ByteSlice::Copy("abc");
  slice.crc64 ^= 1;
  EXPECT_EQ(Kind(Create()->PutPart({1, 0, ByteSlices(slice)}).status()), ErrorKind::kInvalid);
  EXPECT_EQ(Kind(store_->Put("key", ByteSlices(slice), kWrite, {}).status()), ErrorKind::kInvalid);
}

TEST_F(MemoryStoreTest, ConditionsHoldForPutAndComplete) {
  auto upload = Create();
  const std::vector<PartReceipt> receipts = PutAll(upload.get(), {"new"});
  const PutCondition absent{.if_absent = true};
  EXPECT_EQ(Kind(store_->Put("key", Bytes("x"), kWrite, {.if_match_etag = "none"}).status()), ErrorKind::kPrecondition);
  const ObjectMeta first = *store_->Put("key", Bytes("first"), kWrite, absent);
  EXPECT_EQ(Kind(store_->Put("key", Bytes("x"), kWrite, absent).status()), ErrorKind::kPrecondition);
  EXPECT_EQ(Kind(upload->Complete(receipts, absent).status()), ErrorKind::kPrecondition);
  EXPECT_EQ(Kind(upload->Complete(receipts, {.if_match_etag = "other"}).status()), ErrorKind::kPrecondition);
  EXPECT_EQ(store_->Content("key"), "first");
  EXPECT_TRUE(upload->Complete(receipts, {.if_match_etag = first.etag}).ok());
  EXPECT_EQ(store_->Content("key"), "new");

  MemoryStoreOptions without;
  without.limits.conditional_put = false;
  Use(without);
  store_->PutForeign("key", "theirs");
  EXPECT_TRUE(store_->Put("key", Bytes("ours"), kWrite, absent).ok());
  EXPECT_EQ(store_->Content("key"), "ours");
}

TEST_F(MemoryStoreTest, RangesAndHeads) {
  store_->PutForeign("key", "abcdef");
  const ObjectMeta meta = *store_->Head("key");
  EXPECT_EQ(meta.write_id, "");
  EXPECT_EQ(*store_->GetRange("key", 2, 3, ""), "cde");
  EXPECT_EQ(*store_->GetRange("key", 4, 9, meta.etag), "ef");
  EXPECT_EQ(*store_->GetRange("key", 6, 1, ""), "");
  EXPECT_EQ(Kind(store_->GetRange("key", 7, 1, "").status()), ErrorKind::kInvalid);
  EXPECT_EQ(Kind(store_->GetRange("key", -1, 1, "").status()), ErrorKind::kInvalid);
  EXPECT_EQ(Kind(store_->GetRange("none", 0, 1, "").status()), ErrorKind::kNotFound);
  store_->PutForeign("key", "other");
  EXPECT_EQ(Kind(store_->GetRange("key", 0, 1, meta.etag).status()), ErrorKind::kPrecondition);
  EXPECT_TRUE(store_->SyncObject("key").ok());
  store_->Delete("key");
  EXPECT_EQ(Kind(store_->SyncObject("key")), ErrorKind::kNotFound);
  EXPECT_EQ(Kind(store_->Put("/key", {}, kWrite, {}).status()), ErrorKind::kInvalid);
  EXPECT_EQ(Kind(store_->CreateUpload({"", kWrite}).status()), ErrorKind::kInvalid);

  Use({.object_crc64 = false, .keeps_write_ids = false});
  const ObjectMeta bare = *store_->Put("key", Bytes("abc"), kWrite, {});
  EXPECT_EQ(bare.write_id, "");
  EXPECT_FALSE(bare.crc64.has_value());
}

TEST_F(MemoryStoreTest, UploadsAreListedAndCallsCounted) {
  auto one = *store_->CreateUpload({"a/one", kWrite});
  auto two = *store_->CreateUpload({"b/two", kWrite});
  const std::vector<UploadSummary> found = *store_->ListUploads("a/");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "a/one");
  EXPECT_EQ(found[0].id, one->id());
  EXPECT_EQ(found[0].initiated, FakeClock::kStart);
  EXPECT_EQ(store_->ListUploads("")->size(), 2u);
  PutAll(two.get(), {"ab", "c"});
  EXPECT_EQ(store_->Uploads().at(two->id()).parts.at(2), "c");
  EXPECT_EQ(store_->calls(), (CallCounts{.create_upload = 2, .list_uploads = 2, .put_part = 2}));
  EXPECT_EQ(::testing::PrintToString(store_->calls()), "2 CreateUpload, 2 ListUploads, 2 PutPart");
  EXPECT_EQ(store_->calls().total(), 6);
  store_->ResetCalls();
  EXPECT_EQ(store_->calls(), CallCounts{});
}

}  // namespace
}  // namespace tailrace
