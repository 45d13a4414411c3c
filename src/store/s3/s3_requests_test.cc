#include "store/s3/s3_requests.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/crc64.h"
#include "store/s3/s3_checksum.h"

namespace tailrace {
namespace {

const WriteId kWrite{"019b76da-a800-7000-8000-00000000cafe"};
const UploadId kUpload{"id+/= &"};

ByteSlices Body(std::string text) { return ByteSlices(ByteSlice::Copy(std::move(text))); }

S3Settings Plain() { return {.place = {.dialect = S3Dialect::kOther, .endpoint = "http://h", .bucket = "bucket"}}; }

// With everything that can be asked for, but encryption.
S3Settings Full() {
  S3Settings settings = Plain();
  settings.object = {.content_type = "text/x",
                     .storage_class = "STANDARD_IA",
                     .acl = "bucket-owner-full-control",
                     .tags = {{"k&", "v="}, {"a", "b c"}},
                     .metadata = {{"mine", "yes"}},
                     .lock_mode = "GOVERNANCE",
                     .lock_until = Timestamp(std::chrono::seconds(1'767'225'600)),
                     .legal_hold = true};
  settings.requester_pays = true;
  settings.expected_bucket_owner = "123456789012";
  return settings;
}

S3Settings Encrypted(S3EncryptionKind kind) {
  S3Settings settings = Plain();
  settings.object.encryption = kind;
  settings.object.kms_key_id = kind == S3EncryptionKind::kSseKms ? "key-1" : "";
  if (kind == S3EncryptionKind::kSseC) {
    settings.customer_key = std::string(32, 'k');
    settings.object.customer_key_md5 = Md5Base64(settings.customer_key);
  }
  return settings;
}

PartReceipt Receipt(int number, const std::string& bytes, std::string etag, std::string checksum) {
  return {.number = number,
          .size_bytes = static_cast<int64_t>(bytes.size()),
          .etag = std::move(etag),
          .crc64 = Crc64Nvme(bytes.data(), bytes.size()),
          .checksum = std::move(checksum)};
}

// Every call, by name.
std::map<std::string, HttpRequest> AllOf(const S3Settings& s) {
  const std::vector<PartReceipt> parts = {Receipt(1, "a", "\"e\"", "")};
  return {{"PutObject", PutObjectRequest(s, "k", Body("x"), kWrite, {})},
          {"GetObject", GetObjectRequest(s, "k", 0, 1, "")},
          {"HeadObject", HeadObjectRequest(s, "k")},
          {"DeleteObject", DeleteObjectRequest(s, "k")},
          {"DeleteObjects", DeleteObjectsRequest(s, {"k"})},
          {"ListObjects", ListObjectsRequest(s, "", "", "")},
          {"Create", CreateUploadRequest(s, "k", kWrite)},
          {"UploadPart", UploadPartRequest(s, "k", kUpload, 1, Body("x"))},
          {"UploadPartCopy", UploadPartCopyRequest(s, "k", kUpload, 1, {.bucket = "b", .key = "s", .length = 1})},
          {"ListParts", ListPartsRequest(s, "k", kUpload, 0)},
          {"Complete", CompleteUploadRequest(s, "k", kUpload, parts, {})},
          {"Abort", AbortUploadRequest(s, "k", kUpload)},
          {"ListUploads", ListUploadsRequest(s, "", "", "")}};
}

// The calls that send a header whose name begins so.
std::set<std::string> CallsWith(const S3Settings& settings, const std::string& prefix) {
  std::set<std::string> calls;
  for (const auto& [name, request] : AllOf(settings)) {
    for (const auto& [header, value] : request.headers.fields()) {
      if (header.starts_with(prefix)) calls.insert(name);
    }
  }
  return calls;
}

using Calls = std::set<std::string>;

// C46: what is demanded of PUT and create is refused elsewhere.
TEST(S3Requests, HeadersOfTheObjectGoWithPutAndCreateAlone) {
  const Calls makers = {"PutObject", "Create"};
  for (const char* header : {"x-amz-storage-class", "x-amz-acl", "x-amz-tagging", "x-amz-meta-mine",
                             "x-amz-meta-tailrace-write-id", "x-amz-object-lock-"}) {
    EXPECT_EQ(CallsWith(Full(), header), makers) << header;
  }
  EXPECT_EQ(CallsWith(Encrypted(S3EncryptionKind::kSseS3), "x-amz-server-side-encryption"), makers);
  EXPECT_EQ(CallsWith(Encrypted(S3EncryptionKind::kSseKms), "x-amz-server-side-encryption"), makers);
  EXPECT_EQ(CallsWith(Encrypted(S3EncryptionKind::kSseC), "x-amz-server-side-encryption-customer-key"),
            (Calls{"PutObject", "Create", "UploadPart", "UploadPartCopy", "HeadObject", "GetObject"}));
  EXPECT_EQ(CallsWith(Encrypted(S3EncryptionKind::kSseC), "x-amz-copy-source-server-side-encryption"),
            Calls{"UploadPartCopy"});
}

TEST(S3Requests, PayerAndOwnerGoWithEveryCall) {
  EXPECT_EQ(CallsWith(Full(), "x-amz-request-payer").size(), AllOf(Full()).size());
  EXPECT_EQ(CallsWith(Full(), "x-amz-expected-bucket-owner").size(), AllOf(Full()).size());
}

TEST(S3Requests, NothingIsSentThatNobodyAskedFor) {
  for (const auto& [name, request] : AllOf(Plain())) {
    for (const auto& [header, value] : request.headers.fields()) {
      const bool known = header == "x-amz-meta-tailrace-write-id" || header == "x-amz-checksum-mode" ||
                         header == "Content-Type" || header == "Content-MD5" || header == "Range" ||
                         header == "Accept-Encoding" || header.starts_with("x-amz-copy-source");
      EXPECT_TRUE(known) << name << ": " << header;
    }
  }
}

TEST(S3Requests, ValuesOfTheObjectsHeaders) {
  const HttpHeaders& headers = CreateUploadRequest(Full(), "k", kWrite).headers;
  EXPECT_EQ(headers.Get("x-amz-tagging"), "a=b%20c&k%26=v%3D");
  EXPECT_EQ(headers.Get("x-amz-object-lock-retain-until-date"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(headers.Get("x-amz-object-lock-legal-hold"), "ON");
  EXPECT_EQ(headers.Get("Content-Type"), "text/x");
  EXPECT_EQ(headers.Get(kWriteIdHeader), kWrite.text);
  const HttpHeaders kms = CreateUploadRequest(Encrypted(S3EncryptionKind::kSseKms), "k", kWrite).headers;
  EXPECT_EQ(kms.Get("x-amz-server-side-encryption"), "aws:kms");
  EXPECT_EQ(kms.Get("x-amz-server-side-encryption-aws-kms-key-id"), "key-1");
  const HttpHeaders customer = HeadObjectRequest(Encrypted(S3EncryptionKind::kSseC), "k").headers;
  EXPECT_EQ(customer.Get("x-amz-server-side-encryption-customer-algorithm"), "AES256");
  EXPECT_EQ(customer.Get("x-amz-server-side-encryption-customer-key"), "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=");
}

// C28, C29, C30: as headers, never as trailers; declared once, repeated where they were echoed.
TEST(S3Requests, ChecksumsGoWithBodiesAndAreDeclaredAtCreate) {
  struct Row {
    S3Checksum kind;
    const char* header;
    const char* algorithm;
    const char* type;
  };
  for (const Row& row :
       {Row{S3Checksum::kMd5, "Content-MD5", "", ""}, Row{S3Checksum::kCrc32, "x-amz-checksum-crc32", "CRC32", ""},
        Row{S3Checksum::kCrc32c, "x-amz-checksum-crc32c", "CRC32C", ""},
        Row{S3Checksum::kSha256, "x-amz-checksum-sha256", "SHA256", ""},
        Row{S3Checksum::kCrc64Nvme, "x-amz-checksum-crc64nvme", "CRC64NVME", "FULL_OBJECT"}}) {
    S3Settings settings = Plain();
    settings.object.checksum = row.kind;
    const ByteSlices body = Body("123456789");
    const std::string value = ChecksumOf(row.kind, body);
    EXPECT_EQ(PutObjectRequest(settings, "k", body, kWrite, {}).headers.Get(row.header), value);
    EXPECT_EQ(UploadPartRequest(settings, "k", kUpload, 1, body).headers.Get(row.header), value);
    const HttpHeaders create = CreateUploadRequest(settings, "k", kWrite).headers;
    EXPECT_EQ(create.Get("x-amz-checksum-algorithm").value_or(""), row.algorithm);
    EXPECT_EQ(create.Get("x-amz-checksum-type").value_or(""), row.type);
    for (const auto& [name, request] : AllOf(settings)) {
      EXPECT_FALSE(request.headers.Get("x-amz-trailer")) << name;
      EXPECT_FALSE(request.headers.Get("Content-Encoding")) << name;
    }
  }
}

TEST(S3Requests, CompleteRepeatsEtagsAsTheyCameAndChecksumsThatWereEchoed) {
  S3Settings settings = Plain();
  settings.object.checksum = S3Checksum::kCrc64Nvme;
  const std::string odd = "\"CRC64NVME-I+d+K/WPIaA=<&>\"";
  std::vector<PartReceipt> parts = {Receipt(1, "12345", odd, "c1="), Receipt(3, "6789", "plain", "c2=")};
  HttpRequest request = CompleteUploadRequest(settings, "k", kUpload, parts, {});
  EXPECT_EQ(request.body.ToString(),
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            "<Part><PartNumber>1</PartNumber><ETag>&quot;CRC64NVME-I+d+K/WPIaA=&lt;&amp;&gt;&quot;</ETag>"
            "<ChecksumCRC64NVME>c1=</ChecksumCRC64NVME></Part>"
            "<Part><PartNumber>3</PartNumber><ETag>plain</ETag><ChecksumCRC64NVME>c2=</ChecksumCRC64NVME></Part>"
            "</CompleteMultipartUpload>");
  EXPECT_EQ(request.headers.Get("x-amz-checksum-crc64nvme"), "rosUhgp5mIg=") << "that of \"123456789\"";
  EXPECT_EQ(request.headers.Get("x-amz-checksum-type"), "FULL_OBJECT");
  EXPECT_FALSE(request.resend_on_stale_connection);

  parts[1].checksum.clear();
  request = CompleteUploadRequest(settings, "k", kUpload, parts, {});
  EXPECT_EQ(request.body.ToString().find("c2="), std::string::npos);
  EXPECT_FALSE(request.headers.Get("x-amz-checksum-crc64nvme")) << "not verified by the store, so not claimed";

  parts[1].checksum = "c2=";
  parts[1].crc64 = 0;
  request = CompleteUploadRequest(settings, "k", kUpload, parts, {});
  EXPECT_FALSE(request.headers.Get("x-amz-checksum-crc64nvme")) << "of a part that somebody else stored";
  parts[1].checksum.clear();

  settings.object.checksum = S3Checksum::kSha256;
  request = CompleteUploadRequest(settings, "k", kUpload, parts, {});
  EXPECT_NE(request.body.ToString().find("<ChecksumSHA256>c1=</ChecksumSHA256>"), std::string::npos);
  EXPECT_FALSE(request.headers.Get("x-amz-checksum-sha256"));
}

TEST(S3Requests, ConditionsGoWithPutAndComplete) {
  const std::vector<PartReceipt> parts = {Receipt(1, "a", "e", "")};
  const PutCondition absent{.if_absent = true}, match{.if_match_etag = "\"e\""};
  for (const HttpRequest& request : {PutObjectRequest(Plain(), "k", Body("x"), kWrite, absent),
                                     CompleteUploadRequest(Plain(), "k", kUpload, parts, absent)}) {
    EXPECT_EQ(request.headers.Get("If-None-Match"), "*");
    EXPECT_FALSE(request.headers.Get("If-Match"));
  }
  for (const HttpRequest& request : {PutObjectRequest(Plain(), "k", Body("x"), kWrite, match),
                                     CompleteUploadRequest(Plain(), "k", kUpload, parts, match)}) {
    EXPECT_EQ(request.headers.Get("If-Match"), "\"e\"");
    EXPECT_FALSE(request.headers.Get("If-None-Match"));
  }
}

TEST(S3Requests, RangesAndTheirEtag) {
  const HttpRequest request = GetObjectRequest(Plain(), "k", 100, 50, "\"e\"");
  EXPECT_EQ(request.headers.Get("Range"), "bytes=100-149");
  EXPECT_EQ(request.headers.Get("If-Match"), "\"e\"");
  EXPECT_EQ(request.headers.Get("Accept-Encoding"), "identity");
  const HttpRequest copy = UploadPartCopyRequest(
      Plain(), "k", kUpload, 2, {.bucket = "b", .key = "a b/c", .if_etag = "e", .offset = 7, .length = 5});
  EXPECT_EQ(copy.headers.Get("x-amz-copy-source"), "/b/a%20b/c");
  EXPECT_EQ(copy.headers.Get("x-amz-copy-source-range"), "bytes=7-11");
  EXPECT_EQ(copy.headers.Get("x-amz-copy-source-if-match"), "e");
}

// C33: what stands on the wire is what is signed.
TEST(S3Requests, KeysAndIdsAreEncodedOnce) {
  const std::pair<const char*, const char*> keys[] = {
      {"a/b c.parquet", "/bucket/a/b%20c.parquet"}, {"=+@&$:,;?#", "/bucket/%3D%2B%40%26%24%3A%2C%3B%3F%23"},
      {"50%/x%2Fy", "/bucket/50%25/x%252Fy"},       {"\xc3\xa9\xe2\x82\xac", "/bucket/%C3%A9%E2%82%AC"},
      {"a/../b/./c", "/bucket/a/../b/./c"},         {"a//b", "/bucket/a//b"},
  };
  for (const auto& [key, path] : keys) EXPECT_EQ(HeadObjectRequest(Plain(), key).url.path, path);
  EXPECT_EQ(UploadPartRequest(Plain(), "k", kUpload, 7, Body("x")).url.query,
            "partNumber=7&uploadId=id%2B%2F%3D%20%26");
  EXPECT_EQ(ListPartsRequest(Plain(), "k", kUpload, 0).url.query, "uploadId=id%2B%2F%3D%20%26");
  EXPECT_EQ(ListPartsRequest(Plain(), "k", kUpload, 9).url.query, "part-number-marker=9&uploadId=id%2B%2F%3D%20%26");
  EXPECT_EQ(CreateUploadRequest(Plain(), "k", kWrite).url.query, "uploads=");
  EXPECT_EQ(ListObjectsRequest(Plain(), "a b", "/", "t+").url.query,
            "continuation-token=t%2B&delimiter=%2F&encoding-type=url&list-type=2&prefix=a%20b");
  EXPECT_EQ(ListUploadsRequest(Plain(), "p", "k", "i").url.query, "key-marker=k&prefix=p&upload-id-marker=i&uploads=");
  S3Settings host = Plain();
  host.place.virtual_host = true;
  EXPECT_EQ(HeadObjectRequest(host, "a b").url.path, "/a%20b");
  EXPECT_EQ(ListObjectsRequest(host, "", "", "").url.path, "/");
  EXPECT_EQ(ListObjectsRequest(Plain(), "", "", "").url.path, "/bucket");
}

TEST(S3Requests, DeleteObjectsEscapesKeysAndHasItsDigest) {
  const HttpRequest request = DeleteObjectsRequest(Plain(), {"a<b>&\"'\x01", "c"});
  const std::string body = request.body.ToString();
  EXPECT_NE(body.find("<Key>a&lt;b&gt;&amp;&quot;&apos;&#1;</Key>"), std::string::npos) << body;
  EXPECT_EQ(request.headers.Get("Content-MD5"), Md5Base64(body));
  EXPECT_EQ(request.method, "POST");
}

}  // namespace
}  // namespace tailrace
