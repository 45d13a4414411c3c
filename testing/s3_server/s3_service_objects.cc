// The calls about whole objects.
#include <algorithm>
#include <charconv>
#include <optional>

#include <pugixml.hpp>

#include "testing/s3_server/s3_digests.h"
#include "testing/s3_server/s3_service.h"
#include "testing/s3_server/s3_xml.h"

namespace tailrace {
namespace {

struct Range {
  int64_t begin = 0;
  int64_t end = 0;
};

std::optional<int64_t> Number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.front() == '-' || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// "bytes=a-b", "bytes=a-", "bytes=-n". S3 answers a malformed one with the whole object; here it is an error.
std::optional<S3Error> ParseRange(const std::string& header, int64_t size, Range* range) {
  const S3Error malformed{400, "InvalidArgument", "the Range header is malformed: " + header};
  const size_t dash = header.find('-');
  if (!header.starts_with("bytes=") || dash == header.npos) return malformed;
  const auto first = Number(std::string_view(header).substr(6, dash - 6));
  const auto last = Number(std::string_view(header).substr(dash + 1));
  if ((!first && dash != 6) || (!last && dash + 1 != header.size()) || (!first && !last)) return malformed;
  if (first && last && *first > *last) return malformed;
  range->begin = first ? *first : std::max<int64_t>(0, size - *last);
  range->end = !first || !last ? size : std::min(size, *last + 1);
  if (range->begin < size && (first || *last > 0)) return std::nullopt;
  return S3Error{416,
                 "InvalidRange",
                 "The requested range is not satisfiable",
                 {{"RangeRequested", header}, {"ActualObjectSize", std::to_string(size)}}};
}

// Keys as a listing has them: encoded where asked for.
std::string Listed(const std::string& key, const S3Call& call) {
  return call.Query("encoding-type") == "url" ? PercentEncode(key, true) : key;
}

}  // namespace

S3Reply S3Service::PutObject(const S3Call& call) {
  if (const auto error = CheckCondition(call, rules_.put_conditions)) return ErrorReply(call, *error);
  std::map<std::string, std::string> checksums;
  if (const auto error = CheckBody(call, &checksums)) return ErrorReply(call, *error);
  if (static_cast<int64_t>(call.body.size()) > rules_.max_part_bytes) {
    return ErrorReply(call, {400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size"});
  }
  Object object = ObjectFor(call);
  object.bytes = call.body;
  object.checksums = checksums;
  object.etag = NewEtag(object, Md5Of(object.bytes), "");
  S3Reply reply;
  ShowEncryption(object, &reply.headers);
  reply.headers.Set("ETag", object.etag);
  for (const auto& [algorithm, value] : checksums) {
    reply.headers.Set("x-amz-checksum-" + algorithm, value);
    reply.headers.Set("x-amz-checksum-type", "FULL_OBJECT");
  }
  objects_[{call.bucket, call.key}] = std::move(object);
  return reply;
}

S3Reply S3Service::GetObject(const S3Call& call, bool head) {
  const auto found = objects_.find({call.bucket, call.key});
  if (found == objects_.end()) {
    return ErrorReply(call, {404, "NoSuchKey", "The specified key does not exist.", {{"Key", call.key}}});
  }
  const Object& object = found->second;
  if (const auto error = CheckCustomerKey(call, object.sse_c_md5)) return ErrorReply(call, *error);
  if (call.HasHeader("if-match") && call.Header("if-match") != object.etag) {
    return ErrorReply(
        call,
        {412, "PreconditionFailed", "At least one of the pre-conditions did not hold", {{"Condition", "If-Match"}}});
  }
  if (call.HasHeader("if-none-match") && call.Header("if-none-match") == object.etag) return {.status = 304};
  const auto size = static_cast<int64_t>(object.bytes.size());
  Range range{0, size};
  S3Reply reply;
  if (const std::string header = call.Header("range"); !header.empty()) {
    if (const auto error = ParseRange(header, size, &range)) return ErrorReply(call, *error);
    reply.status = 206;
    reply.headers.Set("Content-Range", "bytes " + std::to_string(range.begin) + "-" + std::to_string(range.end - 1) +
                                           "/" + std::to_string(size));
  }
  reply.headers.Set("ETag", object.etag);
  reply.headers.Set("Last-Modified", HttpTime(object.modified));
  reply.headers.Set("Accept-Ranges", "bytes");
  for (const auto& [name, value] : object.headers) reply.headers.Set(name, value);
  ShowEncryption(object, &reply.headers);
  if (call.Header("x-amz-checksum-mode") == "ENABLED" && reply.status == 200) {
    for (const auto& [algorithm, value] : object.checksums) {
      reply.headers.Set("x-amz-checksum-" + algorithm, value);
      reply.headers.Set("x-amz-checksum-type", object.full_checksum ? "FULL_OBJECT" : "COMPOSITE");
    }
  }
  if (head) {
    reply.headers.Set("Content-Length", std::to_string(range.end - range.begin));
  } else {
    reply.body = object.bytes.substr(static_cast<size_t>(range.begin), static_cast<size_t>(range.end - range.begin));
  }
  return reply;
}

S3Reply S3Service::DeleteObject(const S3Call& call) {
  objects_.erase({call.bucket, call.key});
  return {.status = 204};
}

S3Reply S3Service::DeleteObjects(const S3Call& call) {
  std::map<std::string, std::string> checksums;
  if (const auto error = CheckBody(call, &checksums)) return ErrorReply(call, *error);
  if (checksums.empty() && !call.HasHeader("content-md5")) {
    return ErrorReply(call, {400, "InvalidRequest", "Missing required header for this request: Content-MD5"});
  }
  pugi::xml_document document;
  // A key may be a blank.
  constexpr unsigned int kFlags = pugi::parse_default | pugi::parse_ws_pcdata_single;
  if (!document.load_string(call.body.c_str(), kFlags) || std::string(document.first_child().name()) != "Delete") {
    return ErrorReply(call, {400, "MalformedXML", "The XML you provided was not well-formed"});
  }
  const bool quiet = std::string(document.first_child().child_value("Quiet")) == "true";
  S3Xml xml("DeleteResult");
  int count = 0;
  for (const pugi::xml_node node : document.first_child().children("Object")) {
    if (++count > 1000) {
      return ErrorReply(call, {400, "MalformedXML", "At most 1000 keys in one request"});
    }
    const std::string key = node.child_value("Key");
    objects_.erase({call.bucket, key});
    if (!quiet) xml.Open("Deleted").Add("Key", key).Close("Deleted");
  }
  return {.headers = HttpHeaders{{"Content-Type", "application/xml"}}, .body = std::move(xml).Take()};
}

S3Reply S3Service::ListObjects(const S3Call& call) const {
  if (call.Query("list-type") != "2") return ErrorReply(call, {400, "InvalidArgument", "list-type has to be 2"});
  const std::string prefix = call.Query("prefix"), delimiter = call.Query("delimiter");
  const auto asked = Number(call.Query("max-keys"));
  const size_t limit = static_cast<size_t>(std::min<int64_t>(asked.value_or(rules_.page_size), rules_.page_size));
  // The token is the last name of the page before it.
  std::string after = call.Query("start-after");
  if (call.query.contains("continuation-token")) {
    const auto token = Base64Decode(call.Query("continuation-token"));
    if (!token) return ErrorReply(call, {400, "InvalidArgument", "The continuation token provided is incorrect"});
    after = *token;
  }
  S3Xml xml("ListBucketResult");
  xml.Add("Name", call.bucket).Add("Prefix", Listed(prefix, call)).Add("MaxKeys", std::to_string(limit));
  size_t count = 0;
  bool truncated = false;
  std::string last, folder;
  for (const auto& [name, object] : objects_) {
    const auto& [bucket, key] = name;
    if (bucket != call.bucket || !key.starts_with(prefix) || key <= after) continue;
    if (!folder.empty() && key.starts_with(folder)) continue;
    if (!after.empty() && !delimiter.empty() && after.ends_with(delimiter) && key.starts_with(after)) continue;
    if (count == limit) {
      truncated = true;
      break;
    }
    ++count;
    const size_t cut = delimiter.empty() ? key.npos : key.find(delimiter, prefix.size());
    if (cut != key.npos) {
      last = folder = key.substr(0, cut + delimiter.size());
      xml.Open("CommonPrefixes").Add("Prefix", Listed(folder, call)).Close("CommonPrefixes");
      continue;
    }
    last = key;
    xml.Open("Contents").Add("Key", Listed(key, call)).Add("LastModified", IsoTime(object.modified));
    xml.Add("ETag", object.etag).Add("Size", std::to_string(object.bytes.size())).Add("StorageClass", "STANDARD");
    xml.Close("Contents");
  }
  xml.Add("KeyCount", std::to_string(count)).Add("IsTruncated", truncated ? "true" : "false");
  if (truncated) xml.Add("NextContinuationToken", Base64Encode(last));
  if (call.Query("encoding-type") == "url") xml.Add("EncodingType", "url");
  return {.headers = HttpHeaders{{"Content-Type", "application/xml"}}, .body = std::move(xml).Take()};
}

S3Reply S3Service::GetTagging(const S3Call& call) const {
  const auto found = objects_.find({call.bucket, call.key});
  if (found == objects_.end()) {
    return ErrorReply(call, {404, "NoSuchKey", "The specified key does not exist.", {{"Key", call.key}}});
  }
  S3Xml xml("Tagging");
  xml.Open("TagSet");
  std::string_view left = found->second.tagging;
  while (!left.empty()) {
    const size_t end = std::min(left.find('&'), left.size());
    const std::string_view pair = left.substr(0, end);
    const size_t equals = std::min(pair.find('='), pair.size());
    xml.Open("Tag").Add("Key", PercentDecode(pair.substr(0, equals)).value_or(""));
    xml.Add("Value", PercentDecode(pair.substr(std::min(equals + 1, pair.size()))).value_or("")).Close("Tag");
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  xml.Close("TagSet");
  return {.headers = HttpHeaders{{"Content-Type", "application/xml"}}, .body = std::move(xml).Take()};
}

}  // namespace tailrace
