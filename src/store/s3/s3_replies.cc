#include "store/s3/s3_replies.h"

#include <charconv>
#include <limits>

#include "base/iso_time.h"
#include "store/s3/s3_requests.h"
#include "store/s3/xml_reply.h"

namespace tailrace {
namespace {

using Element = XmlReply::Element;

// What came is not for the message: it may be anything, and of any size.
Status NotUnderstood(std::string_view what, std::string_view why) {
  return MakeError(ErrorKind::kInternal,
                   "the store's answer is not understood: no " + std::string(what) + ": " + std::string(why));
}

Result<Element> ParseRoot(XmlReply* xml, std::string_view body, std::string_view name) {
  const std::optional<Element> root = xml->Parse(body);
  if (!root) return NotUnderstood(name, body.empty() ? "the body is empty" : "the body is no XML");
  if (root->name() != name) return NotUnderstood(name, "the document is something else");
  return *root;
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// encoding-type=url: as in a form, so that '+' is a space. What is no encoding stays as it is.
std::string FormDecode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? HexValue(text[i + 1]) : -1;
    const int low = high >= 0 ? HexValue(text[i + 2]) : -1;
    if (low >= 0) {
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      out.push_back(text[i] == '+' ? ' ' : text[i]);
    }
  }
  return out;
}

// Names in a listing are encoded only where it says so: some stores do not know the parameter that asks for it.
class Names {
 public:
  explicit Names(const Element& root) : encoded_(root.Word("EncodingType") == "url") {}
  std::string Of(const Element& element, std::string_view child) const {
    std::string text = element.Text(child);
    return encoded_ ? FormDecode(text) : text;
  }

 private:
  const bool encoded_;
};

Timestamp TimeOf(const Element& element, std::string_view child) {
  return ParseIsoTime(element.Word(child)).value_or(Timestamp{});
}

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::optional<S3ErrorBody> ParseErrorBody(std::string_view body) {
  XmlReply xml;
  std::optional<Element> root = xml.Parse(body);
  if (!root) return std::nullopt;
  if (root->name() == "ErrorResponse") {
    const std::vector<Element> inner = root->Children("Error");
    if (inner.empty()) return std::nullopt;
    root = inner.front();
  }
  if (root->name() != "Error") return std::nullopt;
  S3ErrorBody error{.code = root->Word("Code"),
                    .message = root->Word("Message"),
                    .region = root->Word("Region"),
                    .endpoint = root->Word("Endpoint"),
                    .request_id = root->Word("RequestId"),
                    .part_number = {},
                    .server_time = ParseIsoTime(root->Word("ServerTime"))};
  const std::optional<int64_t> number = root->Number("PartNumber");
  if (number && *number <= std::numeric_limits<int>::max()) error.part_number = static_cast<int>(*number);
  return error;
}

Result<UploadId> ParseCreateReply(std::string_view body) {
  XmlReply xml;
  ARROW_ASSIGN_OR_RAISE(const Element root, ParseRoot(&xml, body, "InitiateMultipartUploadResult"));
  UploadId id{root.Word("UploadId")};
  if (id.text.empty()) return NotUnderstood("UploadId", "it is missing");
  return id;
}

Result<CompleteReply> ParseCompleteReply(std::string_view body) {
  XmlReply xml;
  ARROW_ASSIGN_OR_RAISE(const Element root, ParseRoot(&xml, body, "CompleteMultipartUploadResult"));
  return CompleteReply{.etag = root.Word("ETag"), .crc64 = ParseCrc64(root.Word("ChecksumCRC64NVME"))};
}

Result<CopyPartReply> ParseCopyPartReply(std::string_view body) {
  XmlReply xml;
  ARROW_ASSIGN_OR_RAISE(const Element root, ParseRoot(&xml, body, "CopyPartResult"));
  CopyPartReply reply{.etag = root.Word("ETag"), .crc64 = ParseCrc64(root.Word("ChecksumCRC64NVME"))};
  if (reply.etag.empty()) return NotUnderstood("ETag of the part", "it is missing");
  return reply;
}

Result<PartsPage> ParsePartsPage(std::string_view body, S3Checksum kind) {
  XmlReply xml;
  Result<Element> parsed = ParseRoot(&xml, body, "ListPartsResult");
  if (!parsed.ok()) parsed = ParseRoot(&xml, body, "ListPartsResponse");  // as moto calls it
  ARROW_ASSIGN_OR_RAISE(const Element root, std::move(parsed));
  PartsPage page{.truncated = root.Flag("IsTruncated")};
  const std::string_view checksum = NamesOf(kind).element;
  for (const Element& part : root.Children("Part")) {
    const std::optional<int64_t> number = part.Number("PartNumber"), size = part.Number("Size");
    if (!number || !size || *number < 1 || *number > std::numeric_limits<int>::max()) {
      return NotUnderstood("list of parts", "a part has no number or size");
    }
    page.parts.push_back({.number = static_cast<int>(*number),
                          .size_bytes = *size,
                          .etag = part.Word("ETag"),
                          .checksum = checksum.empty() ? "" : part.Word(checksum),
                          .crc64 = ParseCrc64(part.Word("ChecksumCRC64NVME"))});
  }
  const std::optional<int64_t> next = root.Number("NextPartNumberMarker");
  if (next && *next <= std::numeric_limits<int>::max()) page.next_after = static_cast<int>(*next);
  return page;
}

Result<UploadsPage> ParseUploadsPage(std::string_view body) {
  XmlReply xml;
  ARROW_ASSIGN_OR_RAISE(const Element root, ParseRoot(&xml, body, "ListMultipartUploadsResult"));
  const Names names(root);
  UploadsPage page{.truncated = root.Flag("IsTruncated"),
                   .next_key = names.Of(root, "NextKeyMarker"),
                   .next_id = root.Word("NextUploadIdMarker")};
  for (const Element& upload : root.Children("Upload")) {
    UploadSummary summary{.key = names.Of(upload, "Key"),
                          .id = {upload.Word("UploadId")},
                          .write_id = {},
                          .initiated = TimeOf(upload, "Initiated")};
    for (const Element& initiator : upload.Children("Initiator")) summary.initiator = initiator.Word("ID");
    if (summary.key.empty() || summary.id.text.empty()) {
      return NotUnderstood("list of uploads", "an upload has no key or id");
    }
    page.uploads.push_back(std::move(summary));
  }
  return page;
}

Result<ObjectsPage> ParseObjectsPage(std::string_view body) {
  XmlReply xml;
  ARROW_ASSIGN_OR_RAISE(const Element root, ParseRoot(&xml, body, "ListBucketResult"));
  const Names names(root);
  ObjectsPage page{.truncated = root.Flag("IsTruncated"), .next_token = root.Word("NextContinuationToken")};
  for (const Element& object : root.Children("Contents")) {
    const std::optional<int64_t> size = object.Number("Size");
    ListedObject listed{.key = names.Of(object, "Key"),
                        .size_bytes = size.value_or(0),
                        .etag = object.Word("ETag"),
                        .last_modified = TimeOf(object, "LastModified")};
    if (listed.key.empty() || !size) return NotUnderstood("list of objects", "an object has no key or size");
    page.objects.push_back(std::move(listed));
  }
  for (const Element& folder : root.Children("CommonPrefixes")) page.folders.push_back(names.Of(folder, "Prefix"));
  return page;
}

Result<std::vector<FailedDelete>> ParseDeleteReply(std::string_view body) {
  XmlReply xml;
  ARROW_ASSIGN_OR_RAISE(const Element root, ParseRoot(&xml, body, "DeleteResult"));
  std::vector<FailedDelete> failed;
  for (const Element& error : root.Children("Error")) {
    failed.push_back({.key = error.Word("Key"), .code = error.Word("Code"), .message = error.Word("Message")});
  }
  return failed;
}

Result<ObjectMeta> ReadObjectHeaders(const HttpHeaders& headers, std::optional<int64_t> size_bytes) {
  ObjectMeta meta;
  if (!size_bytes) size_bytes = ParseNumber(headers.Get("Content-Length").value_or(""));
  if (!size_bytes) return NotUnderstood("Content-Length", "it is missing or no number");
  meta.size_bytes = *size_bytes;
  meta.etag = headers.Get("ETag").value_or("");
  // An answer to PUT has only its own date.
  for (const char* name : {"Last-Modified", "Date"}) {
    const std::optional<Timestamp> time = ParseHttpTime(headers.Get(name).value_or(""));
    if (!time) continue;
    meta.last_modified = *time;
    break;
  }
  meta.write_id = headers.Get(kWriteIdHeader).value_or("");
  meta.crc64 = ParseCrc64(headers.Get(NamesOf(S3Checksum::kCrc64Nvme).header).value_or(""));
  return meta;
}

std::optional<ContentRange> ParseContentRange(std::string_view text) {
  constexpr std::string_view kUnit = "bytes ";
  if (!text.starts_with(kUnit)) return std::nullopt;
  text.remove_prefix(kUnit.size());
  const size_t dash = text.find('-'), slash = text.find('/');
  if (dash == text.npos || slash == text.npos || dash > slash) return std::nullopt;
  const std::optional<int64_t> first = ParseNumber(text.substr(0, dash));
  const std::optional<int64_t> last = ParseNumber(text.substr(dash + 1, slash - dash - 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return ContentRange{.first = *first, .last = *last, .total = ParseNumber(text.substr(slash + 1))};
}

}  // namespace tailrace
