// What a store is opened with: keys, regions, clocks, checksum kinds, what objects are given.
#include "tests/conformance/conformance_fixture.h"
#include "tests/conformance/s3_wire.h"

namespace tailrace {
namespace {

class Settings : public ConformanceTest {
 protected:
  std::shared_ptr<MultipartStore> With(const std::function<void(StoreOptions*)>& change) {
    return under_test_->With(change);
  }
  // A PUT, and an upload of two parts, made through `with`, hold what they should.
  void ExpectWrites(MultipartStore* with) {
    ASSERT_OK(with->Put(Key("put"), SlicesOf("one"), NewWrite(), {}));
    EXPECT_TRUE(Holds(Key("put"), "one"));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Upload> upload, with->CreateUpload({Key("upload"), NewWrite()}));
    const std::vector<Part> parts = {PartOf(1), PartOf(2, 5)};
    const std::vector<PartReceipt> receipts = PutAll(upload.get(), parts);
    ASSERT_OK(upload->Complete(receipts, {}));
    EXPECT_TRUE(Holds(Key("upload"), TextOf(parts)));
  }
};
INSTANTIATE_TEST_SUITE_P(On, Settings, ::testing::ValuesIn(S3StoresOfThisRun()), NameOfStore);

TEST_P(Settings, WrongSecretIsDenied) {
  const auto stranger = With([](StoreOptions* options) { options->s3.credentials->secret_access_key += "x"; });
  const auto put = stranger->Put(Key(), SlicesOf("x"), NewWrite(), {});
  EXPECT_EQ(put.ok(), !differs().checks_signatures);
  if (put.ok()) return;
  EXPECT_EQ(KindOf(put.status()), ErrorKind::kDenied) << put.status().ToString();
  EXPECT_KIND(ErrorKind::kDenied, stranger->CreateUpload({Key(), NewWrite()}));
  EXPECT_KIND(ErrorKind::kNotFound, store()->Head(Key()));
}

TEST_P(Settings, InventedSessionTokenIsDenied) {
  const auto stranger = With([](StoreOptions* options) { options->s3.credentials->session_token = "invented"; });
  const auto put = stranger->Put(Key(), SlicesOf("x"), NewWrite(), {});
  EXPECT_EQ(put.ok(), !differs().checks_tokens);
  if (!put.ok()) {
    EXPECT_EQ(KindOf(put.status()), ErrorKind::kDenied) << put.status().ToString();
  }
}

// Stores that have regions say so, and the client signs again; the others take any.
TEST_P(Settings, AnotherRegionIsCorrected) {
  const auto elsewhere = With([](StoreOptions* options) { options->s3.region = "eu-west-9"; });
  ExpectWrites(elsewhere.get());
}

class LateClock final : public Clock {
 public:
  Timestamp Now() override { return System()->Now() - std::chrono::hours(1); }
  std::chrono::steady_clock::time_point Steady() override { return System()->Steady(); }
  void SleepFor(std::chrono::milliseconds duration) override { System()->SleepFor(duration); }
};

TEST_P(Settings, ClockThatIsAnHourLateIsCorrected) {
  LateClock clock;
  ExpectWrites(StoreOf(under_test_->login().value(), [&](S3StoreSetup* setup) { setup->client.clock = &clock; }).get());
}

TEST_P(Settings, PayloadsMayBeSigned) {
  const auto signing = With([](StoreOptions* options) { options->s3.sign_payload = true; });
  ExpectWrites(signing.get());
}

// Each kind is taken, or ignored; what was not echoed is not sent again, which Swift would refuse.
TEST_P(Settings, EachKindOfChecksumWrites) {
  if (differs().refuses_checksums) {
    const auto asked = With([](StoreOptions* options) { options->s3.checksum = S3Checksum::kCrc32c; });
    EXPECT_KIND(ErrorKind::kInvalid, asked->CreateUpload({Key(), NewWrite()}));
    EXPECT_KIND(ErrorKind::kInvalid, asked->Put(Key(), SlicesOf("x"), NewWrite(), {}));
    return;
  }
  for (const S3Checksum kind : {S3Checksum::kNone, S3Checksum::kMd5, S3Checksum::kCrc32, S3Checksum::kCrc32c,
                                S3Checksum::kSha256, S3Checksum::kCrc64Nvme}) {
    SCOPED_TRACE(static_cast<int>(kind));
    ExpectWrites(With([&](StoreOptions* options) { options->s3.checksum = kind; }).get());
  }
}

TEST_P(Settings, ReceiptsHoldTheChecksumsThatWereEchoed) {
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK_AND_ASSIGN(const PartReceipt receipt, upload->PutPart(PartOf(1, 5)));
  EXPECT_EQ(!receipt.checksum.empty(), differs().echoes_checksums);
  EXPECT_OK(upload->Abort());
}

TEST_P(Settings, ObjectsAreGivenTypeAndMetadata) {
  ExpectWrites(With([](StoreOptions* options) {
                 options->s3.metadata = {{"note", "a=b; c"}};
                 options->s3.content_type = "application/x-of-the-test";
               }).get());
  S3Wire wire(under_test_->login().value());
  for (const char* name : {"put", "upload"}) {
    const HttpHeaders headers = wire.Head(Key(name)).headers;
    EXPECT_EQ(headers.Get("x-amz-meta-note"), "a=b; c");
    EXPECT_EQ(headers.Get("Content-Type"), "application/x-of-the-test");
  }
}

TEST_P(Settings, ErrorsNameTheRequest) {
  const std::unique_ptr<Upload> upload = Create(Key());
  ASSERT_OK(upload->Abort());
  const Status status = upload->ListParts({}).status();
  EXPECT_EQ(status.message().find("(request ") != std::string::npos, differs().numbers_requests) << status.message();
}

}  // namespace
}  // namespace tailrace
