// Objects and multipart uploads of S3 and of stores that speak its language.
//
// What holds, each with a test of that name in s3_store_test.cc or s3_upload_test.cc:
// - Nothing is asked of the bucket while a file is written: the right to put and to abort is enough.
// - A file of n parts is create + n + complete; a single file is one PUT. OpenUpload sends nothing.
// - The write id is metadata of create and PUT; Head reads it.
// - Encryption, class, ACL, tags, metadata, lock go with create and PUT, the customer's key with parts, HEAD and GET
// too,
//   nothing of it with Complete.
// - ETags are opaque and are given back as they came. An empty one in the answer to Complete is no error.
// - A checksum that the store did not echo is not repeated in Complete. One that nobody asked for is dropped, for good,
//   where the store refuses it at create or PUT.
// - The checksum of the whole object goes with Complete, and is compared with the store's, where all parts echoed
// theirs.
// - A 200 with an error document is that error.
// - Complete is sent again only where the answer says that it was not done. A lost answer is kTransient, a missing
// upload
//   kUploadGone, and both are for the caller to settle by looking at the object.
// - Where conditions may be ignored the key is looked at before a conditional PUT or Complete. That is not atomic.
// - ListParts gives each part once, by number, however the store pages; what the store tells no checksum of has that of
//   `expected` where the ETag is the same, else 0.
// - Swift's thousand parts, RGW's way with stray parts and SeaweedFS's with replaced ones are known from their first
//   answer on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/s3/s3_core.h"
#include "tailrace/store.h"

namespace tailrace {

struct S3StoreSetup {
  S3Settings settings;                // settings.object.checksum is used where `checksum_is_asked`
  bool checksum_is_asked = false;     // false: the service's usual one, none where the store refuses it
  std::optional<StoreLimits> limits;  // instead of what is known of the service
  // Of a probe, instead of the service's usual one: it is known to work, so that it is not given up.
  std::optional<S3Checksum> probed_checksum;
  S3ClientOptions client;  // its on_answer is replaced
};

// Keys are UTF-8, not empty, and do not end in '/': several servers lose what is put under such a key. Thread-safe.
class S3Store final : public MultipartStore {
 public:
  static std::shared_ptr<S3Store> Make(S3StoreSetup setup);

  StoreLimits limits() const override;
  Target TargetOf(const std::string& key) const override;
  ObjectOptions object_options() const override;
  // Shares connections, credentials and what is known of the server. kInvalid where the customer's key is not the one
  // that `options` were made with.
  Result<std::shared_ptr<MultipartStore>> WithObjectOptions(const ObjectOptions& options) override;

  Result<ObjectMeta> Head(const std::string& key) override;
  Result<std::string> GetRange(const std::string& key, int64_t offset, int64_t length,
                               const std::string& if_etag) override;
  Result<ObjectMeta> Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                         const PutCondition& condition) override;
  Status CheckNewObject(const std::string& key) override;
  Result<std::unique_ptr<Upload>> CreateUpload(const UploadRequest& request) override;
  Result<std::unique_ptr<Upload>> OpenUpload(const std::string& key, const UploadId& id,
                                             const OpenUploadOptions& options = {}) override;
  Result<std::vector<UploadSummary>> ListUploads(const std::string& prefix) override;

  // For the other calls of the API: s3_calls.h.
  S3Context context() const { return core_->Context(); }

 private:
  explicit S3Store(std::shared_ptr<const S3Core> core) : core_(std::move(core)) {}

  const std::shared_ptr<const S3Core> core_;
};

}  // namespace tailrace
