// Complete: what it makes, what it refuses, what it does when asked again.
#include "tests/conformance/conformance_fixture.h"

namespace tailrace {
namespace {

class Completing : public ConformanceTest {};
TAILRACE_ON_EACH_STORE(Completing);

TEST_P(Completing, MakesTheObject) {
  const WriteId write = NewWrite();
  const std::unique_ptr<Upload> upload = Create(Key(), write);
  const std::vector<Part> parts = {PartOf(1), PartOf(2), PartOf(3, 123)};
  const std::string text = TextOf(parts);
  ASSERT_OK_AND_ASSIGN(const ObjectMeta made, upload->Complete(PutAll(upload.get(), parts), {}));
  EXPECT_TRUE(Holds(Key(), text));
  ASSERT_OK_AND_ASSIGN(const ObjectMeta head, store()->Head(Key()));
  EXPECT_EQ(head.size_bytes, static_cast<int64_t>(text.size()));
  EXPECT_EQ(head.write_id, write.text);
  EXPECT_FALSE(head.etag.empty());
  // A store may leave the ETag out of its answer, but then it is empty, not another.
  EXPECT_THAT(made.etag, ::testing::AnyOf("", head.etag));
  EXPECT_EQ(head.crc64.has_value(), differs().tells_crc64);
  if (head.crc64) {
    EXPECT_EQ(*head.crc64, Crc64Nvme(text.data(), text.size()));
  }
  EXPECT_TRUE(OpenUploadsOf(Key()).empty());
}

TEST_P(Completing, OrderOfPuttingDoesNotMatter) {
  const std::unique_ptr<Upload> upload = Create(Key());
  std::vector<PartReceipt> receipts;
  for (const int number : {3, 1, 2})
    receipts.push_back(upload->PutPart(PartOf(number, number == 3 ? 9 : 0)).ValueOrDie());
  std::sort(receipts.begin(), receipts.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_TRUE(Holds(Key(), TextOf({PartOf(1), PartOf(2), PartOf(3, 9)})));
}

TEST_P(Completing, ReplacesAnObject) {
  ASSERT_OK(store()->Put(Key(), SlicesOf("old"), NewWrite(), {}));
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK(upload->Complete(PutAll(upload.get(), {PartOf(1, 5)}), {}));
  EXPECT_TRUE(Holds(Key(), "aaaaa"));
}

TEST_P(Completing, PartsThatWereNeverStoredAreMissed) {
  const std::unique_ptr<Upload> upload = Create(Key());
  std::vector<PartReceipt> receipts = PutAll(upload.get(), {PartOf(1)});
  PartReceipt never = receipts[0];
  never.number = 2;
  never.offset_bytes = never.size_bytes;
  receipts.push_back(never);
  EXPECT_KIND(ErrorKind::kPartMismatch, upload->Complete(receipts, {}));
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
  receipts.pop_back();
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_TRUE(Holds(Key(), TextOf({PartOf(1)})));
}

// Two writers of one upload: the one whose part was replaced must not publish the other's bytes.
TEST_P(Completing, OldReceiptOfAReplacedPart) {
  std::unique_ptr<Upload> upload = Create(Key());
  const UploadId id = upload->id();
  const std::vector<PartReceipt> old = PutAll(upload.get(), {PartOf(1, 10, 'x')});
  if (differs().keeps_locks) {
    upload.reset();
    upload = store()->OpenUpload(Key(), id).ValueOrDie();
  }
  const std::vector<PartReceipt> now = PutAll(upload.get(), {PartOf(1, 10, 'y')});
  if (differs().keeps_locks) {
    upload.reset();
    upload = store()->OpenUpload(Key(), id).ValueOrDie();
  }
  EXPECT_EQ(store()->limits().checks_part_etags, differs().checks_part_etags);
  if (!differs().checks_part_etags) {
    EXPECT_OK(upload->Complete(old, {}));
    return;
  }
  EXPECT_KIND(ErrorKind::kPartMismatch, upload->Complete(old, {}));
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
  ASSERT_OK(upload->Complete(now, {}));
  EXPECT_TRUE(Holds(Key(), std::string(10, 'y')));
}

TEST_P(Completing, StrayPartBehindTheEnd) {
  const std::unique_ptr<Upload> upload = Create(Key());
  std::vector<PartReceipt> receipts = PutAll(upload.get(), {PartOf(1), PartOf(2), PartOf(3)});
  receipts.pop_back();
  const auto made = upload->Complete(receipts, {});
  EXPECT_EQ(store()->limits().stray_parts != StrayParts::kRefused, differs().leaves_strays_out);
  if (differs().leaves_strays_out) {
    ASSERT_OK(made);
    EXPECT_TRUE(Holds(Key(), TextOf({PartOf(1), PartOf(2)})));
    return;
  }
  EXPECT_KIND(ErrorKind::kPartMismatch, made);
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
}

TEST_P(Completing, ShortPartInTheMiddle) {
  const std::unique_ptr<Upload> upload = Create(Key());
  Part second = PartOf(2, 5);
  second.offset_bytes = 10;
  const std::vector<PartReceipt> receipts = PutAll(upload.get(), {PartOf(1, 10), second});
  const auto made = upload->Complete(receipts, {});
  if (!differs().checks_part_size) {
    ASSERT_OK(made);
    EXPECT_TRUE(Holds(Key(), "aaaaaaaaaabbbbb"));
    return;
  }
  EXPECT_KIND(ErrorKind::kLimit, made);
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
}

TEST_P(Completing, AskedTwice) {
  const std::unique_ptr<Upload> upload = Create(Key());
  const std::vector<PartReceipt> receipts = PutAll(upload.get(), {PartOf(1), PartOf(2, 5)});
  ASSERT_OK(upload->Complete(receipts, {}));
  const std::string etag = store()->Head(Key()).ValueOrDie().etag;
  const auto again = upload->Complete(receipts, {});
  EXPECT_EQ(again.ok(), differs().completes_twice) << again.status().ToString();
  if (!again.ok()) {
    EXPECT_EQ(KindOf(again.status()), ErrorKind::kUploadGone) << again.status().ToString();
  }
  EXPECT_TRUE(Holds(Key(), TextOf({PartOf(1), PartOf(2, 5)})));
  EXPECT_EQ(store()->Head(Key()).ValueOrDie().etag, etag);
}

// A writer that was overtaken must not change what is published. Where the server lets it, at least nobody reads the
// wrong bytes.
TEST_P(Completing, PartAfterwards) {
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK(upload->Complete(PutAll(upload.get(), {PartOf(1, 10, 'x')}), {}));
  const auto put = upload->PutPart(PartOf(1, 10, 'y'));
  EXPECT_EQ(put.ok(), !differs().refuses_part_after_complete) << put.status().ToString();
  if (differs().refuses_part_after_complete) {
    EXPECT_TRUE(Holds(Key(), std::string(10, 'x')));
  } else {
    EXPECT_FALSE(store()->GetRange(Key(), 0, 10, "").ok());
  }
}

// The same bytes again, as a second finish sends them, do no harm anywhere.
TEST_P(Completing, SamePartAfterwards) {
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK(upload->Complete(PutAll(upload.get(), {PartOf(1, 10, 'x')}), {}));
  EXPECT_EQ(upload->PutPart(PartOf(1, 10, 'x')).ok(), !differs().refuses_part_after_complete);
  EXPECT_TRUE(Holds(Key(), std::string(10, 'x')));
}

TEST_P(Completing, AbortAfterwardsTakesNothingAway) {
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK(upload->Complete(PutAll(upload.get(), {PartOf(1, 5)}), {}));
  const Status aborted = upload->Abort();
  EXPECT_TRUE(aborted.ok() || KindOf(aborted) == ErrorKind::kUploadGone) << aborted.ToString();
  EXPECT_TRUE(Holds(Key(), "aaaaa"));
}

TEST_P(Completing, IfAbsentWhereAnObjectIs) {
  ASSERT_OK(store()->Put(Key(), SlicesOf("old"), NewWrite(), {}));
  const std::unique_ptr<Upload> upload = Create(Key());
  const std::vector<PartReceipt> receipts = PutAll(upload.get(), {PartOf(1, 5)});
  EXPECT_KIND(ErrorKind::kPrecondition, upload->Complete(receipts, {.if_absent = true}));
  EXPECT_TRUE(Holds(Key(), "old"));
  // The upload stays open.
  ASSERT_OK(upload->Complete(receipts, {}));
  EXPECT_TRUE(Holds(Key(), "aaaaa"));
}

TEST_P(Completing, IfAbsentWhereNothingIs) {
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK(upload->Complete(PutAll(upload.get(), {PartOf(1, 5)}), {.if_absent = true}));
  EXPECT_TRUE(Holds(Key(), "aaaaa"));
}

}  // namespace
}  // namespace tailrace
