// Requests of our own making to a server, one attempt each, answered in few words. What the client cannot be brought
// to send (a wrong checksum, a part number of 0) is asked like this.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/sigv4.h"
#include "store/s3/s3_replies.h"
#include "store/s3/s3_requests.h"
#include "store/s3/s3_store.h"
#include "tests/conformance/store_under_test.h"

namespace tailrace {

// The store of `login` with parts of its machinery exchanged.
std::shared_ptr<S3Store> StoreOf(const S3Login& login, const std::function<void(S3StoreSetup*)>& change);

// An open upload that a check has begun.
struct WireUpload {
  std::string key;
  UploadId id;
  std::vector<PartReceipt> parts;
};

// How a request is signed, where that is not as it should be.
struct SignedAs {
  std::string payload_hash = std::string(kUnsignedPayload);
  std::string region;  // empty: the server's
  std::optional<Credentials> credentials;
  std::chrono::seconds clock_offset{0};
};

class S3Wire {
 public:
  explicit S3Wire(const S3Login& login);

  // No answer ends the test program: servers answer.
  HttpResponse Send(HttpRequest request, const SignedAs& how = {});
  // "200", "404 NoSuchUpload".
  std::string Ask(HttpRequest request, const SignedAs& how = {}) { return WordsOf(Send(std::move(request), how)); }
  static std::string WordsOf(const HttpResponse& answer);
  // As Send sends, so that it can be changed afterwards or signed otherwise.
  void Address(HttpRequest* request, const std::string& region = "") const;
  HttpResponse SendAsItIs(const HttpRequest& request);

  // A key that nothing has been put under.
  std::string NewKey() { return prefix_ + std::to_string(++keys_); }
  std::string Put(const std::string& key, const std::string& body) { return Ask(PutRequest(key, body)); }
  HttpRequest PutRequest(const std::string& key, const std::string& body, const PutCondition& condition = {}) const;
  HttpResponse Head(const std::string& key) { return Send(HeadObjectRequest(settings, key)); }
  // With a part of this size for each entry of `sizes`; under a new key, or the one that is given.
  WireUpload Begin(const std::vector<int64_t>& sizes, const std::string& key = "");
  PartReceipt PutPart(const WireUpload& upload, int number, int64_t size, char letter = 'a');
  HttpRequest PartRequest(const WireUpload& upload, int number, const std::string& body) const;
  HttpRequest CompleteRequest(const WireUpload& upload, const PutCondition& condition = {}) const {
    return CompleteUploadRequest(settings, upload.key, upload.id, upload.parts, condition);
  }
  std::string Complete(const WireUpload& upload) { return Ask(CompleteRequest(upload)); }
  std::string Abort(const WireUpload& upload) { return Ask(AbortUploadRequest(settings, upload.key, upload.id)); }

  const Credentials& credentials() const { return credentials_; }
  const std::string& region() const { return region_; }

  S3Settings settings;  // of the next requests

 private:
  const Credentials credentials_;
  const std::string region_;
  const std::string prefix_;
  const std::shared_ptr<HttpTransport> transport_;
  int keys_ = 0;
};

}  // namespace tailrace
