// Whole objects: Put, Head, GetRange.
#include "tests/conformance/conformance_fixture.h"

namespace tailrace {
namespace {

class Objects : public ConformanceTest {};
TAILRACE_ON_EACH_STORE(Objects);

TEST_P(Objects, PutIsThere) {
  const WriteId write = NewWrite();
  const std::string text = "0123456789";
  ASSERT_OK_AND_ASSIGN(const ObjectMeta put, store()->Put(Key(), SlicesOf(text), write, {}));
  EXPECT_EQ(put.size_bytes, 10);
  ASSERT_OK_AND_ASSIGN(const ObjectMeta head, store()->Head(Key()));
  EXPECT_EQ(head.size_bytes, 10);
  EXPECT_FALSE(head.etag.empty());
  EXPECT_EQ(put.etag, head.etag);
  EXPECT_EQ(head.write_id, write.text);
  if (head.crc64) {
    EXPECT_EQ(*head.crc64, Crc64Nvme(text.data(), text.size()));
  }
  const auto age = Clock::System()->Now() - head.last_modified;
  EXPECT_LT(age, std::chrono::minutes(5));
  EXPECT_GT(age, -std::chrono::minutes(5));
  EXPECT_OK(store()->SyncObject(Key()));
}

TEST_P(Objects, RangesAreExact) {
  ASSERT_OK(store()->Put(Key(), SlicesOf("0123456789"), NewWrite(), {}));
  const auto get = [&](int64_t offset, int64_t length) {
    return store()->GetRange(Key(), offset, length, "").ValueOrDie();
  };
  EXPECT_EQ(get(0, 10), "0123456789");
  EXPECT_EQ(get(3, 4), "3456");
  EXPECT_EQ(get(9, 1), "9");
  EXPECT_EQ(get(8, 100), "89") << "shorter at the end";
  EXPECT_EQ(get(10, 5), "") << "nothing behind the end";
  EXPECT_EQ(get(4, 0), "");
}

TEST_P(Objects, RangeOfAnotherContentIsRefused) {
  ASSERT_OK_AND_ASSIGN(const ObjectMeta first, store()->Put(Key(), SlicesOf("first"), NewWrite(), {}));
  EXPECT_EQ(store()->GetRange(Key(), 0, 5, first.etag).ValueOrDie(), "first");
  ASSERT_OK(store()->Put(Key(), SlicesOf("other"), NewWrite(), {}));
  EXPECT_KIND(ErrorKind::kPrecondition, store()->GetRange(Key(), 0, 5, first.etag));
}

TEST_P(Objects, PutReplaces) {
  const WriteId second = NewWrite();
  ASSERT_OK_AND_ASSIGN(const ObjectMeta before, store()->Put(Key(), SlicesOf("a longer text"), NewWrite(), {}));
  ASSERT_OK_AND_ASSIGN(const ObjectMeta after, store()->Put(Key(), SlicesOf("short"), second, {}));
  EXPECT_NE(before.etag, after.etag);
  EXPECT_TRUE(Holds(Key(), "short"));
  EXPECT_EQ(store()->Head(Key()).ValueOrDie().write_id, second.text);
}

TEST_P(Objects, EmptyObject) {
  ASSERT_OK(store()->Put(Key(), ByteSlices(), NewWrite(), {}));
  ASSERT_OK_AND_ASSIGN(const ObjectMeta head, store()->Head(Key()));
  EXPECT_EQ(head.size_bytes, 0);
  EXPECT_EQ(store()->GetRange(Key(), 0, 10, "").ValueOrDie(), "");
}

TEST_P(Objects, ManySlicesAreOneRun) {
  ByteSlices body;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    const std::string piece(static_cast<size_t>(i * 37 % 5000), static_cast<char>('a' + i % 26));
    text += piece;
    body.Append(ByteSlice::Copy(piece));
  }
  ASSERT_OK(store()->Put(Key(), body, NewWrite(), {}));
  EXPECT_TRUE(Holds(Key(), text));
}

TEST_P(Objects, NothingIsNotFound) {
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key("none")));
  EXPECT_KIND(ErrorKind::kNotFound, store()->GetRange(Key("none"), 0, 1, ""));
}

TEST_P(Objects, PutIfAbsent) {
  const PutCondition absent{.if_absent = true};
  ASSERT_OK(store()->Put(Key(), SlicesOf("first"), NewWrite(), absent));
  EXPECT_KIND(ErrorKind::kPrecondition, store()->Put(Key(), SlicesOf("other"), NewWrite(), absent));
  EXPECT_TRUE(Holds(Key(), "first"));
}

TEST_P(Objects, PutIfMatch) {
  ASSERT_OK_AND_ASSIGN(const ObjectMeta first, store()->Put(Key(), SlicesOf("first"), NewWrite(), {}));
  const PutCondition wrong{.if_match_etag = "\"00000000000000000000000000000000\""};
  EXPECT_KIND(ErrorKind::kPrecondition, store()->Put(Key(), SlicesOf("other"), NewWrite(), wrong));
  EXPECT_KIND(ErrorKind::kPrecondition, store()->Put(Key("none"), SlicesOf("other"), NewWrite(), wrong));
  EXPECT_TRUE(Holds(Key(), "first"));
  ASSERT_OK(store()->Put(Key(), SlicesOf("again"), NewWrite(), {.if_match_etag = first.etag}));
  EXPECT_TRUE(Holds(Key(), "again"));
}

// Each key is put, read, listed among uploads and written as an upload.
TEST_P(Objects, KeysAreTakenByteForByte) {
  // What a server cannot keep it calls an error of its own, which would be tried for a long time.
  std::shared_ptr<MultipartStore> once = under_test_->With([](StoreOptions* options) { options->s3.max_attempts = 1; });
  if (once == nullptr) once = under_test_->store();
  for (const auto& [name, odd] : OddKeys()) {
    SCOPED_TRACE(name);
    const auto found = differs().keys.find(name);
    const KeyFate fate = found == differs().keys.end() ? KeyFate::kWorks : found->second;
    std::string key = Key(odd);
    if (name == "1024 bytes") key.resize(1024, 'k');
    const Status put = once->Put(key, SlicesOf(name), NewWrite(), {}).status();
    if (fate == KeyFate::kRefused) {
      EXPECT_FALSE(put.ok() && Holds(key, name)) << "it works now";
      continue;
    }
    ASSERT_OK(put);
    EXPECT_TRUE(Holds(key, name));
    Result<std::unique_ptr<Upload>> upload = once->CreateUpload({key, NewWrite()});
    if (fate == KeyFate::kPutAlone) {
      EXPECT_FALSE(upload.ok()) << "it works now";
      continue;
    }
    ASSERT_OK(upload);
    ASSERT_OK_AND_ASSIGN(const std::vector<UploadSummary> listed, store()->ListUploads(key));
    // Under the key that it is taken for, or not at all.
    if (fate != KeyFate::kShared) {
      EXPECT_EQ(listed.size(), fate == KeyFate::kUnlisted ? 0 : 1);
    }
    if (fate == KeyFate::kWorks && !listed.empty()) {
      EXPECT_EQ(listed[0].key, key);
    }
    const std::vector<Part> parts = {PartOf(1, 3)};
    ASSERT_OK((*upload)->Complete(PutAll(upload->get(), parts), {}));
    EXPECT_TRUE(Holds(key, TextOf(parts)));
  }
}

TEST_P(Objects, DoubleSlashIsAnotherKey) {
  const auto found = differs().keys.find("double slash");
  const KeyFate fate = found == differs().keys.end() ? KeyFate::kWorks : found->second;
  ASSERT_OK(store()->Put(Key("x/y"), SlicesOf("one"), NewWrite(), {}));
  const Status put = store()->Put(Key("x//y"), SlicesOf("two"), NewWrite(), {}).status();
  EXPECT_EQ(put.ok(), fate != KeyFate::kRefused) << put.ToString();
  EXPECT_TRUE(Holds(Key("x/y"), fate == KeyFate::kShared ? "two" : "one"));
}

}  // namespace
}  // namespace tailrace
