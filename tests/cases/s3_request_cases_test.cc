// Cases about what stands in requests, over S3: checksums, keys, rights, encryption. Numbers: docs/promises.md.
#include <algorithm>

#include "store/s3/s3_calls.h"
#include "tests/cases/s3_cases.h"

namespace tailrace::sim {
namespace {

const std::vector<S3Checksum> kAllKinds = {S3Checksum::kMd5,    S3Checksum::kCrc32,     S3Checksum::kCrc32c,
                                           S3Checksum::kSha256, S3Checksum::kCrc64Nvme, S3Checksum::kNone};

class CasesS3Checksums : public S3Cases {
 protected:
  // A small file, and one of several parts that is resumed in between.
  Status PublishBothWays() {
    WriteSmall(true);
    key_ = "small";
    ARROW_RETURN_NOT_OK(Publish());
    WriteSmall(false);
    key_ = "large";
    ARROW_ASSIGN_OR_RAISE(const WriterState state, StateAt(1000));
    ARROW_ASSIGN_OR_RAISE(const WriterState again, WriterState::FromBytes(state.ToBytes()));
    ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Resume(again, {.runtime = Inline(), .store = Store()}));
    ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), rows_, 250));
    ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
    return Commit(pending, Process()).status();
  }
};

TEST_F(CasesS3Checksums, C28NothingTravelsInATrailer) {
  // The server refuses aws-chunked bodies.
  ASSERT_OK(PublishBothWays());
  for (const S3LogEntry& entry : server_.log()) {
    EXPECT_EQ(entry.headers.Get("Content-Encoding"), std::nullopt) << entry.operation;
    EXPECT_EQ(entry.headers.Get("Transfer-Encoding"), std::nullopt) << entry.operation;
    EXPECT_EQ(entry.headers.Get("x-amz-trailer"), std::nullopt) << entry.operation;
    EXPECT_EQ(entry.headers.Get("x-amz-sdk-checksum-algorithm"), std::nullopt) << entry.operation;
  }
  ExpectRows();
}

TEST_F(CasesS3Checksums, C28AStoreThatKnowsNoChecksumsGetsNone) {
  for (const char* script : {"create-checksum-refused", "store-swift"}) {
    Use(script);
    SCOPED_TRACE(script);
    ASSERT_OK(PublishBothWays());
    ExpectRows();
  }
}

TEST_F(CasesS3Checksums, C29ABucketThatWantsChecksumsGetsThemByDefaultAndByAnyKind) {
  Use("store-object-lock");
  ASSERT_OK(PublishBothWays());
  for (const S3Checksum kind : kAllKinds) {
    if (kind == S3Checksum::kNone) continue;
    options_.s3.checksum = kind;
    SCOPED_TRACE(static_cast<int>(kind));
    EXPECT_OK(PublishBothWays());
  }
  ExpectRows();
  options_.s3.checksum = S3Checksum::kNone;
  const Status refused = PublishBothWays();
  EXPECT_KIND(ErrorKind::kInvalid, refused);
  EXPECT_THAT(refused.message(), HasSubstr("Content-MD5 OR x-amz-checksum-"));
}

TEST_F(CasesS3Checksums, C30TheKindIsDeclaredOnceAndUsedEverywhereAlsoAfterAResume) {
  for (const S3Checksum kind : kAllKinds) {
    options_.s3.checksum = kind;
    SCOPED_TRACE(static_cast<int>(kind));
    EXPECT_OK(PublishBothWays());
    ExpectRows();
  }
}

TEST_F(CasesS3Checksums, C30AResumeKeepsToTheKindOfTheStateWhateverItsOptionsSay) {
  options_.s3.checksum = S3Checksum::kCrc32c;
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
  options_.s3.checksum = S3Checksum::kSha256;
  ASSERT_OK(Finish(state, Process()));
  ExpectRows(1000);
  for (const S3LogEntry& entry : server_.log()) {
    EXPECT_EQ(entry.headers.Get("x-amz-checksum-sha256"), std::nullopt) << entry.operation;
    const bool part = entry.operation == "UploadPart";
    EXPECT_EQ(entry.headers.Get("x-amz-checksum-crc32c").has_value(), part) << entry.operation;
  }
}

class CasesS3Keys : public S3Cases {
 protected:
  static std::string Escaped(const std::string& key) {
    std::string text;
    for (const char c : key) {
      char hex[4];
      std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned char>(c));
      text += c == '/' ? std::string("/") : hex;
    }
    return text;
  }
};

TEST_F(CasesS3Keys, C33AnyKeyGoesThroughEveryCallAndIsListedByteForByte) {
  for (const std::string key : {"p=1/part-0.parquet",
                                "a+b.parquet",
                                "a b.parquet",
                                "a%41.parquet",
                                "a%2Fb.parquet",
                                "a&b=c;d.parquet",
                                "a@b:c$d,e.parquet",
                                "a#b?c.parquet",
                                "\xc3\xbc/\xe6\x97\xa5\xe6\x9c\xac.parquet",
                                "a//b.parquet",
                                "(a)!'*~.parquet",
                                "a\\b.parquet",
                                "ts=2024-01-01T00:00:00+00:00/x.parquet",
                                " ",
                                "ends in a blank ",
                                ". ./..",
                                "a/./b",
                                "a/../b",
                                "..",
                                "\"<>^`{|}",
                                "%",
                                "\xf0\x9f\x8c\x8a"}) {
    SCOPED_TRACE(key);
    ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenStore("s3://bucket/" + Escaped(key), options_));
    EXPECT_EQ(at.key, key);
    key_ = key;
    WriteSmall(true);
    ASSERT_OK(Publish());
    WriteSmall(false);
    ASSERT_OK(Publish());
    ExpectRows();
    EXPECT_OK(at.store->Head(key));
    ASSERT_OK_AND_ASSIGN(const std::string magic, at.store->GetRange(key, 0, 4, ""));
    EXPECT_EQ(magic, "PAR1");
    const S3Context context = std::dynamic_pointer_cast<S3Store>(at.store)->context();
    ASSERT_OK_AND_ASSIGN(const S3Listing listing, ListObjects(context, key, ""));
    ASSERT_EQ(listing.objects.size(), 1u);
    EXPECT_EQ(listing.objects[0].key, key);
    EXPECT_OK(DeleteObjects(context, {key}));
    EXPECT_KIND(ErrorKind::kNotFound, at.store->Head(key));
  }
}

TEST_F(CasesS3Keys, C33WhatIsNoKeyIsRefusedBeforeARequest) {
  for (const std::string& key :
       {std::string(), std::string("/a"), std::string("a/"), std::string("a\0b", 3), std::string("a\nb"),
        std::string("a\x7f"), std::string("\xff\xfe"), std::string(1025, 'k')}) {
    SCOPED_TRACE(key.substr(0, 20));
    key_ = key;
    const auto store = OpenStore("s3://bucket/any", options_).ValueOrDie().store;
    EXPECT_KIND(ErrorKind::kInvalid, WriteAll(store));
    EXPECT_KIND(ErrorKind::kInvalid, store->Put(key, ByteSlices(), WriteId{}, {}));
  }
  EXPECT_TRUE(server_.log().empty()) << server_.LogText();
  key_ = std::string(1024, 'k');
  EXPECT_OK(Publish());
}

class CasesS3Rights : public S3Cases {
 protected:
  CasesS3Rights() { Use("store-write-only"); }
  void ExpectNoBucketLevelCall() const {
    for (const S3LogEntry& entry : server_.log()) EXPECT_NE(entry.key, "") << entry.operation;
  }
};

TEST_F(CasesS3Rights, C45AUserWhoMayOnlyPutAndAbortWritesFilesOfAnySize) {
  WriteSmall(true);
  ASSERT_OK(Publish());
  EXPECT_EQ(server_.calls(), (S3Calls{{"PutObject", 1}}));
  server_.ResetLog();
  WriteSmall(false);
  const auto store = Store();
  ASSERT_OK_AND_ASSIGN(const PendingCommit pending, WriteAll(store));
  ASSERT_OK(Commit(pending, {.store = store}));
  EXPECT_EQ(server_.calls(), (S3Calls{{"CreateMultipartUpload", 1},
                                      {"UploadPart", static_cast<int>(pending.receipts.size())},
                                      {"CompleteMultipartUpload", 1}}));
  ExpectRows();
  ExpectNoBucketLevelCall();
}

TEST_F(CasesS3Rights, C45TheyCanFinishResumeAndAbortToo) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = Store()}));
  ASSERT_EQ(writer->warnings().size(), 1u);
  EXPECT_THAT(writer->warnings()[0], HasSubstr("ListParts"));
  ASSERT_OK(WriteUpTo(writer.get(), 1500, 250));
  ASSERT_OK_AND_ASSIGN(const WriterState later, writer->Checkpoint());
  ASSERT_OK(Finish(later, Process()));
  ExpectRows(1500);
  key_ = "another";
  ASSERT_OK_AND_ASSIGN(const WriterState other, StateAt(1000));
  ASSERT_OK(Abort(other, Process()));
  EXPECT_TRUE(server_.service().Uploads().empty());
  WriteSmall(true);
  ASSERT_OK_AND_ASSIGN(const PendingCommit small, WriteAll(Store()));
  EXPECT_EQ(OutcomeOf(Abort(small, Process()).status()), Outcome::kUnknown) << "whether it was committed";
  ExpectNoBucketLevelCall();
}

TEST_F(CasesS3Rights, C45WhereTheRightToLookIsMissingTheOutcomeIsUnknownAndSaysWhich) {
  ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
  ASSERT_OK(Finish(state, Process()));
  const Result<CommitInfo> again = Finish(state, Process());
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(OutcomeOf(again.status()), Outcome::kUnknown);
  EXPECT_THAT(again.status().message(), HasSubstr("HeadObject of 'dir/k.parquet' in bucket 'bucket': 403"));
  ExpectRows(1000);
}

TEST_F(CasesS3Rights, C45ALostAnswerIsSettledByCompletingAgainWhereThatTells) {
  server_.Use({{.when = {.operation = "CompleteMultipartUpload"},
                .fault = {.read_body_bytes = 0, .no_reply = true, .end = Fault::End::kClose}}});
  ASSERT_OK(Publish());  // it never arrived
  ExpectRows();
  key_ = "another";
  Use("complete-answer-lost");
  const Result<CommitInfo> info = Publish();
  ASSERT_FALSE(info.ok());
  EXPECT_EQ(OutcomeOf(info.status()), Outcome::kUnknown) << "it was done, and nobody may look";
}

class CasesS3Encryption : public S3Cases {};

TEST_F(CasesS3Encryption, C46WhatTheBucketDemandsGoesWithPutAndCreateAlone) {
  Use("store-wants-encryption");
  EXPECT_KIND(ErrorKind::kInvalid, Publish());
  options_.s3.encryption.kind = S3EncryptionKind::kSseS3;
  options_.s3.acl = "bucket-owner-full-control";
  ASSERT_OK(Publish());
  ExpectRows();
  WriteSmall(true);
  ASSERT_OK(Publish());
  ExpectRows();
}

TEST_F(CasesS3Encryption, C46UnderKmsTheTagIsNotTakenForAnMd5) {
  options_.s3.encryption = {.kind = S3EncryptionKind::kSseKms, .kms_key_id = "arn:aws:kms:us-east-1:1:key/k"};
  for (const S3Checksum kind : {S3Checksum::kCrc64Nvme, S3Checksum::kNone}) {
    options_.s3.checksum = kind;
    key_ = "dir/" + std::to_string(static_cast<int>(kind));
    ASSERT_OK_AND_ASSIGN(const WriterState state, StateAt(1000));
    ASSERT_OK(Finish(state, Process()));
    ASSERT_OK_AND_ASSIGN(const CommitInfo again, Finish(state, Process()));
    EXPECT_TRUE(again.already_committed);
    ExpectRows(1000);
    EXPECT_EQ(
        server_.service().Objects().at({"bucket", key_}).headers.at("x-amz-server-side-encryption-aws-kms-key-id"),
        "arn:aws:kms:us-east-1:1:key/k");
  }
}

}  // namespace
}  // namespace tailrace::sim
