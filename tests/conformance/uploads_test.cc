// Open uploads: parts, listings, handles, the end without an object.
#include <future>

#include "tailrace/uploads.h"
#include "tests/conformance/conformance_fixture.h"

namespace tailrace {
namespace {

class Uploads : public ConformanceTest {
 protected:
  // A part for an upload that is gone.
  void ExpectGone(const Result<PartReceipt>& put) {
    ASSERT_FALSE(put.ok());
    const ErrorKind kind = differs().gone_part_is_transient ? ErrorKind::kTransient : ErrorKind::kUploadGone;
    EXPECT_EQ(KindOf(put.status()), kind) << put.status().ToString();
  }
};
TAILRACE_ON_EACH_STORE(Uploads);

TEST_P(Uploads, NothingIsVisibleBeforeComplete) {
  const std::unique_ptr<Upload> upload = Create(Key());
  PutAll(upload.get(), {PartOf(1), PartOf(2, 7)});
  ASSERT_OK(upload->Sync());
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
  ASSERT_OK(upload->Abort());
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
}

TEST_P(Uploads, PartsAreListedAsTheyWereStored) {
  const std::unique_ptr<Upload> upload = Create(Key());
  EXPECT_TRUE(upload->ListParts({}).ValueOrDie().empty());
  // Stored out of order.
  std::vector<PartReceipt> receipts;
  for (const int number : {2, 3, 1})
    receipts.push_back(upload->PutPart(PartOf(number, number == 3 ? 5 : 0)).ValueOrDie());
  std::sort(receipts.begin(), receipts.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  ASSERT_OK_AND_ASSIGN(const std::vector<PartReceipt> listed, upload->ListParts(receipts));
  ASSERT_EQ(listed.size(), 3);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(listed[i].number, receipts[i].number);
    EXPECT_EQ(listed[i].size_bytes, receipts[i].size_bytes);
    EXPECT_EQ(listed[i].etag, receipts[i].etag);
    EXPECT_EQ(listed[i].crc64, receipts[i].crc64);
  }
}

TEST_P(Uploads, ManyPartsAreAllListed) {
  const int count = std::min(differs().many_parts, differs().max_parts);
  const std::unique_ptr<Upload> upload = Create(Key());
  std::vector<PartReceipt> receipts;
  for (int number = 1; number <= count; ++number) {
    receipts.push_back(
        upload->PutPart({.number = number, .offset_bytes = number - 1, .body = SlicesOf("x")}).ValueOrDie());
  }
  const std::vector<PartReceipt> listed = upload->ListParts(receipts).ValueOrDie();
  ASSERT_EQ(listed.size(), receipts.size());
  for (size_t i = 0; i < listed.size(); ++i) ASSERT_EQ(listed[i].number, static_cast<int>(i) + 1);
  EXPECT_OK(upload->Abort());
}

TEST_P(Uploads, PartNumbersHaveLimits) {
  const std::unique_ptr<Upload> upload = Create(Key());
  EXPECT_EQ(store()->limits().max_parts, differs().max_parts);
  if (differs().checks_part_numbers) {
    EXPECT_KIND(ErrorKind::kLimit, upload->PutPart(PartOf(differs().max_parts + 1, 1)));
  }
  EXPECT_FALSE(upload->PutPart(PartOf(0, 1)).ok());
  EXPECT_TRUE(upload->ListParts({}).ValueOrDie().empty());
}

TEST_P(Uploads, PartStoredAgainReplaces) {
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK(upload->PutPart(PartOf(1, 10, 'x')));
  ASSERT_OK_AND_ASSIGN(const PartReceipt again, upload->PutPart(PartOf(1, 20, 'y')));
  ASSERT_OK_AND_ASSIGN(const std::vector<PartReceipt> listed, upload->ListParts({again}));
  ASSERT_EQ(listed.size(), 1);
  if (differs().lists_newest_part) {
    EXPECT_EQ(listed[0].size_bytes, 20);
  }
  ASSERT_OK(upload->Complete({again}, {}));
  EXPECT_TRUE(Holds(Key(), std::string(20, 'y')));
}

TEST_P(Uploads, PartsMayBePutAtTheSameTime) {
  const std::unique_ptr<Upload> upload = Create(Key());
  std::vector<std::future<Result<PartReceipt>>> running;
  for (int number = 1; number <= 4; ++number) {
    running.push_back(std::async(std::launch::async, [&, number] { return upload->PutPart(PartOf(number)); }));
  }
  std::vector<PartReceipt> receipts;
  for (auto& one : running) receipts.push_back(one.get().ValueOrDie());
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_TRUE(Holds(Key(), TextOf({PartOf(1), PartOf(2), PartOf(3), PartOf(4)})));
}

TEST_P(Uploads, AnotherHandleGoesOn) {
  std::unique_ptr<Upload> upload = Create(Key());
  const UploadId id = upload->id();
  std::vector<PartReceipt> receipts = PutAll(upload.get(), {PartOf(1)});
  ASSERT_OK(upload->Sync());
  if (differs().keeps_locks) {
    EXPECT_KIND(ErrorKind::kWriterAlive, store()->OpenUpload(Key(), id));
  }
  upload.reset();
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Upload> other, store()->OpenUpload(Key(), id));
  EXPECT_EQ(other->id(), id);
  EXPECT_EQ(other->ListParts(receipts).ValueOrDie().size(), 1);
  receipts.push_back(other->PutPart(PartOf(2, 5)).ValueOrDie());
  ASSERT_OK(other->Complete(receipts, {}));
  EXPECT_TRUE(Holds(Key(), TextOf({PartOf(1), PartOf(2, 5)})));
}

TEST_P(Uploads, UploadsOfOneKeyAreApart) {
  const std::unique_ptr<Upload> one = Create(Key()), two = Create(Key());
  EXPECT_NE(one->id(), two->id());
  const std::vector<PartReceipt> of_one = PutAll(one.get(), {PartOf(1, 10, 'x')});
  const std::vector<PartReceipt> of_two = PutAll(two.get(), {PartOf(1, 10, 'y')});
  ASSERT_OK(two->Complete(of_two, {}));
  EXPECT_TRUE(Holds(Key(), std::string(10, 'y')));
  ASSERT_OK(one->Complete(of_one, {}));
  EXPECT_TRUE(Holds(Key(), std::string(10, 'x'))) << "the last one wins";
}

TEST_P(Uploads, ListsThoseThatAreOpen) {
  const WriteId write = NewWrite();
  const std::unique_ptr<Upload> a = Create(Key("list/a"), write), b = Create(Key("list/b"));
  ASSERT_OK_AND_ASSIGN(const std::vector<UploadSummary> both, store()->ListUploads(Key("list/")));
  EXPECT_EQ(both.size(), 2);
  ASSERT_OK_AND_ASSIGN(const std::vector<UploadSummary> one, store()->ListUploads(Key("list/a")));
  ASSERT_EQ(one.size(), 1);
  EXPECT_EQ(one[0].id, a->id());
  EXPECT_EQ(one[0].key, Key("list/a"));
  EXPECT_THAT(one[0].write_id, ::testing::AnyOf("", write.text));
  EXPECT_EQ(Clock::System()->Now() - one[0].initiated < std::chrono::minutes(5), differs().tells_upload_time);
  ASSERT_OK(a->Complete(PutAll(a.get(), {PartOf(1, 5)}), {}));
  ASSERT_OK(b->Abort());
  EXPECT_TRUE(OpenUploadsOf(Key("list/")).empty());
}

TEST_P(Uploads, ThoseAtOrUnderAPrefixAreFoundAndDropped) {
  std::unique_ptr<Upload> a = Create(Key("sweep/a")), b = Create(Key("sweep/b/c")), other = Create(Key("sweeper"));
  PutAll(a.get(), {PartOf(1, 5)});
  const UploadClaim claim{.name = "state", .upload_id = b->id()};
  ASSERT_OK_AND_ASSIGN(const std::vector<OpenUpload> found,
                       ListOpenUploads(store(), Key("sweep"), {.claims = {claim}, .sizes = true}));
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].summary.key, Key("sweep/a"));
  EXPECT_EQ(found[0].stored_bytes, 5);
  EXPECT_FALSE(found[0].finishable);
  EXPECT_EQ(found[1].summary.id, b->id());
  EXPECT_TRUE(found[1].finishable);
  if (differs().keeps_locks) {
    EXPECT_KIND(ErrorKind::kWriterAlive, AbortOpenUpload(store(), found[0]));
  }
  a.reset();
  b.reset();
  for (const OpenUpload& upload : found) EXPECT_OK(AbortOpenUpload(store(), upload));
  // Gone already.
  EXPECT_OK(AbortOpenUpload(store(), found[0]));
  EXPECT_TRUE(ListOpenUploads(store(), Key("sweep")).ValueOrDie().empty());
  EXPECT_EQ(OpenUploadsOf(Key("sweeper")).size(), 1);
  ASSERT_OK(other->Abort());
}

TEST_P(Uploads, AbortedUploadIsGone) {
  std::unique_ptr<Upload> upload = Create(Key());
  const UploadId id = upload->id();
  const std::vector<PartReceipt> receipts = PutAll(upload.get(), {PartOf(1, 5)});
  ASSERT_OK(upload->Abort());
  const Status again = upload->Abort();
  EXPECT_TRUE(again.ok() || KindOf(again) == ErrorKind::kUploadGone) << again.ToString();
  ExpectGone(upload->PutPart(PartOf(2, 5)));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->ListParts({}));
  const auto completed = upload->Complete(receipts, {});
  ASSERT_FALSE(completed.ok());
  const bool transient = differs().gone_complete_is_transient;
  EXPECT_EQ(KindOf(completed.status()), transient ? ErrorKind::kTransient : ErrorKind::kUploadGone)
      << completed.status().ToString();
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
  EXPECT_TRUE(OpenUploadsOf(Key()).empty());
  upload.reset();
  // Opening may send nothing; then the first call says it.
  auto opened = store()->OpenUpload(Key(), id);
  if (opened.ok()) {
    EXPECT_KIND(ErrorKind::kUploadGone, (*opened)->ListParts({}));
  } else {
    EXPECT_EQ(KindOf(opened.status()), ErrorKind::kUploadGone) << opened.status().ToString();
  }
}

// A server may refuse such a part before it has read it, and close while it is being sent.
TEST_P(Uploads, WholePartForAnUploadThatIsGone) {
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK(upload->Abort());
  // An answer that may be repeated is repeated for a while, which says nothing new.
  for (int i = 0; i < (differs().gone_part_is_transient ? 1 : 5); ++i) ExpectGone(upload->PutPart(PartOf(1)));
}

}  // namespace
}  // namespace tailrace
