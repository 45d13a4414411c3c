// What the test's S3 server keeps and how it answers: S3's semantics without sockets, stricter than S3.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "testing/s3_server/s3_call.h"
#include "testing/s3_server/s3_signature_check.h"

namespace tailrace {

struct S3Reply {
  int status = 200;
  HttpHeaders headers;
  std::string body;
};

// In what S3-like stores differ, as data; the defaults are S3 itself where it is strict. docs/design names the stores.
struct S3Rules {
  S3SignatureRules signature;
  std::set<std::string> buckets = {"bucket"};
  std::string host_domain = "localhost";  // "bucket.localhost" names the bucket

  int64_t min_part_bytes = int64_t{5} << 20;  // of all parts but the last
  int64_t max_part_bytes = int64_t{5} << 30;
  int max_parts = 10000;
  bool equal_parts = false;  // Complete refuses parts of other lengths than the first; the last may be shorter (R2)
  bool leaves_strays_out = true;  // false: Complete has to name every stored part (Ceph RGW)
  bool checks_part_etags = true;  // false: Complete takes any ETag and the newest content
  bool opaque_etags = false;      // a new word for each store of the same bytes, with '+', '/' and '='
  bool empty_complete_etag = false;
  bool complete_twice_is_ok = false;  // else NoSuchUpload
  bool lists_unsorted = false;        // parts in reversed order
  int page_size = 1000;               // of all listings

  enum class Checksums {
    kStrict,   // verified, echoed, listed; Complete has to repeat them
    kIgnored,  // headers ignored and not echoed; a Complete body with them is MalformedXML (Swift)
    kRefused,  // 501 to any of their headers
  };
  Checksums checksums = Checksums::kStrict;
  bool require_checksum = false;  // PUT and parts need Content-MD5 or a checksum (buckets with object lock)

  enum class Conditions { kHonoured, kIgnored, kRefused };
  Conditions put_conditions = Conditions::kHonoured;  // kRefused: 501
  Conditions complete_conditions = Conditions::kHonoured;

  // x-amz-server-side-encryption of objects that ask for none, as buckets can have it; of AWS the tags of objects under
  // "aws:kms" and of those with a customer's key look like digests and are none.
  std::string default_encryption;
  // Headers that PutObject and CreateMultipartUpload must carry with this value.
  std::map<std::string, std::string> required_headers;
  std::string missing_upload_code = "NoSuchUpload";
  bool keeps_metadata = true;
  // Of every answer: servers are known by some of theirs.
  std::map<std::string, std::string> reply_headers;
  std::chrono::seconds clock_offset{0};  // the server's clock beside the system's
};

// Thread-safe.
class S3Service {
 public:
  explicit S3Service(S3Rules rules) : rules_(std::move(rules)) {}

  // Applies the call, whose signature has been checked or not by Authorise, and answers.
  S3Reply Handle(const S3Call& call) TAILRACE_EXCLUDES(mutex_);
  // nullopt where the caller may make this call.
  std::optional<S3Reply> Authorise(const S3Call& call) const TAILRACE_EXCLUDES(mutex_);
  static S3Reply ErrorReply(const S3Call& call, const S3Error& error);

  // For tests, also in the middle of a run.
  void Change(const std::function<void(S3Rules*)>& change) TAILRACE_EXCLUDES(mutex_);
  S3Rules rules() const TAILRACE_EXCLUDES(mutex_);
  Timestamp Now() const TAILRACE_EXCLUDES(mutex_);

  struct Object {
    std::string bytes;
    std::string etag;  // with its quotes
    Timestamp modified{};
    std::map<std::string, std::string> headers;    // of the answer: Content-Type, x-amz-meta-...
    std::map<std::string, std::string> checksums;  // algorithm -> base64, "-N" behind a composite one
    bool full_checksum = true;
    std::string sse_c_md5;  // of the customer's key
    std::string tagging;
  };
  struct Part {
    std::string bytes;
    std::string etag;
    Timestamp modified{};
    std::map<std::string, std::string> checksums;
  };
  struct Upload {
    std::string bucket;
    std::string key;
    Object object;  // what the object will be given
    Timestamp initiated{};
    std::string algorithm;  // lower case; empty where none was declared
    bool full_checksum = false;
    std::map<int, Part> parts;
    bool completed = false;  // kept only where complete_twice_is_ok
  };
  using ObjectName = std::pair<std::string, std::string>;  // bucket, key
  std::map<ObjectName, Object> Objects() const TAILRACE_EXCLUDES(mutex_);
  std::map<std::string, Upload> Uploads() const TAILRACE_EXCLUDES(mutex_);
  // What somebody else does: an object without metadata of ours; a deleted object; a lifecycle rule.
  void PutForeign(const std::string& bucket, const std::string& key, std::string bytes) TAILRACE_EXCLUDES(mutex_);
  void DeleteForeign(const std::string& bucket, const std::string& key) TAILRACE_EXCLUDES(mutex_);
  void ExpireUpload(const std::string& upload_id) TAILRACE_EXCLUDES(mutex_);

 private:
  S3Reply Dispatch(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  std::optional<S3Error> CheckBucket(const S3Call& call) const TAILRACE_REQUIRES(mutex_);
  // Rules about names: which query parameters and x-amz headers an operation knows.
  std::optional<S3Error> CheckNames(const S3Call& call) const TAILRACE_REQUIRES(mutex_);
  std::optional<S3Error> CheckRequired(const S3Call& call) const TAILRACE_REQUIRES(mutex_);
  std::optional<S3Error> CheckCondition(const S3Call& call, S3Rules::Conditions how) const TAILRACE_REQUIRES(mutex_);
  // Verifies Content-MD5 and x-amz-checksum-*; fills in those that came.
  std::optional<S3Error> CheckBody(const S3Call& call, std::map<std::string, std::string>* checksums) const
      TAILRACE_REQUIRES(mutex_);
  static std::optional<S3Error> CheckCustomerKey(const S3Call& call, const std::string& md5);
  Object ObjectFor(const S3Call& call) const TAILRACE_REQUIRES(mutex_);
  // As the answers about an object and its parts tell it.
  static void ShowEncryption(const Object& object, HttpHeaders* headers);
  // `digest`: its 16 bytes; `more`: what follows them, "-3" of three parts.
  std::string NewEtag(const Object& object, std::string digest, const std::string& more) TAILRACE_REQUIRES(mutex_);
  Timestamp NowLocked() const TAILRACE_REQUIRES(mutex_);

  S3Reply PutObject(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  S3Reply GetObject(const S3Call& call, bool head) TAILRACE_REQUIRES(mutex_);
  S3Reply DeleteObject(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  S3Reply DeleteObjects(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  S3Reply ListObjects(const S3Call& call) const TAILRACE_REQUIRES(mutex_);
  S3Reply GetTagging(const S3Call& call) const TAILRACE_REQUIRES(mutex_);

  S3Reply CreateUpload(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  S3Reply PutPart(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  S3Reply CopyPart(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  S3Reply ListParts(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  S3Reply ListUploads(const S3Call& call) const TAILRACE_REQUIRES(mutex_);
  S3Reply AbortUpload(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  S3Reply NoSuchUpload(const S3Call& call) const TAILRACE_REQUIRES(mutex_);
  // nullptr where there is none: NoSuchUpload.
  Upload* FindUpload(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  std::optional<S3Error> CheckPartNumber(const S3Call& call) const TAILRACE_REQUIRES(mutex_);

  struct NamedPart {
    int number = 0;
    std::string etag;
    std::map<std::string, std::string> checksums;
  };
  S3Reply Complete(const S3Call& call) TAILRACE_REQUIRES(mutex_);
  std::optional<S3Error> ParseParts(const S3Call& call, std::vector<NamedPart>* parts) const TAILRACE_REQUIRES(mutex_);
  std::optional<S3Error> CheckParts(const Upload& upload, const std::vector<NamedPart>& named) const
      TAILRACE_REQUIRES(mutex_);
  std::optional<S3Error> CheckSizes(const Upload& upload, const std::vector<NamedPart>& named) const
      TAILRACE_REQUIRES(mutex_);
  std::optional<S3Error> Assemble(const S3Call& call, const Upload& upload, const std::vector<NamedPart>& named,
                                  Object* object) TAILRACE_REQUIRES(mutex_);
  S3Reply CompleteReply(const S3Call& call, const Object& object) const TAILRACE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  S3Rules rules_ TAILRACE_GUARDED_BY(mutex_);
  std::map<ObjectName, Object> objects_ TAILRACE_GUARDED_BY(mutex_);
  std::map<std::string, Upload> uploads_ TAILRACE_GUARDED_BY(mutex_);
  int64_t next_number_ TAILRACE_GUARDED_BY(mutex_) = 1;
};

}  // namespace tailrace
