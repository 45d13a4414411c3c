// What was found about each server that can be run. Every difference here is tested: a server that stops to differ
// fails the suite, and its row is corrected.
#include "tests/conformance/store_under_test.h"

namespace tailrace {
namespace {

using Answers = std::map<std::string, std::string>;

// Objects and folders are files and folders below the gateway's root. What its second Complete answers does not show
// that there was a first one, so that tailrace looks at the object (completes_twice).
StoreDifferences Versitygw(std::string name, int many_parts) {
  return {.name = std::move(name),
          .checks_tokens = true,
          .many_parts = many_parts,
          .keys = {{"double slash", KeyFate::kShared}, {"1024 bytes", KeyFate::kRefused}},
          .answers = {{"complete: after abort, over a foreign object", "200"},
                      {"complete: full-object CRC64NVME without those of parts", "400 InvalidRequest"},
                      {"head: encoding after a trailer", "aws-chunked"},
                      {"list uploads: one a page", "1, then 400 InvalidArgument"},
                      {"given: SSE-S3", "lost"},
                      {"given: storage class STANDARD_IA", "STANDARD"}}};
}

// What the servers say that do not know x-amz-checksum-*.
Answers WithoutChecksums(Answers others) {
  Answers answers = {{"part: wrong CRC32", "200"},
                     {"part: wrong CRC32C", "200"},
                     {"part: wrong SHA256", "200"},
                     {"part: wrong CRC64NVME", "200"},
                     {"part: echoed checksums", "none"},
                     {"put: wrong CRC64NVME", "200"},
                     {"complete: wrong x-amz-mp-object-size", "200"},
                     {"complete: composite CRC32C", "lost"},
                     {"complete: full-object CRC64NVME", "lost"},
                     {"complete: wrong full-object CRC64NVME", "200"}};
  for (const auto& [name, answer] : others) answers[name] = answer;
  return answers;
}

// And those that take no signature for a wrong one.
Answers WithoutSignatures(Answers others) {
  Answers answers = {{"signed: another payload's hash", "200"},
                     {"signed: wrong secret", "200"},
                     {"signed: wrong secret, asked first", "200"},
                     {"signed: unknown key", "200"},
                     {"signed: invented session token", "200"},
                     {"signed: an hour late", "200"},
                     {"signed: another region", "200"}};
  for (const auto& [name, answer] : others) answers[name] = answer;
  return answers;
}

// No upload of its own: completing one that is gone gets an error of the server, as if it were in progress.
StoreDifferences Radosgw() {
  return {.name = "radosgw",
          .leaves_strays_out = false,
          .completes_twice = true,
          .gone_complete_is_transient = true,
          .tells_crc64 = false,
          .echoes_checksums = false,
          .many_parts = 12,
          .answers = WithoutChecksums({{"complete: ETag of its result", "none"},
                                       {"complete: wrong order", "200"},
                                       {"complete: subset of the parts", "400 InvalidPart"},
                                       {"complete: after abort", "500 InternalError"},
                                       {"complete: after abort, over a foreign object", "500 InternalError"},
                                       {"complete: If-None-Match where an object is", "200"},
                                       {"complete: abort after a failed condition", "404 NoSuchUpload, object 200"},
                                       {"put: trailer with CRC64NVME", "400 XAmzContentSHA256Mismatch"},
                                       {"put: trailer with CRC32C", "400 XAmzContentSHA256Mismatch"},
                                       {"put: trailer with a wrong CRC64NVME", "400 XAmzContentSHA256Mismatch"},
                                       {"head: encoding after a trailer", "refused"},
                                       {"part: number 0", "200"},
                                       {"part: number 10,001", "200"},
                                       {"list: after abort", "404 NoSuchKey"},
                                       {"head: partNumber=1", "200, parts not told"},
                                       {"signed: invented session token", "200"},
                                       {"signed: another region", "200"},
                                       {"put: If-Match, right", "412 PreconditionFailed"},
                                       {"given: SSE-S3", "lost"},
                                       {"given: storage class STANDARD_IA", "400 InvalidArgument"},
                                       {"given: tags", "lost"},
                                       {"head: ids of requests", "x-amz-request-id"}})};
}

// Objects are lists of their parts, which stay where they are.
StoreDifferences Swift() {
  return {.name = "swift",
          .completes_twice = true,
          .refuses_part_after_complete = false,
          .tells_crc64 = false,
          .echoes_checksums = false,
          .max_parts = 1000,
          .many_parts = 12,
          .keys = {{"1024 bytes", KeyFate::kPutAlone}},
          .answers = WithoutChecksums({{"complete: If-None-Match where an object is", "412 InvalidRequest"},
                                       {"complete: with CRC32C of its parts", "400 MalformedXML"},
                                       {"complete: with CRC64NVME of its parts", "400 MalformedXML"},
                                       {"complete: composite CRC32C", "400 MalformedXML"},
                                       {"complete: full-object CRC64NVME", "400 MalformedXML"},
                                       {"complete: wrong full-object CRC64NVME", "400 MalformedXML"},
                                       {"put: trailer with CRC64NVME", "501 NotImplemented"},
                                       {"put: trailer with CRC32C", "501 NotImplemented"},
                                       {"put: trailer with a wrong CRC64NVME", "501 NotImplemented"},
                                       {"head: encoding after a trailer", "refused"},
                                       {"part: number 1,001", "400 InvalidArgument"},
                                       {"list uploads: one a page", "1, no marker"},
                                       {"head: partNumber=1", "405, parts not told"},
                                       {"signed: another payload's hash", "400 BadDigest"},
                                       {"signed: unknown key", "403 SignatureDoesNotMatch"},
                                       {"signed: invented session token", "200"},
                                       {"put: If-None-Match where an object is", "501 NotImplemented"},
                                       {"put: If-Match, right", "501 NotImplemented"},
                                       {"put: If-Match, wrong", "501 NotImplemented"},
                                       {"given: SSE-S3", "501 NotImplemented"},
                                       {"given: storage class STANDARD_IA", "400 InvalidStorageClass"},
                                       {"given: tags", "501 NotImplemented"}})};
}

// Its host names are of its own domain.
StoreDifferences Localstack() {
  return {.name = "localstack",
          .checks_signatures = false,
          .many_parts = 12,
          .answers = WithoutSignatures({{"complete: no ETag", "500 InternalError"},
                                        {"complete: twice", "404 NoSuchUpload"},
                                        {"put: trailer with CRC32C", "400 InvalidRequest"},
                                        {"list uploads: one a page", "1, 1, 0"},
                                        {"signed: virtual host", "404 NoSuchBucket"}})};
}

// Both contents of a replaced part are kept; which of them is listed is left to chance.
StoreDifferences Seaweedfs() {
  return {.name = "seaweedfs",
          .checks_part_etags = false,
          .lists_newest_part = false,
          .completes_twice = true,
          .many_parts = 12,
          .keys = {{"double slash", KeyFate::kShared},
                   {"1024 bytes", KeyFate::kRefused},
                   {"backslash", KeyFate::kUnlisted}},
          .answers = {{"complete: no ETag", "400 InvalidPart"},
                      {"complete: old ETag of a replaced part", "200, old bytes"},
                      {"complete: wrong x-amz-mp-object-size", "200"},
                      {"put: trailer with a wrong CRC64NVME", "400 IncompleteBody"},
                      {"create: absent bucket", "200"},
                      {"signed: invented session token", "200"},
                      {"signed: another region", "200"},
                      {"given: SSE-S3", "500 InternalError"},
                      {"head: ids of requests", "x-amz-request-id"}}};
}

// An upload that is gone is an error of the server.
StoreDifferences Moto() {
  return {.name = "moto",
          .completes_twice = true,
          .gone_part_is_transient = true,
          .gone_complete_is_transient = true,
          .tells_upload_time = false,
          .tells_crc64 = false,
          .echoes_checksums = false,
          .pages_uploads = false,
          .checks_signatures = false,
          .many_parts = 12,
          .answers = WithoutSignatures(WithoutChecksums({{"complete: no ETag", "500"},
                                                         {"complete: wrong order", "200"},
                                                         {"complete: after abort", "500"},
                                                         {"complete: after abort, over a foreign object", "500"},
                                                         {"complete: full-object CRC64NVME", "kept"},
                                                         {"part: wrong Content-MD5", "200"},
                                                         {"put: wrong Content-MD5", "200"},
                                                         {"put: trailer with a wrong CRC64NVME", "200"},
                                                         {"part: number 0", "404 NoSuchUpload"},
                                                         {"part: unknown upload", "500"},
                                                         {"part: after abort", "500"},
                                                         {"list uploads: one a page", "2"},
                                                         {"head: partNumber=1", "200, parts 2"},
                                                         {"head: ids of requests", "none"}}))};
}

}  // namespace

const std::vector<StoreDifferences>& RealServers() {
  static const std::vector<StoreDifferences> servers = {Versitygw("versitygw", 1005),
                                                        Versitygw("versitygw-opaque", 12),
                                                        Versitygw("versitygw-tls", 12),
                                                        Localstack(),
                                                        Radosgw(),
                                                        Swift(),
                                                        Seaweedfs(),
                                                        Moto()};
  return servers;
}

}  // namespace tailrace
