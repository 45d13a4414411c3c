#include "store/local_upload.h"

#include <fcntl.h>
#include <sys/xattr.h>

#include <filesystem>
#include <limits>
#include <thread>

#include <gmock/gmock.h>

#include "store/local_fixture.h"
#include "store/posix_files.h"

namespace tailrace {
namespace {

using ::testing::HasSubstr;

// Counts the bytes that are read back.
class ReadCounter : public PosixFiles {
 public:
  int64_t ReadAt(int fd, void* out, int64_t size, int64_t offset) override {
    const int64_t got = PosixFiles::ReadAt(fd, out, size, offset);
    if (got > 0) bytes += got;
    return got;
  }
  int64_t bytes = 0;
};

class LocalUploadTest : public LocalFixture {
 protected:
  std::string HiddenPath(const UploadId& id) const {
    return folder_.PathOf(".tailrace/" + id.text.substr(0, id.text.find('@')));
  }
};

TEST_F(LocalUploadTest, NothingIsVisibleBeforeComplete) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 3);
  ASSERT_OK(upload->Sync());
  EXPECT_FALSE(folder_.Has("x"));
  EXPECT_EQ(hidden_files(), 1);
  ASSERT_OK_AND_ASSIGN(const ObjectMeta meta, upload->Complete(receipts, {}));
  EXPECT_EQ(folder_.Read("x"), Content(3));
  EXPECT_EQ(hidden_files(), 0);
  EXPECT_EQ(meta.size_bytes, 3000);
  EXPECT_EQ(meta.write_id, kTestWrite.text);
  EXPECT_EQ(store_->Head(key()).ValueOrDie().etag, meta.etag);
}

TEST_F(LocalUploadTest, DestructionKeepsTheUpload) {
  auto upload = Create();
  const UploadId id = upload->id();
  const auto receipts = PutParts(upload.get(), 2);
  upload.reset();
  EXPECT_FALSE(folder_.Has("x"));
  ASSERT_OK_AND_ASSIGN(upload, store_->OpenUpload(key(), id));
  EXPECT_EQ(upload->id(), id);
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(folder_.Read("x"), Content(2));
}

TEST_F(LocalUploadTest, ReceiptsTellSizePlaceAndChecksum) {
  auto upload = Create();
  ASSERT_OK_AND_ASSIGN(const PartReceipt receipt, upload->PutPart(TestPart(2)));
  EXPECT_EQ(receipt.number, 2);
  EXPECT_EQ(receipt.offset_bytes, 1000);
  EXPECT_EQ(receipt.size_bytes, 1000);
  EXPECT_EQ(receipt.crc64, Crc64Nvme(PartText(2).data(), 1000));
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(receipt.crc64));
  EXPECT_EQ(receipt.etag, hex);
}

TEST_F(LocalUploadTest, APartOfManySlicesIsOneRunOfBytes) {
  auto upload = Create();
  Part part{.number = 1, .offset_bytes = 0, .body = {}};
  for (const char* text : {"one", "", "two", "three"}) part.body.Append(ByteSlice::Copy(text));
  ASSERT_OK_AND_ASSIGN(const PartReceipt receipt, upload->PutPart(part));
  ASSERT_OK(upload->Complete({receipt}, {}));
  EXPECT_EQ(folder_.Read("x"), "onetwothree");
}

TEST_F(LocalUploadTest, PartsGoIntoTheirPlacesFromManyThreads) {
  auto upload = Create();
  std::vector<PartReceipt> receipts(20);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 19 - t; i >= 0; i -= 4) receipts[i] = upload->PutPart(TestPart(i + 1)).ValueOrDie();
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(folder_.Read("x"), Content(20));
}

TEST_F(LocalUploadTest, AWorkedOverPartCountsAsItsLastVersion) {
  auto upload = Create();
  auto receipts = PutParts(upload.get(), 2);
  Part other = TestPart(1);
  other.body = Bytes(PartText(9));
  const PartReceipt old = receipts[0];
  ASSERT_OK_AND_ASSIGN(receipts[0], upload->PutPart(other));
  const auto refused = upload->Complete({old, receipts[1]}, {});
  EXPECT_KIND(ErrorKind::kPartMismatch, refused);
  EXPECT_EQ(DetailOf(refused.status())->part_number, 1);
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(folder_.Read("x"), PartText(9) + PartText(2));
}

TEST_F(LocalUploadTest, CompleteCutsOffWhatALostWriterAdded) {
  auto upload = Create();
  auto receipts = PutParts(upload.get(), 5);
  receipts.resize(2);
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(folder_.Read("x"), Content(2));
}

TEST_F(LocalUploadTest, CompleteNeedsPartsWithoutAGap) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 3);
  EXPECT_KIND(ErrorKind::kInvalid, upload->Complete({}, {}));
  EXPECT_KIND(ErrorKind::kInvalid, upload->Complete({receipts[1]}, {}));
  EXPECT_KIND(ErrorKind::kInvalid, upload->Complete({receipts[0], receipts[2]}, {}));
  EXPECT_KIND(ErrorKind::kInvalid, upload->Complete({receipts[1], receipts[0]}, {}));
  PartReceipt huge = receipts[1];
  huge.size_bytes = std::numeric_limits<int64_t>::max();
  EXPECT_KIND(ErrorKind::kInvalid, upload->Complete({receipts[0], huge}, {}));
  huge.size_bytes = -1;
  EXPECT_KIND(ErrorKind::kInvalid, upload->Complete({receipts[0], huge}, {}));
  EXPECT_FALSE(folder_.Has("x"));
  ASSERT_OK(upload->Complete(receipts, {}));
}

TEST_F(LocalUploadTest, CompleteRefusesBytesThatSomebodyElseChanged) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 3);
  const UploadId id = upload->id();
  upload.reset();
  const int fd = PosixFiles::Get()->Open(HiddenPath(id), O_RDWR, 0);
  char byte = '!';
  const iovec piece{&byte, 1};
  PosixFiles::Get()->WriteAt(fd, std::span(&piece, 1), 1999);
  ASSERT_OK_AND_ASSIGN(upload, store_->OpenUpload(key(), id));
  const auto refused = upload->Complete(receipts, {});
  EXPECT_KIND(ErrorKind::kPartMismatch, refused);
  EXPECT_EQ(DetailOf(refused.status())->part_number, 2);
  EXPECT_FALSE(folder_.Has("x"));
  EXPECT_EQ(upload->ListParts(receipts).ValueOrDie(), (std::vector<PartReceipt>{receipts[0], receipts[2]}));
  // The upload stays, and can be mended.
  ASSERT_OK(upload->PutPart(TestPart(2)));
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(folder_.Read("x"), Content(3));
  PosixFiles::Get()->Close(fd);
}

TEST_F(LocalUploadTest, CompleteRefusesPartsThatAreNotThere) {
  auto upload = Create();
  auto receipts = PutParts(upload.get(), 2);
  receipts.push_back(ReceiptOf(TestPart(3)));
  const auto refused = upload->Complete(receipts, {});
  EXPECT_KIND(ErrorKind::kPartMismatch, refused);
  EXPECT_EQ(DetailOf(refused.status())->part_number, 3);
  EXPECT_FALSE(folder_.Has("x"));
}

TEST_F(LocalUploadTest, WithoutVerifyOnlySizesAreChecked) {
  ReadCounter files;
  auto store = LocalStore::Make({}, &files);
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 3);
  const UploadId id = upload->id();
  upload.reset();
  ASSERT_OK_AND_ASSIGN(upload, store->OpenUpload(key(), id, {.verify = false}));
  EXPECT_EQ(upload->ListParts(receipts).ValueOrDie(), receipts);
  std::vector<PartReceipt> more = receipts;
  more.push_back(ReceiptOf(TestPart(4)));
  EXPECT_EQ(upload->ListParts(more).ValueOrDie(), receipts);
  EXPECT_KIND(ErrorKind::kPartMismatch, upload->Complete(more, {}));
  EXPECT_EQ(files.bytes, 0);
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(files.bytes, 0);
}

TEST_F(LocalUploadTest, PartsAreReadBackOnceAndOnlyByOthers) {
  ReadCounter files;
  store_ = LocalStore::Make({}, &files);
  auto upload = Create();
  auto receipts = PutParts(upload.get(), 3);
  EXPECT_EQ(upload->ListParts(receipts).ValueOrDie(), receipts);
  const UploadId id = upload->id();
  upload.reset();
  EXPECT_EQ(files.bytes, 0);
  ASSERT_OK_AND_ASSIGN(upload, store_->OpenUpload(key(), id));
  EXPECT_EQ(upload->ListParts(receipts).ValueOrDie(), receipts);
  EXPECT_EQ(files.bytes, 3000);
  receipts.push_back(upload->PutPart(TestPart(4)).ValueOrDie());
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(files.bytes, 3000);
}

TEST_F(LocalUploadTest, ASealSparesReadingBackUntilSomebodyOpensTheUpload) {
  ReadCounter files;
  store_ = LocalStore::Make({}, &files);
  auto upload = Create();
  auto receipts = PutParts(upload.get(), 3);
  const UploadId id = upload->id();
  std::string seal = upload->Seal();
  EXPECT_FALSE(seal.empty());
  upload.reset();
  ASSERT_OK_AND_ASSIGN(upload, store_->OpenUpload(key(), id, {.seal = seal}));
  EXPECT_EQ(upload->ListParts(receipts).ValueOrDie(), receipts);
  EXPECT_EQ(files.bytes, 0);
  // What this opening writes over is not covered.
  Part other = TestPart(1);
  other.body = Bytes(PartText(9));
  ASSERT_OK(upload->PutPart(other));
  EXPECT_KIND(ErrorKind::kPartMismatch, upload->Complete(receipts, {}));
  ASSERT_OK(upload->PutPart(TestPart(1)));
  seal = upload->Seal();
  upload.reset();
  // Somebody in between.
  ASSERT_OK(store_->OpenUpload(key(), id));
  files.bytes = 0;
  ASSERT_OK_AND_ASSIGN(upload, store_->OpenUpload(key(), id, {.seal = seal}));
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(files.bytes, 3000);
}

TEST_F(LocalUploadTest, ListKnowsPartsThatNobodyExpected) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 3);
  EXPECT_EQ(upload->ListParts({}).ValueOrDie(), receipts);
  PartReceipt bad = ReceiptOf(TestPart(4));
  bad.offset_bytes = -1;
  EXPECT_EQ(upload->ListParts({bad}).ValueOrDie(), receipts);
}

TEST_F(LocalUploadTest, PublishedFileKeepsOnlyTheWriteId) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 1);
  char buffer[256];
  const std::string hidden = HiddenPath(upload->id());
  EXPECT_GT(::getxattr(hidden.c_str(), "user.tailrace.owner", buffer, sizeof buffer), 0);
  EXPECT_EQ(::getxattr(hidden.c_str(), "user.tailrace.target", buffer, sizeof buffer), 1);
  ASSERT_OK(upload->Complete(receipts, {}));
  const ssize_t size = ::listxattr(folder_.PathOf("x").c_str(), buffer, sizeof buffer);
  ASSERT_GT(size, 0);
  const std::string names(buffer, size);
  EXPECT_THAT(names, HasSubstr("user.tailrace.write_id"));
  EXPECT_THAT(names, ::testing::Not(HasSubstr("user.tailrace.owner")));
  EXPECT_THAT(names, ::testing::Not(HasSubstr("user.tailrace.target")));
}

TEST_F(LocalUploadTest, ACompletedUploadIsGone) {
  auto upload = Create();
  const UploadId id = upload->id();
  const auto receipts = PutParts(upload.get(), 1);
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->PutPart(TestPart(1)));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->Complete(receipts, {}));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->Sync());
  EXPECT_KIND(ErrorKind::kUploadGone, upload->ListParts(receipts));
  ASSERT_OK(upload->Abort());
  EXPECT_KIND(ErrorKind::kUploadGone, store_->OpenUpload(key(), id));
  EXPECT_EQ(folder_.Read("x"), Content(1));
}

TEST_F(LocalUploadTest, AbortLeavesNothing) {
  auto upload = Create();
  const UploadId id = upload->id();
  PutParts(upload.get(), 2);
  ASSERT_OK(upload->Abort());
  EXPECT_EQ(hidden_files(), 0);
  ASSERT_OK(upload->Abort());
  EXPECT_KIND(ErrorKind::kUploadGone, upload->PutPart(TestPart(1)));
  EXPECT_KIND(ErrorKind::kUploadGone, store_->OpenUpload(key(), id));
  EXPECT_FALSE(folder_.Has("x"));
}

TEST_F(LocalUploadTest, RemovedByHandItIsGone) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  std::filesystem::remove(HiddenPath(upload->id()));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->Complete(receipts, {}));
  EXPECT_FALSE(folder_.Has("x"));
  ASSERT_OK(upload->Abort());
}

TEST_F(LocalUploadTest, ACopyUnderTheSameNameIsAnotherUpload) {
  auto upload = Create();
  const UploadId id = upload->id();
  upload.reset();
  std::filesystem::copy_file(HiddenPath(id), folder_.PathOf("copy"));
  std::filesystem::rename(folder_.PathOf("copy"), HiddenPath(id));
  EXPECT_KIND(ErrorKind::kUploadGone, store_->OpenUpload(key(), id));
}

TEST_F(LocalUploadTest, CompleteHonoursItsCondition) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 4);
  const std::vector<PartReceipt> two(receipts.begin(), receipts.begin() + 2);
  EXPECT_KIND(ErrorKind::kPrecondition, upload->Complete(two, {.if_match_etag = "1-2-3"}));
  folder_.Write("x", "foreign");
  EXPECT_KIND(ErrorKind::kPrecondition, upload->Complete(two, {.if_absent = true}));
  EXPECT_KIND(ErrorKind::kPrecondition, upload->Complete(two, {.if_match_etag = "1-2-3"}));
  EXPECT_EQ(folder_.Read("x"), "foreign");
  // Refused, it lost none of its parts.
  ASSERT_OK_AND_ASSIGN(const ObjectMeta foreign, store_->Head(key()));
  ASSERT_OK(upload->Complete(receipts, {.if_match_etag = foreign.etag}));
  EXPECT_EQ(folder_.Read("x"), Content(4));
}

TEST_F(LocalUploadTest, IfAbsentPublishesWhereNothingIs) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  ASSERT_OK(upload->Complete(receipts, {.if_absent = true}));
  EXPECT_EQ(folder_.Read("x"), Content(2));
  EXPECT_EQ(hidden_files(), 0);
}

TEST_F(LocalUploadTest, AFolderThatTookTheNameIsNotReplaced) {
  auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  std::filesystem::create_directory(folder_.PathOf("x"));
  EXPECT_KIND(ErrorKind::kInvalid, upload->Complete(receipts, {}));
  std::filesystem::remove(folder_.PathOf("x"));
  ASSERT_OK(upload->Complete(receipts, {}));
}

TEST_F(LocalUploadTest, WhatAKillBetweenLinkAndUnlinkLeftIsTidiedUp) {
  auto upload = Create();
  const UploadId id = upload->id();
  PutParts(upload.get(), 2);
  upload.reset();
  std::filesystem::create_hard_link(HiddenPath(id), folder_.PathOf("x"));
  EXPECT_KIND(ErrorKind::kUploadGone, store_->OpenUpload(key(), id));
  EXPECT_EQ(hidden_files(), 0);
  EXPECT_EQ(folder_.Read("x"), Content(2));
}

TEST_F(LocalUploadTest, RefusesPartsThatCannotBe) {
  auto upload = Create();
  EXPECT_KIND(ErrorKind::kInvalid, upload->PutPart({.number = 0, .offset_bytes = 0, .body = Bytes("a")}));
  EXPECT_KIND(ErrorKind::kInvalid, upload->PutPart({.number = 1, .offset_bytes = -1, .body = Bytes("a")}));
}

}  // namespace
}  // namespace tailrace
