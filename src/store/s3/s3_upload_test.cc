#include "store/s3/s3_upload.h"

#include <gtest/gtest.h>

#include "store/s3/s3_fixture.h"

namespace tailrace {
namespace {

class S3UploadTest : public S3Fixture {
 protected:
  std::unique_ptr<Upload> Create() { return Store()->CreateUpload({"k", kTestWrite}).ValueOrDie(); }
  static FaultRule OnComplete(Fault fault, int times = 1) {
    return {.when = {.operation = "CompleteMultipartUpload", .times = times}, .fault = std::move(fault)};
  }
};

TEST_F(S3UploadTest, AFileOfNPartsIsCreateNAndComplete) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 4);
  EXPECT_OK(upload->Sync());
  ASSERT_OK_AND_ASSIGN(const ObjectMeta meta, upload->Complete(receipts, {}));
  EXPECT_EQ(calls(), (Calls{{"CreateMultipartUpload", 1}, {"UploadPart", 4}, {"CompleteMultipartUpload", 1}}));
  EXPECT_EQ(Object("k"), Content(4));
  EXPECT_EQ(meta.size_bytes, 35);
  EXPECT_EQ(meta.write_id, kTestWrite.text);
  EXPECT_EQ(meta.crc64, Bytes(Content(4)).crc64());
  EXPECT_EQ(Store()->Head("k")->write_id, kTestWrite.text);
  EXPECT_EQ(Store()->Head("k")->etag, meta.etag);
}

TEST_F(S3UploadTest, AnAnswerWithoutTheChecksumIsNotTakenForThatOfTheOneThatMadeTheObject) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  Faults({OnComplete({.apply = false,
                      .status = 200,
                      .body = "<CompleteMultipartUploadResult><Key>k</Key><ETag>&quot;e-2&quot;</ETag>"
                              "</CompleteMultipartUploadResult>"})});
  EXPECT_KIND(ErrorKind::kUploadGone, upload->Complete(receipts, {}));
  EXPECT_OK(upload->Complete(receipts, {}));
}

TEST_F(S3UploadTest, WhereTheWholeObjectsChecksumIsNotImplementedThePartsHadTheirs) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  Faults({OnComplete({.apply = false, .status = 501, .code = "NotImplemented"}),
          OnComplete({.apply = false,
                      .status = 200,
                      .body = "<CompleteMultipartUploadResult><ETag>&quot;e-2&quot;</ETag>"
                              "</CompleteMultipartUploadResult>"})});
  EXPECT_OK(upload->Complete(receipts, {}));
  const auto completes = transport_->log("CompleteMultipartUpload");
  ASSERT_EQ(completes.size(), 2u);
  EXPECT_TRUE(completes[0].call.HasHeader("x-amz-checksum-crc64nvme"));
  EXPECT_FALSE(completes[1].call.HasHeader("x-amz-checksum-crc64nvme"));
  EXPECT_EQ(completes[1].call.body.find("Checksum"), std::string::npos);
}

TEST_F(S3UploadTest, OpeningSendsNothingAndAnotherProcessCompletes) {
  const auto upload = Create();
  auto receipts = PutParts(upload.get(), 3);
  transport_->ResetLog();
  ASSERT_OK_AND_ASSIGN(const auto again, Store()->OpenUpload("k", upload->id()));
  EXPECT_EQ(calls(), Calls{});
  EXPECT_EQ(again->id(), upload->id());
  EXPECT_OK(again->Complete(receipts, {}));
  EXPECT_EQ(Object("k"), Content(3));
}

TEST_F(S3UploadTest, ReceiptsSayWhatTheStoreSaid) {
  Rules([](S3Rules* rules) { rules->opaque_etags = true; });
  const auto upload = Create();
  const Part part = MakePart(1, "0123456789");
  ASSERT_OK_AND_ASSIGN(const PartReceipt receipt, upload->PutPart(part));
  EXPECT_EQ(receipt.number, 1);
  EXPECT_EQ(receipt.size_bytes, 10);
  EXPECT_EQ(receipt.crc64, part.body.crc64());
  EXPECT_EQ(receipt.checksum, FormatCrc64(part.body.crc64()));
  EXPECT_TRUE(receipt.etag.starts_with("\"OPAQUE+") && receipt.etag.ends_with("/=\"")) << receipt.etag;
  EXPECT_OK(upload->Complete({receipt}, {}));  // given back as it came
}

TEST_F(S3UploadTest, ReceiptsSayWhereATagOnlyLooksLikeADigest) {
  const auto sealed = [&](const ObjectOptions& object) {
    setup_.settings.object = object;
    setup_.settings.customer_key = object.encryption == S3EncryptionKind::kSseC ? std::string(32, 'k') : "";
    const auto upload = Create();
    const PartReceipt receipt = PutParts(upload.get(), 1).at(0);
    EXPECT_EQ(receipt.etag.size(), 34u) << receipt.etag;
    EXPECT_OK(upload->Complete({receipt}, {}));
    EXPECT_EQ(upload->ListParts({receipt}).ok(), false) << "it is complete";
    return receipt.sealed_etag;
  };
  EXPECT_FALSE(sealed({}));
  EXPECT_FALSE(sealed({.encryption = S3EncryptionKind::kSseS3}));
  EXPECT_TRUE(sealed({.encryption = S3EncryptionKind::kSseKms}));
  EXPECT_TRUE(sealed({.encryption = S3EncryptionKind::kSseC, .customer_key_md5 = Md5Base64(std::string(32, 'k'))}));
  for (const char* kind : {"aws:kms", "aws:kms:dsse"}) {
    Rules([&](S3Rules* rules) { rules->default_encryption = kind; });
    EXPECT_TRUE(sealed({})) << "the bucket encrypts without being asked: " << kind;
  }
  Rules([](S3Rules* rules) { rules->default_encryption = "AES256"; });
  EXPECT_FALSE(sealed({}));
}

TEST_F(S3UploadTest, AnEmptyEtagInTheAnswerToCompleteIsNoError) {
  Rules([](S3Rules* rules) { rules->empty_complete_etag = true; });
  const auto upload = Create();
  ASSERT_OK_AND_ASSIGN(const ObjectMeta meta, upload->Complete(PutParts(upload.get(), 2), {}));
  EXPECT_EQ(meta.etag, "");
  EXPECT_EQ(Object("k"), Content(2));
}

// C05
TEST_F(S3UploadTest, A200WithAnErrorIsTriedAgainAndNeverASuccess) {
  const Fault broken{.apply = false, .status = 200, .code = "InternalError", .lead = " \n \n"};
  auto upload = Create();
  Faults({OnComplete(broken)});
  EXPECT_OK(upload->Complete(PutParts(upload.get(), 2), {}));
  EXPECT_EQ(calls()["CompleteMultipartUpload"], 2);
  EXPECT_EQ(Object("k"), Content(2));

  transport_->service().DeleteForeign("bucket", "k");
  upload = Create();
  Faults({OnComplete(broken, -1)});
  EXPECT_KIND(ErrorKind::kTransient, upload->Complete(PutParts(upload.get(), 2), {}));
  EXPECT_EQ(Object("k"), std::nullopt);
}

TEST_F(S3UploadTest, A200ThatSaysNothingIsNoSuccess) {
  for (const char* body : {"", "<html>welcome</html>"}) {
    const auto upload = Create();
    Faults({OnComplete({.apply = false, .status = 200, .body = body})});
    EXPECT_KIND(ErrorKind::kInternal, upload->Complete(PutParts(upload.get(), 2), {}));
    EXPECT_EQ(Object("k"), std::nullopt);
  }
}

// C06: whether it happened is for the caller to find out.
TEST_F(S3UploadTest, ALostAnswerToCompleteIsNotRepeatedBlindly) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  Faults({OnComplete({.end = Fault::End::kReset})});
  EXPECT_KIND(ErrorKind::kTransient, upload->Complete(receipts, {}));
  EXPECT_EQ(calls()["CompleteMultipartUpload"], 1);
  EXPECT_EQ(Object("k"), Content(2)) << "it did happen";
  EXPECT_KIND(ErrorKind::kUploadGone, upload->Complete(receipts, {}));
}

// C32
TEST_F(S3UploadTest, AlreadyInProgressIsWaitedFor) {
  const auto upload = Create();
  Faults({OnComplete({.apply = false, .status = 500, .code = "Odd", .message = "upload is already in progress"}, 3)});
  EXPECT_OK(upload->Complete(PutParts(upload.get(), 2), {}));
  EXPECT_EQ(calls()["CompleteMultipartUpload"], 4);
  EXPECT_EQ(clock_.sleeps().size(), 3u);
}

// C08, C31
TEST_F(S3UploadTest, AnUploadThatIsGoneIsOneKindEverywhere) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  transport_->service().ExpireUpload(upload->id().text);
  transport_->ResetLog();
  EXPECT_KIND(ErrorKind::kUploadGone, upload->PutPart(MakePart(3, "x")));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->ListParts(receipts));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->Complete(receipts, {}));
  EXPECT_KIND(ErrorKind::kUploadGone, upload->Abort());
  EXPECT_EQ(transport_->log().size(), 4u) << "none is repeated";
}

TEST_F(S3UploadTest, AReplacedPartIsAMismatchThatNamesIt) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 3);
  ASSERT_OK(upload->PutPart(MakePart(2, "##########")));
  const Result<ObjectMeta> made = upload->Complete(receipts, {});
  EXPECT_KIND(ErrorKind::kPartMismatch, made);
  EXPECT_EQ(DetailOf(made.status())->part_number, 2);
  EXPECT_EQ(Object("k"), std::nullopt);
  ASSERT_OK_AND_ASSIGN(const auto listed, upload->ListParts(receipts));
  EXPECT_EQ(listed[0], receipts[0]);
  EXPECT_NE(listed[1].crc64, receipts[1].crc64);
  EXPECT_NE(listed[1].etag, receipts[1].etag);
}

TEST_F(S3UploadTest, StrayPartsAreLeftOutWhereTheStoreLetsThem) {
  const auto upload = Create();
  auto receipts = PutParts(upload.get(), 3);
  ASSERT_OK(upload->PutPart(MakePart(7, "stray")));
  EXPECT_OK(upload->Complete(receipts, {}));
  EXPECT_EQ(Object("k"), Content(3));
}

TEST_F(S3UploadTest, PartsAreListedByNumberHoweverTheStorePages) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 7);
  for (int page : {1, 2, 3, 1000}) {
    for (bool unsorted : {false, true}) {
      Rules([&](S3Rules* rules) {
        rules->page_size = page;
        rules->lists_unsorted = unsorted;
      });
      ASSERT_OK_AND_ASSIGN(const auto listed, upload->ListParts(receipts));
      EXPECT_EQ(listed, receipts) << page << " a page" << (unsorted ? ", unsorted" : "");
    }
  }
}

TEST_F(S3UploadTest, AListingThatLeadsBackEnds) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 3);
  transport_->ResetLog();
  // Always the same page, always more to come.
  std::string body = "<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>0</NextPartNumberMarker>";
  for (const PartReceipt& receipt : receipts) {
    body += "<Part><PartNumber>" + std::to_string(receipt.number) + "</PartNumber><Size>" +
            std::to_string(receipt.size_bytes) + "</Size><ETag>" + XmlEscape(receipt.etag) + "</ETag></Part>";
  }
  Faults({{.when = {.operation = "ListParts", .times = -1}, .fault = {.body = body + "</ListPartsResult>"}}});
  ASSERT_OK_AND_ASSIGN(const auto listed, upload->ListParts(receipts));
  EXPECT_EQ(listed, receipts) << "checksums that are not listed are known from the ETag";
  EXPECT_LE(calls()["ListParts"], 2);
}

TEST_F(S3UploadTest, ATagThatIsListedWithoutItsQuotesIsTheSame) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  std::string body = "<ListPartsResult>";
  for (const PartReceipt& receipt : receipts) {
    body += "<Part><PartNumber>" + std::to_string(receipt.number) + "</PartNumber><Size>" +
            std::to_string(receipt.size_bytes) + "</Size><ETag>" + receipt.etag.substr(1, receipt.etag.size() - 2) +
            "</ETag></Part>";
  }
  Faults({{.when = {.operation = "ListParts"}, .fault = {.body = body + "</ListPartsResult>"}}});
  ASSERT_OK_AND_ASSIGN(const auto listed, upload->ListParts(receipts));
  EXPECT_EQ(listed, receipts);
}

TEST_F(S3UploadTest, WhatNobodyKnowsOfAListedPartIsZero) {
  Rules([](S3Rules* rules) {
    rules->checksums = S3Rules::Checksums::kIgnored;
    rules->opaque_etags = true;
  });
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  ASSERT_OK(upload->PutPart(MakePart(1, PartText(1, 2))));  // the same bytes, another tag
  ASSERT_OK_AND_ASSIGN(const auto listed, upload->ListParts(receipts));
  EXPECT_EQ(listed[0].crc64, 0u);
  EXPECT_EQ(listed[0].size_bytes, receipts[0].size_bytes);
  EXPECT_EQ(listed[1], receipts[1]);
  ASSERT_OK_AND_ASSIGN(const auto unknown, upload->ListParts({}));
  EXPECT_EQ(unknown[1].offset_bytes, 10);
}

TEST_F(S3UploadTest, APartThatArrivesAlteredIsSentAgain) {
  const auto upload = Create();
  const std::string other = FormatCrc64(1);
  Faults(
      {{.when = {.operation = "UploadPart", .times = 2}, .fault = {.headers = {{"x-amz-checksum-crc64nvme", other}}}}});
  EXPECT_OK(upload->PutPart(MakePart(1, "0123456789")));
  EXPECT_EQ(calls()["UploadPart"], 3);
  Faults({{.when = {.operation = "UploadPart", .times = -1},
           .fault = {.headers = {{"x-amz-checksum-crc64nvme", other}}}}});
  EXPECT_KIND(ErrorKind::kTransient, upload->PutPart(MakePart(1, "0123456789")));
}

TEST_F(S3UploadTest, TheStoresChecksumOfTheObjectIsCompared) {
  const auto upload = Create();
  const auto receipts = PutParts(upload.get(), 2);
  Faults({OnComplete({.body = "<CompleteMultipartUploadResult><ETag>e</ETag><ChecksumCRC64NVME>" + FormatCrc64(1) +
                              "</ChecksumCRC64NVME></CompleteMultipartUploadResult>"})});
  EXPECT_KIND(ErrorKind::kInternal, upload->Complete(receipts, {}));
  const S3Call sent = transport_->log("CompleteMultipartUpload")[0].call;
  EXPECT_EQ(sent.Header("x-amz-checksum-crc64nvme"), FormatCrc64(Bytes(Content(2)).crc64()));
}

TEST_F(S3UploadTest, AbortingDropsThePartsAndTwiceIsTold) {
  const auto upload = Create();
  PutParts(upload.get(), 2);
  EXPECT_OK(upload->Abort());
  EXPECT_TRUE(transport_->service().Uploads().empty());
  EXPECT_KIND(ErrorKind::kUploadGone, upload->Abort());
}

TEST_F(S3UploadTest, PartsAreCopiedOnTheServer) {
  transport_->service().PutForeign("bucket", "a b", "0123456789");
  setup_.checksum_is_asked = true;
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const auto upload, store->CreateUpload({"k", kTestWrite}));
  ASSERT_OK_AND_ASSIGN(const CopyPartReply copied,
                       UploadPartCopy(store->context(), "k", upload->id(), 1,
                                      {.bucket = "bucket", .key = "a b", .offset = 2, .length = 5}));
  EXPECT_OK(upload->Complete({{.number = 1, .size_bytes = 5, .etag = copied.etag}}, {}));
  EXPECT_EQ(Object("k"), "23456");
}

}  // namespace
}  // namespace tailrace
