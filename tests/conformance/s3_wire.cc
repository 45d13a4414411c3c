#include "tests/conformance/s3_wire.h"

#include <utility>

#include "store/s3/s3_errors.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

constexpr char kWriteId[] = "019b76da-a800-7000-8000-00000000cafe";

Timestamp Now() { return std::chrono::round<std::chrono::microseconds>(std::chrono::system_clock::now()); }

ByteSlices Bytes(std::string text) { return ByteSlices(ByteSlice::Copy(std::move(text))); }

S3Place PlaceOf(const S3Login& login) {
  return {.dialect = S3Dialect::kOther, .endpoint = login.endpoint, .region = login.region, .bucket = login.bucket};
}

Credentials CredentialsOf(const S3Login& login) {
  return {.access_key_id = login.credentials.access_key_id,
          .secret_access_key = login.credentials.secret_access_key,
          .session_token = login.credentials.session_token};
}

}  // namespace

std::shared_ptr<S3Store> StoreOf(const S3Login& login, const std::function<void(S3StoreSetup*)>& change) {
  S3StoreSetup setup;
  setup.settings.place = PlaceOf(login);
  setup.client.transport = MakeCurlTransport({}).ValueOrDie();
  setup.client.credentials = StaticCredentials(CredentialsOf(login));
  change(&setup);
  return S3Store::Make(std::move(setup));
}

S3Wire::S3Wire(const S3Login& login)
    : settings{.place = PlaceOf(login)},
      credentials_(CredentialsOf(login)),
      region_(login.region),
      prefix_(login.prefix + "wire/"),
      transport_(MakeCurlTransport({}).ValueOrDie()) {}

void S3Wire::Address(HttpRequest* request, const std::string& region) const {
  const HttpUrl base = settings.place.BaseUrl(region.empty() ? region_ : region);
  request->url.scheme = base.scheme;
  request->url.host = base.host;
  request->url.port = base.port;
}

HttpResponse S3Wire::SendAsItIs(const HttpRequest& request) { return transport_->Send(request, {}).ValueOrDie(); }

HttpResponse S3Wire::Send(HttpRequest request, const SignedAs& how) {
  Address(&request, how.region);
  const std::string& region = how.region.empty() ? region_ : how.region;
  const std::string hash = request.body.empty() ? std::string(kEmptyPayloadHash) : how.payload_hash;
  SignRequest(&request, how.credentials.value_or(credentials_), {.region = region}, Now() + how.clock_offset, hash);
  return SendAsItIs(request);
}

std::string S3Wire::WordsOf(const HttpResponse& answer) {
  const std::optional<S3Failure> failure = ReadFailure(answer, /*body_may_be_error=*/true, Now());
  std::string words = std::to_string(answer.status);
  if (failure && !failure->code.empty()) words += " " + failure->code;
  return words;
}

HttpRequest S3Wire::PutRequest(const std::string& key, const std::string& body, const PutCondition& condition) const {
  return PutObjectRequest(settings, key, Bytes(body), {kWriteId}, condition);
}

WireUpload S3Wire::Begin(const std::vector<int64_t>& sizes, const std::string& key) {
  WireUpload upload{.key = key.empty() ? NewKey() : key};
  upload.id = ParseCreateReply(Send(CreateUploadRequest(settings, upload.key, {kWriteId})).body).ValueOrDie();
  int number = 0;
  for (const int64_t size : sizes) {
    ++number;
    upload.parts.push_back(PutPart(upload, number, size, static_cast<char>('a' + number % 26)));
  }
  return upload;
}

HttpRequest S3Wire::PartRequest(const WireUpload& upload, int number, const std::string& body) const {
  return UploadPartRequest(settings, upload.key, upload.id, number, Bytes(body));
}

PartReceipt S3Wire::PutPart(const WireUpload& upload, int number, int64_t size, char letter) {
  const HttpRequest request = PartRequest(upload, number, std::string(static_cast<size_t>(size), letter));
  const HttpResponse answer = Send(request);
  const std::string_view header = NamesOf(settings.object.checksum).header;
  return {.number = number,
          .size_bytes = size,
          .etag = answer.headers.Get("ETag").value_or(""),
          .crc64 = request.body.crc64(),
          // Sent to servers that echo nothing too: what they then say is one of the questions.
          .checksum = request.headers.Get(header).value_or("")};
}

}  // namespace tailrace
