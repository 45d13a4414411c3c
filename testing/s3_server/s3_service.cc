#include "testing/s3_server/s3_service.h"

#include <array>
#include <cctype>

#include "base/clock.h"
#include "testing/s3_server/s3_digests.h"
#include "testing/s3_server/s3_xml.h"

namespace tailrace {
namespace {

constexpr std::array<std::string_view, 5> kAlgorithms = {"crc32", "crc32c", "crc64nvme", "sha1", "sha256"};

struct NamesRule {
  std::string_view operation;
  std::string_view query;    // blanks between, " " behind the last
  std::string_view headers;  // without "x-amz-"; "meta-", "checksum-" and the like stand for all that begin so
};

constexpr std::string_view kObjectHeaders =
    "meta- acl grant- storage-class server-side-encryption tagging object-lock- website-redirect-location ";
constexpr std::array kNames{
    NamesRule{"PutObject", "", "checksum- sdk-checksum-algorithm "},
    NamesRule{"CreateMultipartUpload", "uploads ", "checksum-algorithm checksum-type "},
    NamesRule{"UploadPart", "partNumber uploadId ",
              "checksum- sdk-checksum-algorithm server-side-encryption-customer- "},
    NamesRule{"UploadPartCopy", "partNumber uploadId ", "copy-source copy-source- server-side-encryption-customer- "},
    NamesRule{"CompleteMultipartUpload", "uploadId ", "checksum- mp-object-size server-side-encryption-customer- "},
    NamesRule{"AbortMultipartUpload", "uploadId ", ""},
    NamesRule{"ListParts", "uploadId max-parts part-number-marker ", "server-side-encryption-customer- "},
    NamesRule{"ListMultipartUploads", "uploads prefix delimiter key-marker upload-id-marker max-uploads encoding-type ",
              ""},
    NamesRule{"ListObjectsV2",
              "list-type prefix delimiter continuation-token start-after max-keys encoding-type fetch-owner ", ""},
    NamesRule{"GetObject", "partNumber ", "checksum-mode server-side-encryption-customer- "},
    NamesRule{"HeadObject", "partNumber ", "checksum-mode server-side-encryption-customer- "},
    NamesRule{"GetObjectTagging", "tagging ", ""},
    NamesRule{"DeleteObject", "", ""},
    NamesRule{"DeleteObjects", "delete ", "checksum- sdk-checksum-algorithm "},
    NamesRule{"CreateBucket", "", ""},
    NamesRule{"HeadBucket", "", ""},
};
// x-amz headers of every operation.
constexpr std::string_view kGeneralHeaders =
    "date content-sha256 security-token request-payer expected-bucket-owner user-agent ";

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Is `name` one of `list`, or does it begin with one that ends in '-'?
bool Listed(std::string_view name, std::string_view list) {
  while (!list.empty()) {
    const size_t end = list.find(' ');
    const std::string_view entry = list.substr(0, end);
    if (name == entry || (entry.ends_with('-') && name.starts_with(entry))) return true;
    list.remove_prefix(end + 1);
  }
  return false;
}

bool MakesObject(const S3Call& call) {
  return call.operation == "PutObject" || call.operation == "CreateMultipartUpload";
}

}  // namespace

S3Reply S3Service::ErrorReply(const S3Call& call, const S3Error& error) {
  S3Reply reply{.status = error.status, .headers = error.headers};
  S3Xml xml("Error", false);
  xml.Add("Code", error.code).Add("Message", error.message);
  for (const auto& [name, text] : error.elements) xml.Add(name, text);
  xml.Add("Resource", call.raw_path).Add("RequestId", "TAILRACE" + std::to_string(call.number));
  if (call.method != "HEAD") {
    reply.body = std::move(xml).Take();
    reply.headers.Set("Content-Type", "application/xml");
  }
  return reply;
}

std::optional<S3Reply> S3Service::Authorise(const S3Call& call) const {
  MutexLock lock(&mutex_);
  if (const auto error = CheckSignature(call, rules_.signature, NowLocked())) return ErrorReply(call, *error);
  return std::nullopt;
}

S3Reply S3Service::Handle(const S3Call& call) {
  MutexLock lock(&mutex_);
  if (call.operation.empty()) return ErrorReply(call, {405, "MethodNotAllowed", "No operation of S3 looks like this."});
  if (const auto error = CheckNames(call)) return ErrorReply(call, *error);
  if (const auto error = CheckBucket(call)) return ErrorReply(call, *error);
  if (const auto error = CheckRequired(call)) return ErrorReply(call, *error);
  return Dispatch(call);
}

S3Reply S3Service::Dispatch(const S3Call& call) {
  const std::string& name = call.operation;
  if (name == "PutObject") return PutObject(call);
  if (name == "GetObject") return GetObject(call, false);
  if (name == "HeadObject") return GetObject(call, true);
  if (name == "DeleteObject") return DeleteObject(call);
  if (name == "DeleteObjects") return DeleteObjects(call);
  if (name == "ListObjectsV2") return ListObjects(call);
  if (name == "GetObjectTagging") return GetTagging(call);
  if (name == "CreateMultipartUpload") return CreateUpload(call);
  if (name == "UploadPart") return PutPart(call);
  if (name == "UploadPartCopy") return CopyPart(call);
  if (name == "ListParts") return ListParts(call);
  if (name == "ListMultipartUploads") return ListUploads(call);
  if (name == "AbortMultipartUpload") return AbortUpload(call);
  if (name == "CompleteMultipartUpload") return Complete(call);
  if (name == "CreateBucket") rules_.buckets.insert(call.bucket);
  return {};
}

std::optional<S3Error> S3Service::CheckBucket(const S3Call& call) const {
  if (call.operation == "CreateBucket" || rules_.buckets.contains(call.bucket)) return std::nullopt;
  return S3Error{404, "NoSuchBucket", "The specified bucket does not exist", {{"BucketName", call.bucket}}};
}

std::optional<S3Error> S3Service::CheckNames(const S3Call& call) const {
  const NamesRule* rule = nullptr;
  for (const NamesRule& one : kNames) {
    if (one.operation == call.operation) rule = &one;
  }
  for (const auto& [name, value] : call.query) {
    if (name.starts_with("X-Amz-") || Listed(name, rule->query)) continue;
    return S3Error{400, "InvalidArgument", call.operation + " knows no query parameter '" + name + "'"};
  }
  for (const auto& [name, value] : call.headers.fields()) {
    const std::string lower = Lower(name);
    if (!lower.starts_with("x-amz-")) continue;
    const std::string rest = lower.substr(6);
    if (Listed(rest, kGeneralHeaders) || Listed(rest, rule->headers)) continue;
    if (MakesObject(call) && (Listed(rest, kObjectHeaders) || rest.starts_with("server-side-encryption-"))) continue;
    if (rules_.checksums == S3Rules::Checksums::kIgnored && rest.starts_with("checksum-")) continue;
    return S3Error{400, "InvalidArgument", call.operation + " takes no header '" + lower + "'"};
  }
  return std::nullopt;
}

std::optional<S3Error> S3Service::CheckRequired(const S3Call& call) const {
  const bool has_body = call.method == "PUT" || call.method == "POST";
  if (call.HasHeader("transfer-encoding") || call.Header("content-encoding").find("aws-chunked") != std::string::npos) {
    return S3Error{501, "NotImplemented", "A header you provided implies functionality that is not implemented"};
  }
  if (has_body && !call.HasHeader("content-length")) {
    return S3Error{411, "MissingContentLength", "You must provide the Content-Length HTTP header."};
  }
  if (!has_body && !call.body.empty()) return S3Error{400, "InvalidRequest", call.operation + " takes no body"};
  if (rules_.checksums == S3Rules::Checksums::kRefused) {
    for (const auto& [name, value] : call.headers.fields()) {
      if (Lower(name).starts_with("x-amz-checksum-") && Lower(name) != "x-amz-checksum-mode") {
        return S3Error{501,
                       "NotImplemented",
                       "A header you provided implies functionality that is not implemented",
                       {{"Header", name}}};
      }
    }
  }
  if (!MakesObject(call)) return std::nullopt;
  for (const auto& [name, value] : rules_.required_headers) {
    if (call.Header(name) != value) {
      return S3Error{400, "InvalidRequest", "This bucket wants the header " + name + ": " + value};
    }
  }
  return std::nullopt;
}

std::optional<S3Error> S3Service::CheckCondition(const S3Call& call, S3Rules::Conditions how) const {
  const std::string if_match = call.Header("if-match"), if_none_match = call.Header("if-none-match");
  if (if_match.empty() && if_none_match.empty()) return std::nullopt;
  if (how == S3Rules::Conditions::kIgnored) return std::nullopt;
  if (how == S3Rules::Conditions::kRefused || (!if_none_match.empty() && if_none_match != "*")) {
    return S3Error{501, "NotImplemented", "A header you provided implies functionality that is not implemented"};
  }
  const auto found = objects_.find({call.bucket, call.key});
  const bool exists = found != objects_.end();
  if (!if_match.empty() && !exists) return S3Error{404, "NoSuchKey", "The specified key does not exist."};
  if ((!if_none_match.empty() && exists) || (!if_match.empty() && found->second.etag != if_match)) {
    return S3Error{412,
                   "PreconditionFailed",
                   "At least one of the pre-conditions you specified did not hold",
                   {{"Condition", if_match.empty() ? "If-None-Match" : "If-Match"}}};
  }
  return std::nullopt;
}

std::optional<S3Error> S3Service::CheckBody(const S3Call& call, std::map<std::string, std::string>* checksums) const {
  if (const std::string md5 = call.Header("content-md5"); !md5.empty()) {
    const auto bytes = Base64Decode(md5);
    if (!bytes || bytes->size() != 16)
      return S3Error{400, "InvalidDigest", "The Content-MD5 you specified was invalid"};
    if (*bytes != Md5Of(call.body)) {
      return S3Error{400, "BadDigest", "The Content-MD5 you specified did not match what we received."};
    }
  }
  if (rules_.checksums != S3Rules::Checksums::kStrict) return std::nullopt;
  for (const std::string_view algorithm : kAlgorithms) {
    const std::string sent = call.Header("x-amz-checksum-" + std::string(algorithm));
    if (sent.empty()) continue;
    const std::string right = *S3ChecksumOf(algorithm, call.body);
    if (!Base64Decode(sent) || sent.size() != right.size()) {
      return S3Error{400, "InvalidRequest",
                     "Value for x-amz-checksum-" + std::string(algorithm) + " header is invalid."};
    }
    if (sent != right) {
      return S3Error{400, "BadDigest",
                     "The " + std::string(algorithm) +
                         " you specified did not match the calculated "
                         "checksum."};
    }
    checksums->emplace(algorithm, sent);
  }
  if (checksums->size() > 1) return S3Error{400, "InvalidRequest", "Expecting a single x-amz-checksum- header"};
  if (rules_.require_checksum && checksums->empty() && !call.HasHeader("content-md5")) {
    return S3Error{400, "InvalidRequest",
                   "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object "
                   "requests with Object Lock parameters"};
  }
  return std::nullopt;
}

std::optional<S3Error> S3Service::CheckCustomerKey(const S3Call& call, const std::string& md5) {
  const std::string prefix = "x-amz-server-side-encryption-customer-";
  const bool sent = call.HasHeader(prefix + "key") || call.HasHeader(prefix + "algorithm");
  if (md5.empty() && !sent) return std::nullopt;
  if (md5.empty())
    return S3Error{400, "InvalidRequest", "The encryption parameters are not applicable to this object."};
  const auto key = Base64Decode(call.Header(prefix + "key"));
  if (call.Header(prefix + "algorithm") != "AES256" || !key || key->size() != 32 ||
      call.Header(prefix + "key-md5") != Base64Encode(Md5Of(*key))) {
    return S3Error{400, "InvalidRequest",
                   "The object was stored using a form of Server Side Encryption. The correct "
                   "parameters must be provided to retrieve the object."};
  }
  if (call.Header(prefix + "key-md5") != md5) return S3Error{403, "AccessDenied", "Access Denied"};
  return std::nullopt;
}

S3Service::Object S3Service::ObjectFor(const S3Call& call) const {
  Object object{.modified = NowLocked()};
  for (const auto& [name, value] : call.headers.fields()) {
    const std::string lower = Lower(name);
    const bool meta = lower.starts_with("x-amz-meta-");
    if ((meta && rules_.keeps_metadata) || lower == "content-type" || lower == "cache-control" ||
        lower == "content-encoding" || lower == "content-disposition" || lower == "content-language" ||
        lower == "x-amz-storage-class" || lower == "x-amz-server-side-encryption" ||
        lower.starts_with("x-amz-object-lock-") || lower == "x-amz-server-side-encryption-aws-kms-key-id") {
      object.headers[lower] = value;
    }
  }
  object.sse_c_md5 = call.Header("x-amz-server-side-encryption-customer-key-md5");
  if (!rules_.default_encryption.empty() && object.sse_c_md5.empty()) {
    object.headers.emplace("x-amz-server-side-encryption", rules_.default_encryption);
  }
  object.tagging = call.Header("x-amz-tagging");
  return object;
}

std::string S3Service::NewEtag(const Object& object, std::string digest, const std::string& more) {
  if (rules_.opaque_etags) {
    // Always with the letters that have to be escaped somewhere.
    return "\"OPAQUE+" + Base64Encode(std::string("\xff\xff\xff", 3) + std::to_string(next_number_++) + "x") + "/=\"";
  }
  const auto sse = object.headers.find("x-amz-server-side-encryption");
  const bool kms = sse != object.headers.end() && sse->second.starts_with("aws:");
  if (kms || !object.sse_c_md5.empty()) digest = Md5Of("sealed " + std::to_string(next_number_++));
  return "\"" + HexOf(digest) + more + "\"";
}

void S3Service::ShowEncryption(const Object& object, HttpHeaders* headers) {
  for (const char* name : {"x-amz-server-side-encryption", "x-amz-server-side-encryption-aws-kms-key-id"}) {
    if (const auto sse = object.headers.find(name); sse != object.headers.end()) headers->Set(name, sse->second);
  }
  if (object.sse_c_md5.empty()) return;
  headers->Set("x-amz-server-side-encryption-customer-algorithm", "AES256");
  headers->Set("x-amz-server-side-encryption-customer-key-md5", object.sse_c_md5);
}

Timestamp S3Service::NowLocked() const { return Clock::System()->Now() + rules_.clock_offset; }

Timestamp S3Service::Now() const {
  MutexLock lock(&mutex_);
  return NowLocked();
}

void S3Service::Change(const std::function<void(S3Rules*)>& change) {
  MutexLock lock(&mutex_);
  change(&rules_);
}

S3Rules S3Service::rules() const {
  MutexLock lock(&mutex_);
  return rules_;
}

std::map<S3Service::ObjectName, S3Service::Object> S3Service::Objects() const {
  MutexLock lock(&mutex_);
  return objects_;
}

std::map<std::string, S3Service::Upload> S3Service::Uploads() const {
  MutexLock lock(&mutex_);
  std::map<std::string, Upload> open;
  for (const auto& [id, upload] : uploads_) {
    if (!upload.completed) open.emplace(id, upload);
  }
  return open;
}

void S3Service::PutForeign(const std::string& bucket, const std::string& key, std::string bytes) {
  MutexLock lock(&mutex_);
  Object object{.bytes = std::move(bytes), .modified = NowLocked()};
  object.etag = NewEtag(object, Md5Of(object.bytes), "");
  objects_[{bucket, key}] = std::move(object);
}

void S3Service::DeleteForeign(const std::string& bucket, const std::string& key) {
  MutexLock lock(&mutex_);
  objects_.erase({bucket, key});
}

void S3Service::ExpireUpload(const std::string& upload_id) {
  MutexLock lock(&mutex_);
  uploads_.erase(upload_id);
}

}  // namespace tailrace
