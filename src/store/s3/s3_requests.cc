#include "store/s3/s3_requests.h"

#include <utility>

#include "auth/sigv4.h"
#include "base/base64.h"
#include "base/crc64.h"
#include "base/iso_time.h"
#include "store/s3/s3_checksum.h"

namespace tailrace {
namespace {

using Query = std::vector<std::pair<std::string, std::string>>;

HttpRequest Begin(const S3Settings& settings, std::string method, std::string path, const Query& query) {
  HttpRequest request{.method = std::move(method)};
  request.url.path = std::move(path);
  request.url.query = EncodeQuery(query);
  if (settings.requester_pays) request.headers.Add("x-amz-request-payer", "requester");
  if (!settings.expected_bucket_owner.empty()) {
    request.headers.Add("x-amz-expected-bucket-owner", settings.expected_bucket_owner);
  }
  request.resend_on_stale_connection = true;
  return request;
}

HttpRequest OnKey(const S3Settings& settings, std::string method, const std::string& key, const Query& query = {}) {
  return Begin(settings, std::move(method), settings.place.PathOf(key), query);
}

HttpRequest OnBucket(const S3Settings& settings, std::string method, const Query& query) {
  return Begin(settings, std::move(method), settings.place.BucketPath(), query);
}

void AddUnlessEmpty(std::string name, const std::string& value, HttpHeaders* headers) {
  if (!value.empty()) headers->Add(std::move(name), value);
}

void SetBody(std::string text, std::string content_type, HttpRequest* request) {
  request->headers.Add("Content-Type", std::move(content_type));
  request->body = ByteSlices(ByteSlice::Copy(std::move(text)));
}

// `prefix` tells the key of the object itself from that of the source of a copy.
void AddCustomerKey(const S3Settings& settings, const std::string& prefix, HttpHeaders* headers) {
  if (settings.object.encryption != S3EncryptionKind::kSseC) return;
  headers->Add(prefix + "server-side-encryption-customer-algorithm", "AES256");
  headers->Add(prefix + "server-side-encryption-customer-key", EncodeBase64(settings.customer_key));
  headers->Add(prefix + "server-side-encryption-customer-key-md5", settings.object.customer_key_md5);
}

void AddEncryption(const S3Settings& settings, HttpHeaders* headers) {
  switch (settings.object.encryption) {
    case S3EncryptionKind::kSseS3:
      headers->Add("x-amz-server-side-encryption", "AES256");
      break;
    case S3EncryptionKind::kSseKms:
      headers->Add("x-amz-server-side-encryption", "aws:kms");
      AddUnlessEmpty("x-amz-server-side-encryption-aws-kms-key-id", settings.object.kms_key_id, headers);
      break;
    case S3EncryptionKind::kSseC:
      AddCustomerKey(settings, "x-amz-", headers);
      break;
    case S3EncryptionKind::kNone:
      break;
  }
}

// What a new object is given: of PUT and create alone.
void AddObjectOptions(const S3Settings& settings, const WriteId& write_id, HttpHeaders* headers) {
  const ObjectOptions& object = settings.object;
  AddUnlessEmpty("Content-Type", object.content_type, headers);
  AddUnlessEmpty("x-amz-storage-class", object.storage_class, headers);
  AddUnlessEmpty("x-amz-acl", object.acl, headers);
  if (!object.tags.empty()) headers->Add("x-amz-tagging", EncodeQuery(object.tags));
  for (const auto& [name, value] : object.metadata) headers->Add("x-amz-meta-" + name, value);
  headers->Add(std::string(kWriteIdHeader), write_id.text);
  AddUnlessEmpty("x-amz-object-lock-mode", object.lock_mode, headers);
  if (object.lock_until) {
    headers->Add("x-amz-object-lock-retain-until-date", FormatIsoTime(*object.lock_until));
  }
  if (object.legal_hold) headers->Add("x-amz-object-lock-legal-hold", "ON");
  AddEncryption(settings, headers);
}

void AddChecksum(const S3Settings& settings, HttpRequest* request) {
  const S3ChecksumNames& names = NamesOf(settings.object.checksum);
  if (names.header.empty()) return;
  request->headers.Add(std::string(names.header), ChecksumOf(settings.object.checksum, request->body));
}

void AddCondition(const PutCondition& condition, HttpHeaders* headers) {
  if (condition.if_absent) headers->Add("If-None-Match", "*");
  AddUnlessEmpty("If-Match", condition.if_match_etag, headers);
}

Query PartQuery(const UploadId& id, int number) {
  return {{"partNumber", std::to_string(number)}, {"uploadId", id.text}};
}

std::string RangeText(int64_t offset, int64_t length) {
  return "bytes=" + std::to_string(offset) + "-" + std::to_string(offset + length - 1);
}

// Does every part's answer show that the store keeps checksums, and do we know that of the part? A part that somebody
// else stored, named so that the store completes, has a CRC of 0 where nobody knows it.
bool AllEchoed(const std::vector<PartReceipt>& parts) {
  for (const PartReceipt& part : parts) {
    if (part.checksum.empty() || part.crc64 == 0) return false;
  }
  return !parts.empty();
}

}  // namespace

std::string XmlEscape(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        if (static_cast<unsigned char>(c) < ' ') {
          out += "&#" + std::to_string(static_cast<int>(c)) + ";";
        } else {
          out.push_back(c);
        }
    }
  }
  return out;
}

HttpRequest PutObjectRequest(const S3Settings& settings, const std::string& key, const ByteSlices& body,
                             const WriteId& write_id, const PutCondition& condition) {
  HttpRequest request = OnKey(settings, "PUT", key);
  request.body = body;
  AddObjectOptions(settings, write_id, &request.headers);
  AddChecksum(settings, &request);
  AddCondition(condition, &request.headers);
  return request;
}

HttpRequest GetObjectRequest(const S3Settings& settings, const std::string& key, int64_t offset, int64_t length,
                             const std::string& if_etag) {
  HttpRequest request = OnKey(settings, "GET", key);
  request.headers.Add("Range", RangeText(offset, length));
  // A compressed answer would count its ranges in other bytes.
  request.headers.Add("Accept-Encoding", "identity");
  AddUnlessEmpty("If-Match", if_etag, &request.headers);
  AddCustomerKey(settings, "x-amz-", &request.headers);
  return request;
}

HttpRequest HeadObjectRequest(const S3Settings& settings, const std::string& key) {
  HttpRequest request = OnKey(settings, "HEAD", key);
  // Google does not know these checksums, and need not know the header.
  if (settings.place.dialect != S3Dialect::kGcs) request.headers.Add("x-amz-checksum-mode", "ENABLED");
  AddCustomerKey(settings, "x-amz-", &request.headers);
  return request;
}

HttpRequest DeleteObjectRequest(const S3Settings& settings, const std::string& key) {
  return OnKey(settings, "DELETE", key);
}

HttpRequest DeleteObjectsRequest(const S3Settings& settings, const std::vector<std::string>& keys) {
  HttpRequest request = OnBucket(settings, "POST", {{"delete", ""}});
  std::string body = "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>";
  for (const std::string& key : keys) body += "<Object><Key>" + XmlEscape(key) + "</Key></Object>";
  body += "</Delete>";
  // The one call that S3 refuses without a checksum.
  request.headers.Add("Content-MD5", Md5Base64(body));
  SetBody(std::move(body), "application/xml", &request);
  return request;
}

HttpRequest ListObjectsRequest(const S3Settings& settings, const std::string& prefix, const std::string& delimiter,
                               const std::string& token) {
  Query query = {{"list-type", "2"}, {"encoding-type", "url"}};
  if (!prefix.empty()) query.emplace_back("prefix", prefix);
  if (!delimiter.empty()) query.emplace_back("delimiter", delimiter);
  if (!token.empty()) query.emplace_back("continuation-token", token);
  return OnBucket(settings, "GET", query);
}

HttpRequest CreateUploadRequest(const S3Settings& settings, const std::string& key, const WriteId& write_id) {
  HttpRequest request = OnKey(settings, "POST", key, {{"uploads", ""}});
  AddObjectOptions(settings, write_id, &request.headers);
  const S3ChecksumNames& names = NamesOf(settings.object.checksum);
  if (!names.algorithm.empty()) {
    request.headers.Add("x-amz-checksum-algorithm", std::string(names.algorithm));
    // The other type is what these kinds mean by themselves, and one store refuses to hear of it.
    if (names.full_object) request.headers.Add("x-amz-checksum-type", "FULL_OBJECT");
  }
  return request;
}

HttpRequest UploadPartRequest(const S3Settings& settings, const std::string& key, const UploadId& id, int number,
                              const ByteSlices& body) {
  HttpRequest request = OnKey(settings, "PUT", key, PartQuery(id, number));
  request.body = body;
  AddChecksum(settings, &request);
  AddCustomerKey(settings, "x-amz-", &request.headers);
  return request;
}

HttpRequest UploadPartCopyRequest(const S3Settings& settings, const std::string& key, const UploadId& id, int number,
                                  const S3CopySource& source) {
  HttpRequest request = OnKey(settings, "PUT", key, PartQuery(id, number));
  request.headers.Add("x-amz-copy-source", "/" + UriEncode(source.bucket, false) + "/" + UriEncode(source.key, true));
  request.headers.Add("x-amz-copy-source-range", RangeText(source.offset, source.length));
  AddUnlessEmpty("x-amz-copy-source-if-match", source.if_etag, &request.headers);
  AddCustomerKey(settings, "x-amz-", &request.headers);
  AddCustomerKey(settings, "x-amz-copy-source-", &request.headers);
  return request;
}

HttpRequest ListPartsRequest(const S3Settings& settings, const std::string& key, const UploadId& id, int after) {
  Query query = {{"uploadId", id.text}};
  if (after > 0) query.emplace_back("part-number-marker", std::to_string(after));
  return OnKey(settings, "GET", key, query);
}

HttpRequest CompleteUploadRequest(const S3Settings& settings, const std::string& key, const UploadId& id,
                                  const std::vector<PartReceipt>& parts, const PutCondition& condition) {
  HttpRequest request = OnKey(settings, "POST", key, {{"uploadId", id.text}});
  const S3ChecksumNames& names = NamesOf(settings.object.checksum);
  std::string body = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  for (const PartReceipt& part : parts) {
    body +=
        "<Part><PartNumber>" + std::to_string(part.number) + "</PartNumber><ETag>" + XmlEscape(part.etag) + "</ETag>";
    if (!part.checksum.empty() && !names.element.empty()) {
      const std::string element(names.element);
      body += "<" + element + ">" + XmlEscape(part.checksum) + "</" + element + ">";
    }
    body += "</Part>";
  }
  body += "</CompleteMultipartUpload>";
  if (settings.object.checksum == S3Checksum::kCrc64Nvme && AllEchoed(parts)) {
    uint64_t crc = 0;
    for (const PartReceipt& part : parts) crc = Crc64Combine(crc, part.crc64, static_cast<uint64_t>(part.size_bytes));
    request.headers.Add(std::string(names.header), FormatCrc64(crc));
    request.headers.Add("x-amz-checksum-type", "FULL_OBJECT");
  }
  AddCondition(condition, &request.headers);
  SetBody(std::move(body), "application/xml", &request);
  // Sent twice it may meet an upload that its first sending has completed: whoever calls has to look first.
  request.resend_on_stale_connection = false;
  return request;
}

HttpRequest AbortUploadRequest(const S3Settings& settings, const std::string& key, const UploadId& id) {
  return OnKey(settings, "DELETE", key, {{"uploadId", id.text}});
}

HttpRequest ListUploadsRequest(const S3Settings& settings, const std::string& prefix, const std::string& key_marker,
                               const std::string& id_marker) {
  // Without encoding-type: Ceph's RGW then encodes names and does not say so, LocalStack says so and does not.
  Query query = {{"uploads", ""}};
  if (!prefix.empty()) query.emplace_back("prefix", prefix);
  if (!key_marker.empty()) query.emplace_back("key-marker", key_marker);
  if (!id_marker.empty()) query.emplace_back("upload-id-marker", id_marker);
  return OnBucket(settings, "GET", query);
}

}  // namespace tailrace
