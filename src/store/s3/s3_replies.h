// What S3 answers: bodies and headers as values. Tolerant of what one store leaves out and another adds, strict about
// what a decision is built on. Pure; any bytes may come in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "http/transport.h"
#include "store/s3/s3_checksum.h"
#include "tailrace/object.h"
#include "tailrace/store.h"

namespace tailrace {

// No reply of ours is larger: 1,000 keys of 1,024 bytes, three times as long when encoded, with their facts.
inline constexpr int64_t kMaxReplyBytes = int64_t{16} << 20;

struct S3ErrorBody {
  std::string code;
  std::string message;
  std::string region;    // of AuthorizationHeaderMalformed, PermanentRedirect
  std::string endpoint;  // of redirects
  std::string request_id;
  std::optional<int> part_number;        // of InvalidPart
  std::optional<Timestamp> server_time;  // of RequestTimeTooSkewed
};
// nullopt where the body is no error document of S3 (an HTML page, nothing at all). White space before it is skipped.
std::optional<S3ErrorBody> ParseErrorBody(std::string_view body);

// Below: kInternal where the body is something else than was asked for.

Result<UploadId> ParseCreateReply(std::string_view body);

struct CompleteReply {
  std::string etag;               // as given, with its quotes; empty on stores that leave it out
  std::optional<uint64_t> crc64;  // of the whole object, where told
};
Result<CompleteReply> ParseCompleteReply(std::string_view body);

struct CopyPartReply {
  std::string etag;
  std::optional<uint64_t> crc64;
};
Result<CopyPartReply> ParseCopyPartReply(std::string_view body);

struct ListedPart {
  int number = 0;
  int64_t size_bytes = 0;
  std::string etag;
  std::string checksum;           // of the kind asked for, base64; empty where not told
  std::optional<uint64_t> crc64;  // where that kind is told
};
struct PartsPage {
  std::vector<ListedPart> parts;  // in the order of the reply
  bool truncated = false;
  int next_after = 0;  // 0 where not told
};
Result<PartsPage> ParsePartsPage(std::string_view body, S3Checksum kind);

struct UploadsPage {
  std::vector<UploadSummary> uploads;
  bool truncated = false;
  std::string next_key, next_id;
};
Result<UploadsPage> ParseUploadsPage(std::string_view body);

struct ListedObject {
  std::string key;
  int64_t size_bytes = 0;
  std::string etag;
  Timestamp last_modified{};
};
struct ObjectsPage {
  std::vector<ListedObject> objects;
  std::vector<std::string> folders;  // common prefixes
  bool truncated = false;
  std::string next_token;
};
Result<ObjectsPage> ParseObjectsPage(std::string_view body);

struct FailedDelete {
  std::string key;
  std::string code;
  std::string message;
};
Result<std::vector<FailedDelete>> ParseDeleteReply(std::string_view body);

// The facts in the headers of HEAD, GET and PUT answers. kInternal without a length, for which `size_bytes` stands in
// where the caller knows it.
Result<ObjectMeta> ReadObjectHeaders(const HttpHeaders& headers, std::optional<int64_t> size_bytes);

struct ContentRange {
  int64_t first = 0;
  int64_t last = 0;
  std::optional<int64_t> total;  // of the whole object, where told
};
// "bytes 0-99/1000", "bytes 0-99/*"; nullopt for anything else.
std::optional<ContentRange> ParseContentRange(std::string_view text);

}  // namespace tailrace
