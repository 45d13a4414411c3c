#include "store/s3/s3_store.h"

#include <gtest/gtest.h>

#include "store/s3/s3_calls.h"
#include "store/s3/s3_fixture.h"

namespace tailrace {
namespace {

class S3StoreTest : public S3Fixture {
 protected:
  ObjectOptions& options() { return setup_.settings.object; }
};

TEST_F(S3StoreTest, ASmallFileIsOnePutAndTheWriteIdComesBack) {
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const ObjectMeta put, store->Put("k", Bytes("content"), kTestWrite, {}));
  EXPECT_EQ(calls(), (Calls{{"PutObject", 1}}));
  EXPECT_EQ(put.size_bytes, 7);
  EXPECT_EQ(put.crc64, Bytes("content").crc64());
  ASSERT_OK_AND_ASSIGN(const ObjectMeta head, store->Head("k"));
  EXPECT_EQ(head.write_id, kTestWrite.text);
  EXPECT_EQ(head.etag, put.etag);
  EXPECT_EQ(head.size_bytes, 7);
  EXPECT_EQ(head.crc64, Bytes("content").crc64());
  EXPECT_LT(std::chrono::abs(head.last_modified - clock_.Now()), std::chrono::seconds(5));
}

TEST_F(S3StoreTest, HeadOfNothingIsNotFound) {
  EXPECT_KIND(ErrorKind::kNotFound, Store()->Head("k"));
  EXPECT_EQ(calls(), (Calls{{"HeadObject", 1}}));
}

TEST_F(S3StoreTest, RangesAreExactAndEndAtTheEnd) {
  transport_->service().PutForeign("bucket", "k", "0123456789");
  const auto store = Store();
  EXPECT_EQ(*store->GetRange("k", 2, 3, ""), "234");
  EXPECT_EQ(*store->GetRange("k", 8, 100, ""), "89");
  EXPECT_EQ(*store->GetRange("k", 10, 5, ""), "") << "416";
  EXPECT_EQ(calls(), (Calls{{"GetObject", 3}}));
  EXPECT_EQ(*store->GetRange("k", 3, 0, ""), "");
  EXPECT_EQ(calls(), (Calls{{"GetObject", 3}})) << "no bytes, no request";
  const std::string etag = store->Head("k")->etag;
  EXPECT_EQ(*store->GetRange("k", 0, 4, etag), "0123");
  EXPECT_KIND(ErrorKind::kPrecondition, store->GetRange("k", 0, 4, "\"other\""));
  EXPECT_KIND(ErrorKind::kNotFound, store->GetRange("absent", 0, 4, ""));
}

// C88
TEST_F(S3StoreTest, AnIgnoredRangeIsCutOut) {
  transport_->service().PutForeign("bucket", "k", "0123456789");
  Faults({{.when = {.operation = "GetObject", .times = -1}, .fault = {.ignore_range = true}}});
  EXPECT_EQ(*Store()->GetRange("k", 2, 3, ""), "234");
  EXPECT_EQ(*Store()->GetRange("k", 8, 5, ""), "89");
  EXPECT_EQ(*Store()->GetRange("k", 11, 5, ""), "");
}

TEST_F(S3StoreTest, OtherBytesThanThoseAskedForAreRefused) {
  transport_->service().PutForeign("bucket", "k", "0123456789");
  using Headers = std::map<std::string, std::optional<std::string>>;
  for (const Headers& headers : {Headers{{"Content-Range", "bytes 3-5/10"}}, Headers{{"Content-Range", std::nullopt}},
                                 Headers{{"Content-Range", "bytes 2-9/10"}}, Headers{{"Content-Encoding", "gzip"}}}) {
    Faults({{.when = {.operation = "GetObject", .times = -1}, .fault = {.headers = headers}}});
    EXPECT_KIND(ErrorKind::kInternal, Store()->GetRange("k", 2, 3, ""));
  }
}

TEST_F(S3StoreTest, KeysThatCannotBeAreRefusedBeforeARequest) {
  const auto store = Store();
  for (const std::string& key : {std::string(), std::string("/x"), std::string("a\0b", 3)}) {
    EXPECT_KIND(ErrorKind::kInvalid, store->Head(key));
    EXPECT_KIND(ErrorKind::kInvalid, store->GetRange(key, 0, 1, ""));
    EXPECT_KIND(ErrorKind::kInvalid, store->Put(key, Bytes("x"), kTestWrite, {}));
    EXPECT_KIND(ErrorKind::kInvalid, store->CreateUpload({key, kTestWrite}));
    EXPECT_KIND(ErrorKind::kInvalid, store->OpenUpload(key, {"id"}));
  }
  EXPECT_KIND(ErrorKind::kInvalid, store->Put("folder/", Bytes("x"), kTestWrite, {}));
  EXPECT_KIND(ErrorKind::kInvalid, store->CreateUpload({"folder/", kTestWrite}));
  EXPECT_KIND(ErrorKind::kBadState, store->OpenUpload("k", {""}));
  EXPECT_EQ(calls(), Calls{});
}

// C33: every call with keys that have to be encoded; signatures are checked strictly.
TEST_F(S3StoreTest, AnyKeyGoesThroughEveryCall) {
  for (const std::string& key :
       {std::string("a b/c+d=e&f%20%2F@$:,;?#'\"<>|\\^`{}~!*().parquet"),
        std::string("caf\xc3\xa9/\xe2\x82\xac/\xf0\x9f\x98\x80"), std::string("a/../b/./c//d")}) {
    const auto store = Store();
    ASSERT_OK(store->Put(key, Bytes("small"), kTestWrite, {}));
    EXPECT_EQ(*store->GetRange(key, 0, 5, ""), "small");
    EXPECT_EQ(Object(key), "small");
    ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({key, kTestWrite}));
    ASSERT_OK_AND_ASSIGN(const auto uploads, store->ListUploads(key));
    ASSERT_EQ(uploads.size(), 1u);
    EXPECT_EQ(uploads[0].key, key);
    EXPECT_EQ(uploads[0].id, upload->id());
    const auto receipts = PutParts(upload.get(), 3);
    EXPECT_OK(upload->ListParts(receipts));
    ASSERT_OK(upload->Complete(receipts, {}));
    EXPECT_EQ(Object(key), Content(3));
    ASSERT_OK_AND_ASSIGN(const S3Listing listing, ListObjects(store->context(), key, ""));
    ASSERT_EQ(listing.objects.size(), 1u);
    EXPECT_EQ(listing.objects[0].key, key);
    EXPECT_OK(DeleteObject(store->context(), key));
    EXPECT_KIND(ErrorKind::kNotFound, store->Head(key));
  }
}

// C45: only put and abort are allowed, everything about the bucket is not.
TEST_F(S3StoreTest, WritingNeedsNoRightButToPutAndToAbort) {
  Rules([](S3Rules* rules) {
    rules->signature.keys[0].denied = {"HeadBucket", "CreateBucket",     "ListObjectsV2", "ListMultipartUploads",
                                       "GetObject",  "GetObjectTagging", "HeadObject",    "ListParts"};
  });
  const auto store = Store();
  EXPECT_OK(store->Put("small", Bytes("x"), kTestWrite, {}));
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
  EXPECT_OK(upload->Complete(PutParts(upload.get(), 2), {}));
  ASSERT_OK_AND_ASSIGN(const auto other, store->CreateUpload({"k2", kTestWrite}));
  EXPECT_OK(other->Abort());
  EXPECT_KIND(ErrorKind::kDenied, store->Head("k"));
  EXPECT_KIND(ErrorKind::kDenied, other->ListParts({}));
}

// C46
TEST_F(S3StoreTest, WhatTheBucketDemandsIsSentWhereItIsWanted) {
  const std::map<std::string, std::string> demanded = {{"x-amz-server-side-encryption", "aws:kms"},
                                                       {"x-amz-acl", "bucket-owner-full-control"},
                                                       {"x-amz-storage-class", "STANDARD_IA"},
                                                       {"x-amz-tagging", "team=data"},
                                                       {"x-amz-object-lock-mode", "GOVERNANCE"}};
  Rules([&](S3Rules* rules) { rules->required_headers = demanded; });
  EXPECT_KIND(ErrorKind::kInvalid, Store()->CreateUpload({"k", kTestWrite}));
  options().encryption = S3EncryptionKind::kSseKms;
  options().acl = "bucket-owner-full-control";
  options().storage_class = "STANDARD_IA";
  options().tags = {{"team", "data"}};
  options().lock_mode = "GOVERNANCE";
  options().lock_until = clock_.Now() + std::chrono::hours(24);
  const auto store = Store();
  EXPECT_OK(store->Put("small", Bytes("x"), kTestWrite, {}));
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
  // The service refuses these headers with parts and Complete; with KMS an ETag is no MD5.
  EXPECT_OK(upload->Complete(PutParts(upload.get(), 3), {}));
  EXPECT_EQ(Object("k"), Content(3));
}

TEST_F(S3StoreTest, ACustomersKeyGoesWithPartsHeadAndGet) {
  options().encryption = S3EncryptionKind::kSseC;
  setup_.settings.customer_key = std::string(32, 'k');
  options().customer_key_md5 = Md5Base64(setup_.settings.customer_key);
  const auto store = Store();
  ASSERT_OK(store->Put("small", Bytes("x"), kTestWrite, {}));
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
  ASSERT_OK(upload->Complete(PutParts(upload.get(), 2), {}));
  EXPECT_OK(store->Head("k"));
  EXPECT_EQ(*store->GetRange("k", 0, 100, ""), Content(2));
}

// C28 to C30
TEST_F(S3StoreTest, EveryChecksumKindWorksOnPutAndParts) {
  Rules([](S3Rules* rules) { rules->require_checksum = true; });
  setup_.checksum_is_asked = true;
  for (S3Checksum kind :
       {S3Checksum::kMd5, S3Checksum::kCrc32, S3Checksum::kCrc32c, S3Checksum::kSha256, S3Checksum::kCrc64Nvme}) {
    options().checksum = kind;
    const auto store = Store();
    EXPECT_OK(store->Put("small", Bytes("x"), kTestWrite, {}));
    ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
    ASSERT_OK(upload->Complete(PutParts(upload.get(), 3), {}));
    EXPECT_EQ(Object("k"), Content(3));
  }
  options().checksum = S3Checksum::kNone;
  EXPECT_KIND(ErrorKind::kInvalid, Store()->Put("small", Bytes("x"), kTestWrite, {}));
}

TEST_F(S3StoreTest, AChecksumThatNobodyAskedForIsDroppedForGoodWhereItIsRefused) {
  Rules([](S3Rules* rules) { rules->checksums = S3Rules::Checksums::kRefused; });
  const auto store = Store();
  EXPECT_EQ(store->object_options().checksum, S3Checksum::kCrc64Nvme);
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
  EXPECT_EQ(calls(), (Calls{{"CreateMultipartUpload", 2}}));
  EXPECT_EQ(store->object_options().checksum, S3Checksum::kNone) << "what a state remembers";
  ASSERT_OK(upload->Complete(PutParts(upload.get(), 2), {}));
  EXPECT_OK(store->Put("small", Bytes("x"), kTestWrite, {}));
  EXPECT_EQ(calls()["PutObject"], 1);

  EXPECT_OK(Store()->Put("small", Bytes("x"), kTestWrite, {}));  // a PUT finds it out too
  setup_.checksum_is_asked = true;
  options().checksum = S3Checksum::kCrc64Nvme;
  EXPECT_KIND(ErrorKind::kInvalid, Store()->CreateUpload({"k", kTestWrite}));
}

// Its kind was never tried when the file was closed: no request was sent.
TEST_F(S3StoreTest, ASmallFileOfAStateGoesWithoutAChecksumThatTheStoreRefuses) {
  Rules([](S3Rules* rules) { rules->checksums = S3Rules::Checksums::kRefused; });
  const ObjectOptions remembered = Store()->object_options();
  EXPECT_EQ(remembered.checksum, S3Checksum::kCrc64Nvme);
  ASSERT_OK_AND_ASSIGN(const auto again, Store()->WithObjectOptions(remembered));
  EXPECT_OK(again->Put("small", Bytes("x"), kTestWrite, {}));
  EXPECT_EQ(calls(), (Calls{{"PutObject", 2}}));
}

TEST_F(S3StoreTest, ChecksumsThatAreIgnoredAreNotRepeatedInComplete) {
  // Swift refuses a Complete that holds them.
  Rules([](S3Rules* rules) { rules->checksums = S3Rules::Checksums::kIgnored; });
  ASSERT_OK_AND_ASSIGN(const auto upload, Store()->CreateUpload({"k", kTestWrite}));
  const auto receipts = PutParts(upload.get(), 2);
  EXPECT_EQ(receipts[0].checksum, "");
  EXPECT_OK(upload->Complete(receipts, {}));
}

TEST_F(S3StoreTest, ConditionsAreTheStoresWhereItHonoursThem) {
  StoreLimits limits = Store()->limits();
  limits.conditional_put = true;
  setup_.limits = limits;
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const ObjectMeta first, store->Put("k", Bytes("1"), kTestWrite, {.if_absent = true}));
  EXPECT_KIND(ErrorKind::kPrecondition, store->Put("k", Bytes("2"), kTestWrite, {.if_absent = true}));
  EXPECT_KIND(ErrorKind::kPrecondition, store->Put("k", Bytes("2"), kTestWrite, {.if_match_etag = "\"other\""}));
  EXPECT_OK(store->Put("k", Bytes("2"), kTestWrite, {.if_match_etag = first.etag}));
  EXPECT_EQ(calls(), (Calls{{"PutObject", 4}}));
  // C50: a conflict with another writer is tried again.
  Faults({{.when = {.operation = "PutObject"},
           .fault = {.apply = false, .status = 409, .code = "ConditionalRequestConflict"}}});
  EXPECT_OK(store->Put("new", Bytes("1"), kTestWrite, {.if_absent = true}));
  EXPECT_EQ(calls()["PutObject"], 6);
}

TEST_F(S3StoreTest, AnAtomicConditionIsRefusedWhereALookWouldStandForIt) {
  const auto store = Store();
  ASSERT_FALSE(store->limits().conditional_put);
  EXPECT_KIND(ErrorKind::kInvalid, store->Put("k", Bytes("1"), kTestWrite, {.if_absent = true, .atomic = true}));
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
  ASSERT_OK_AND_ASSIGN(const PartReceipt part, upload->PutPart({.number = 1, .body = Bytes("1")}));
  EXPECT_KIND(ErrorKind::kInvalid, upload->Complete({part}, {.if_absent = true, .atomic = true}));
  EXPECT_EQ(calls(), (Calls{{"CreateMultipartUpload", 1}, {"UploadPart", 1}}));
}

TEST_F(S3StoreTest, WhereConditionsMayBeIgnoredTheKeyIsLookedAtFirst) {
  for (S3Rules::Conditions how :
       {S3Rules::Conditions::kHonoured, S3Rules::Conditions::kIgnored, S3Rules::Conditions::kRefused}) {
    Rules([&](S3Rules* rules) { rules->put_conditions = rules->complete_conditions = how; });
    transport_->service().DeleteForeign("bucket", "k");
    const auto store = Store();
    ASSERT_OK_AND_ASSIGN(const ObjectMeta first, store->Put("k", Bytes("1"), kTestWrite, {.if_absent = true}));
    EXPECT_KIND(ErrorKind::kPrecondition, store->Put("k", Bytes("2"), kTestWrite, {.if_absent = true}));
    EXPECT_KIND(ErrorKind::kPrecondition, store->Put("k", Bytes("2"), kTestWrite, {.if_match_etag = "\"other\""}));
    EXPECT_KIND(ErrorKind::kPrecondition, store->Put("absent", Bytes("2"), kTestWrite, {.if_match_etag = first.etag}));
    EXPECT_EQ(Object("k"), "1");
    EXPECT_OK(store->Put("k", Bytes("2"), kTestWrite, {.if_match_etag = first.etag}));
    EXPECT_EQ(Object("k"), "2");
    ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
    const auto receipts = PutParts(upload.get(), 2);
    EXPECT_KIND(ErrorKind::kPrecondition, upload->Complete(receipts, {.if_absent = true}));
    transport_->service().DeleteForeign("bucket", "k");
    EXPECT_OK(upload->Complete(receipts, {.if_absent = true}));
    EXPECT_EQ(Object("k"), Content(2));
  }
}

TEST_F(S3StoreTest, AWrongBucketIsNeitherAbsentUploadNorSuccess) {
  setup_.settings.place.bucket = "other";
  const auto store = Store();
  EXPECT_KIND(ErrorKind::kNotFound, store->CreateUpload({"k", kTestWrite}));
  ASSERT_OK_AND_ASSIGN(const auto upload, store->OpenUpload("k", {"id"}));
  EXPECT_KIND(ErrorKind::kNotFound, upload->PutPart(MakePart(1, "x")));
  EXPECT_KIND(ErrorKind::kNotFound, upload->Abort());
}

TEST_F(S3StoreTest, LimitsAreThoseOfTheOptionsOrOfWhatAnswered) {
  const auto store = Store();
  EXPECT_EQ(store->limits().max_parts, 10000);
  Faults({{.when = {.operation = "*"}, .fault = {.headers = {{"X-Trans-Id", "tx1"}}}}});
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
  EXPECT_EQ(store->limits().max_parts, 1000) << "Swift";
  EXPECT_KIND(ErrorKind::kLimit, upload->PutPart(MakePart(1001, "x")));
  EXPECT_EQ(calls()["UploadPart"], 0);
  setup_.limits = StoreLimits{.max_parts = 7, .max_put_bytes = 3};
  EXPECT_EQ(Store()->limits(), *setup_.limits);
  EXPECT_KIND(ErrorKind::kLimit, Store()->Put("k", Bytes("1234"), kTestWrite, {}));
}

TEST_F(S3StoreTest, AStateDecidesWhatItsObjectIsGiven) {
  options().acl = "private";
  const auto store = Store();
  EXPECT_EQ(store->object_options().acl, "private");
  ASSERT_OK_AND_ASSIGN(const auto again, store->WithObjectOptions({.storage_class = "STANDARD_IA"}));
  EXPECT_EQ(again->object_options(), ObjectOptions{.storage_class = "STANDARD_IA"});
  ASSERT_OK(again->Put("k", Bytes("x"), kTestWrite, {}));
  const S3Call put = transport_->log("PutObject")[0].call;
  EXPECT_EQ(put.Header("x-amz-storage-class"), "STANDARD_IA");
  EXPECT_FALSE(put.HasHeader("x-amz-acl"));
  EXPECT_FALSE(put.HasHeader("x-amz-checksum-crc64nvme")) << "the state says none";
}

TEST_F(S3StoreTest, AStateOfAnEncryptedWriteNeedsItsKey) {
  ObjectOptions encrypted{.encryption = S3EncryptionKind::kSseC, .customer_key_md5 = Md5Base64(std::string(32, 'k'))};
  EXPECT_KIND(ErrorKind::kInvalid, Store()->WithObjectOptions(encrypted));
  setup_.settings.customer_key = std::string(32, 'k');
  options() = encrypted;
  EXPECT_OK(Store()->WithObjectOptions(encrypted));
  encrypted.customer_key_md5 = "other==";
  EXPECT_KIND(ErrorKind::kInvalid, Store()->WithObjectOptions(encrypted));
}

TEST_F(S3StoreTest, ListsOfUploadsGoOnWhereNoMarkerIsNamedOrItIsRefused) {
  const std::string page =
      "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker></NextKeyMarker>"
      "<Upload><Key>p/a</Key><UploadId>one</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>"
      "</ListMultipartUploadsResult>";
  Faults({{.when = {.operation = "ListMultipartUploads"}, .fault = {.status = 200, .body = page}},
          {.when = {.operation = "ListMultipartUploads"},
           .fault = {.status = 400, .code = "InvalidArgument", .message = "Invalid uploadId marker"}}});
  const auto store = Store();
  ASSERT_OK(store->CreateUpload({"p/b", kTestWrite}));
  ASSERT_OK_AND_ASSIGN(const auto uploads, store->ListUploads("p/"));
  ASSERT_EQ(uploads.size(), 2u);
  EXPECT_EQ(uploads[0].key, "p/a");
  EXPECT_EQ(uploads[1].key, "p/b");
  const auto lists = transport_->log("ListMultipartUploads");
  ASSERT_EQ(lists.size(), 3u);
  EXPECT_EQ(lists[1].call.Query("key-marker"), "p/a");
  EXPECT_EQ(lists[1].call.Query("upload-id-marker"), "one");
  EXPECT_EQ(lists[2].call.Query("key-marker"), "p/a");
  EXPECT_EQ(lists[2].call.Query("upload-id-marker"), "");
}

TEST_F(S3StoreTest, UploadsAndObjectsAreListedPageByPage) {
  Rules([](S3Rules* rules) { rules->page_size = 2; });
  const auto store = Store();
  for (const char* key : {"p/a", "p/b b", "p/c", "p/d+", "p/e", "q"}) {
    ASSERT_OK(store->Put(key, Bytes("x"), kTestWrite, {}));
    ASSERT_OK(store->CreateUpload({key, kTestWrite}));
  }
  ASSERT_OK(store->CreateUpload({"p/a", kTestWrite}));
  ASSERT_OK_AND_ASSIGN(const auto uploads, store->ListUploads("p/"));
  EXPECT_EQ(uploads.size(), 6u);
  ASSERT_OK_AND_ASSIGN(const S3Listing listing, ListObjects(store->context(), "p/", ""));
  std::vector<std::string> keys;
  for (const ListedObject& object : listing.objects) keys.push_back(object.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"p/a", "p/b b", "p/c", "p/d+", "p/e"}));
  EXPECT_EQ(ListObjects(store->context(), "", "/")->folders, std::vector<std::string>{"p/"});
}

TEST_F(S3StoreTest, DeletingIsDoneByTheThousandAndTwiceIsFine) {
  const auto store = Store();
  std::vector<std::string> keys;
  for (int i = 0; i < 1001; ++i) {
    keys.push_back("k" + std::to_string(i));
    transport_->service().PutForeign("bucket", keys.back(), "x");
  }
  ASSERT_OK(DeleteObjects(store->context(), keys));
  EXPECT_EQ(calls(), (Calls{{"DeleteObjects", 2}}));
  EXPECT_TRUE(transport_->service().Objects().empty());
  EXPECT_OK(DeleteObjects(store->context(), {"k1"}));
  EXPECT_OK(DeleteObject(store->context(), "k1"));
}

}  // namespace
}  // namespace tailrace
