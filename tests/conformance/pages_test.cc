// Lists that come in pages: servers are asked for very short ones, so that a few parts and uploads make several.
#include <utility>

#include "store/s3/s3_store.h"
#include "tests/conformance/conformance_fixture.h"
#include "tests/conformance/s3_wire.h"

namespace tailrace {
namespace {

// Asks for two parts or one upload a page, and signs again.
class ShortPages final : public HttpTransport {
 public:
  explicit ShortPages(const S3Login& login) : login_(login) {}

  Result<HttpResponse> Send(const HttpRequest& request, const HttpSendOptions& options) override {
    if (request.method != "GET") return transport_->Send(request, options);
    HttpRequest other = request;
    std::string& query = other.url.query;
    // Each where it stands in the alphabet, as signatures want it.
    if (query.find("uploadId=") != query.npos) query = "max-parts=2&" + query;
    if (query.find("uploads=") != query.npos) query.insert(query.find("prefix="), "max-uploads=1&");
    SignRequest(&other,
                {login_.credentials.access_key_id, login_.credentials.secret_access_key,
                 login_.credentials.session_token, std::nullopt},
                {.region = login_.region}, Clock::System()->Now(), kEmptyPayloadHash);
    ++lists_;
    return transport_->Send(other, options);
  }
  int lists() const { return lists_; }

 private:
  const S3Login login_;
  const std::shared_ptr<HttpTransport> transport_ = MakeCurlTransport({}).ValueOrDie();
  int lists_ = 0;
};

class Pages : public ConformanceTest {
 protected:
  const S3Login login_ = under_test_->login().value();
  const std::shared_ptr<ShortPages> pages_ = std::make_shared<ShortPages>(login_);
  const std::shared_ptr<S3Store> store_ =
      StoreOf(login_, [&](S3StoreSetup* setup) { setup->client.transport = pages_; });
};
INSTANTIATE_TEST_SUITE_P(On, Pages, ::testing::ValuesIn(S3StoresOfThisRun()), NameOfStore);

TEST_P(Pages, OfPartsAreAllRead) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Upload> upload, store_->CreateUpload({Key(), NewWrite()}));
  std::vector<PartReceipt> receipts;
  for (int number = 1; number <= 5; ++number) receipts.push_back(upload->PutPart(PartOf(number, number)).ValueOrDie());
  const std::vector<PartReceipt> listed = upload->ListParts(receipts).ValueOrDie();
  std::vector<int> numbers;
  for (const PartReceipt& part : listed) numbers.push_back(part.number);
  EXPECT_EQ(numbers, (std::vector{1, 2, 3, 4, 5}));
  EXPECT_EQ(pages_->lists(), differs().pages_parts ? 3 : 1);
  EXPECT_OK(upload->Abort());
}

TEST_P(Pages, OfUploadsAreAllRead) {
  std::vector<std::unique_ptr<Upload>> uploads;
  for (const char* name : {"list/a", "list/b", "list/c"}) uploads.push_back(Create(Key(name)));
  std::vector<std::string> keys;
  for (const UploadSummary& upload : store_->ListUploads(Key("list/")).ValueOrDie()) keys.push_back(upload.key);
  EXPECT_EQ(keys, (std::vector{Key("list/a"), Key("list/b"), Key("list/c")}));
  EXPECT_EQ(pages_->lists() > 1, differs().pages_uploads);
  for (const auto& upload : uploads) EXPECT_OK(upload->Abort());
}

}  // namespace
}  // namespace tailrace
