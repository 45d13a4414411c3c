// The calls about open uploads, their completion apart.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "testing/s3_server/s3_digests.h"
#include "testing/s3_server/s3_service.h"
#include "testing/s3_server/s3_xml.h"

namespace tailrace {
namespace {

S3Reply XmlReply(S3Xml xml) {
  return {.headers = HttpHeaders{{"Content-Type", "application/xml"}}, .body = std::move(xml).Take()};
}

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

int NumberOr(const std::string& text, int otherwise) {
  int value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Is this pair of algorithm and type one that S3 has? Empty `type`: S3's default for it.
bool TakeChecksumKind(const std::string& algorithm, const std::string& type, S3Service::Upload* upload) {
  const bool known = algorithm == "CRC32" || algorithm == "CRC32C" || algorithm == "SHA1" || algorithm == "SHA256" ||
                     algorithm == "CRC64NVME";
  if (algorithm.empty()) return type.empty();
  const bool full = type.empty() ? algorithm == "CRC64NVME" : type == "FULL_OBJECT";
  const bool composite_fits = algorithm != "CRC64NVME", full_fits = !algorithm.starts_with("SHA");
  if (!known || (full ? !full_fits : !composite_fits) || (!type.empty() && !full && type != "COMPOSITE")) return false;
  upload->algorithm = Lower(algorithm);
  upload->full_checksum = full;
  return true;
}

}  // namespace

S3Reply S3Service::CreateUpload(const S3Call& call) {
  if (!call.body.empty()) return ErrorReply(call, {400, "InvalidRequest", "CreateMultipartUpload takes no body"});
  Upload upload{.bucket = call.bucket, .key = call.key, .object = ObjectFor(call), .initiated = NowLocked()};
  S3Reply reply;
  if (rules_.checksums == S3Rules::Checksums::kStrict) {
    const std::string algorithm = call.Header("x-amz-checksum-algorithm"), type = call.Header("x-amz-checksum-type");
    if (!TakeChecksumKind(algorithm, type, &upload)) {
      return ErrorReply(
          call, {400, "InvalidRequest",
                 "The " + type + " checksum type cannot be used with the " + algorithm + " checksum algorithm."});
    }
    if (!upload.algorithm.empty()) {
      reply.headers.Set("x-amz-checksum-algorithm", Upper(upload.algorithm));
      reply.headers.Set("x-amz-checksum-type", upload.full_checksum ? "FULL_OBJECT" : "COMPOSITE");
    }
  }
  // As long as S3's ids, and with characters that have to be escaped in a query.
  const std::string id =
      "upload." + std::to_string(next_number_++) + "." + Base64Encode(HexOf(Sha256Of(call.key)).substr(0, 31)) + "+/_-";
  uploads_[id] = std::move(upload);
  S3Xml xml("InitiateMultipartUploadResult");
  xml.Add("Bucket", call.bucket).Add("Key", call.key).Add("UploadId", id);
  reply.headers.Set("Content-Type", "application/xml");
  reply.body = std::move(xml).Take();
  return reply;
}

S3Reply S3Service::NoSuchUpload(const S3Call& call) const {
  return ErrorReply(call, {404, rules_.missing_upload_code,
                           "The specified upload does not exist. The upload ID may be invalid, or the upload may have "
                           "been aborted or completed."});
}

S3Service::Upload* S3Service::FindUpload(const S3Call& call) {
  const auto found = uploads_.find(call.Query("uploadId"));
  if (found == uploads_.end() || found->second.bucket != call.bucket || found->second.key != call.key) return nullptr;
  return &found->second;
}

std::optional<S3Error> S3Service::CheckPartNumber(const S3Call& call) const {
  if (call.part_number() >= 1 && call.part_number() <= rules_.max_parts) return std::nullopt;
  return S3Error{400,
                 "InvalidArgument",
                 "Part number must be an integer between 1 and " + std::to_string(rules_.max_parts) + ", inclusive",
                 {{"ArgumentName", "partNumber"}, {"ArgumentValue", call.Query("partNumber")}}};
}

S3Reply S3Service::PutPart(const S3Call& call) {
  if (const auto error = CheckPartNumber(call)) return ErrorReply(call, *error);
  Upload* const upload = FindUpload(call);
  if (upload == nullptr || upload->completed) return NoSuchUpload(call);
  if (const auto error = CheckCustomerKey(call, upload->object.sse_c_md5)) return ErrorReply(call, *error);
  Part part{.modified = NowLocked()};
  if (const auto error = CheckBody(call, &part.checksums)) return ErrorReply(call, *error);
  if (rules_.checksums == S3Rules::Checksums::kStrict) {
    const std::string sent = part.checksums.empty() ? "null" : part.checksums.begin()->first;
    const std::string declared = upload->algorithm.empty() ? "null" : upload->algorithm;
    if (sent != declared) {
      return ErrorReply(call, {400, "InvalidRequest",
                               "Checksum Type mismatch occurred, expected checksum Type: " + declared +
                                   ", actual checksum Type: " + sent});
    }
  }
  if (static_cast<int64_t>(call.body.size()) > rules_.max_part_bytes) {
    return ErrorReply(call, {400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size"});
  }
  part.bytes = call.body;
  part.etag = NewEtag(upload->object, Md5Of(part.bytes), "");
  S3Reply reply;
  ShowEncryption(upload->object, &reply.headers);
  reply.headers.Set("ETag", part.etag);
  for (const auto& [algorithm, value] : part.checksums) reply.headers.Set("x-amz-checksum-" + algorithm, value);
  upload->parts[call.part_number()] = std::move(part);
  return reply;
}

S3Reply S3Service::CopyPart(const S3Call& call) {
  if (const auto error = CheckPartNumber(call)) return ErrorReply(call, *error);
  Upload* const upload = FindUpload(call);
  if (upload == nullptr || upload->completed) return NoSuchUpload(call);
  std::string source = PercentDecode(call.Header("x-amz-copy-source")).value_or("");
  if (source.starts_with('/')) source.erase(0, 1);
  const size_t slash = std::min(source.find('/'), source.size());
  const auto found = objects_.find({source.substr(0, slash), source.substr(std::min(slash + 1, source.size()))});
  if (found == objects_.end()) {
    return ErrorReply(call, {404, "NoSuchKey", "The specified key does not exist.", {{"Key", source}}});
  }
  const Object& object = found->second;
  const std::string if_match = call.Header("x-amz-copy-source-if-match");
  if (!if_match.empty() && if_match != object.etag) {
    return ErrorReply(call, {412, "PreconditionFailed", "At least one of the pre-conditions did not hold"});
  }
  std::string bytes = object.bytes;
  if (const std::string range = call.Header("x-amz-copy-source-range"); !range.empty()) {
    long long first = 0, last = 0;
    if (std::sscanf(range.c_str(), "bytes=%lld-%lld", &first, &last) != 2 || first > last ||
        last >= static_cast<long long>(bytes.size())) {
      return ErrorReply(call, {400, "InvalidArgument",
                               "The x-amz-copy-source-range value must be of the form "
                               "bytes=first-last and lie in the source object"});
    }
    bytes = bytes.substr(static_cast<size_t>(first), static_cast<size_t>(last - first + 1));
  }
  Part part{.bytes = std::move(bytes), .modified = NowLocked()};
  part.etag = NewEtag(upload->object, Md5Of(part.bytes), "");
  // S3 computes what was declared.
  if (!upload->algorithm.empty()) part.checksums[upload->algorithm] = *S3ChecksumOf(upload->algorithm, part.bytes);
  S3Xml xml("CopyPartResult");
  xml.Add("LastModified", IsoTime(part.modified)).Add("ETag", part.etag);
  for (const auto& [algorithm, value] : part.checksums) xml.Add("Checksum" + Upper(algorithm), value);
  upload->parts[call.part_number()] = std::move(part);
  return XmlReply(std::move(xml));
}

S3Reply S3Service::ListParts(const S3Call& call) {
  Upload* const upload = FindUpload(call);
  if (upload == nullptr || upload->completed) return NoSuchUpload(call);
  const int marker = NumberOr(call.Query("part-number-marker"), 0);
  const size_t limit =
      static_cast<size_t>(std::clamp(NumberOr(call.Query("max-parts"), rules_.page_size), 1, rules_.page_size));
  std::vector<std::pair<int, const Part*>> page;
  bool truncated = false;
  for (const auto& [number, part] : upload->parts) {
    if (number <= marker) continue;
    truncated = page.size() == limit;
    if (truncated) break;
    page.emplace_back(number, &part);
  }
  const int next = page.empty() ? marker : page.back().first;
  if (rules_.lists_unsorted) std::reverse(page.begin(), page.end());
  S3Xml xml("ListPartsResult");
  xml.Add("Bucket", call.bucket).Add("Key", call.key).Add("UploadId", call.Query("uploadId"));
  xml.Add("PartNumberMarker", std::to_string(marker)).Add("NextPartNumberMarker", std::to_string(next));
  xml.Add("MaxParts", std::to_string(limit)).Add("IsTruncated", truncated ? "true" : "false");
  if (!upload->algorithm.empty()) {
    xml.Add("ChecksumAlgorithm", Upper(upload->algorithm));
    xml.Add("ChecksumType", upload->full_checksum ? "FULL_OBJECT" : "COMPOSITE");
  }
  for (const auto& [number, part] : page) {
    xml.Open("Part").Add("PartNumber", std::to_string(number)).Add("LastModified", IsoTime(part->modified));
    xml.Add("ETag", part->etag).Add("Size", std::to_string(part->bytes.size()));
    for (const auto& [algorithm, value] : part->checksums) xml.Add("Checksum" + Upper(algorithm), value);
    xml.Close("Part");
  }
  return XmlReply(std::move(xml));
}

S3Reply S3Service::ListUploads(const S3Call& call) const {
  const std::string prefix = call.Query("prefix"), key_marker = call.Query("key-marker");
  const std::string id_marker = call.Query("upload-id-marker");
  const size_t limit =
      static_cast<size_t>(std::clamp(NumberOr(call.Query("max-uploads"), rules_.page_size), 1, rules_.page_size));
  std::map<std::pair<std::string, std::string>, const Upload*> sorted;  // key, id
  for (const auto& [id, upload] : uploads_) {
    if (upload.bucket != call.bucket || upload.completed || !upload.key.starts_with(prefix)) continue;
    const bool behind = upload.key > key_marker || (upload.key == key_marker && !id_marker.empty() && id > id_marker);
    if (key_marker.empty() || behind) sorted[{upload.key, id}] = &upload;
  }
  const bool encode = call.Query("encoding-type") == "url";
  const auto shown = [&](const std::string& key) { return encode ? PercentEncode(key, true) : key; };
  S3Xml xml("ListMultipartUploadsResult");
  xml.Add("Bucket", call.bucket).Add("KeyMarker", shown(key_marker)).Add("UploadIdMarker", id_marker);
  if (encode) xml.Add("EncodingType", "url");
  xml.Add("Prefix", shown(prefix)).Add("MaxUploads", std::to_string(limit));
  size_t count = 0;
  for (const auto& [name, upload] : sorted) {
    if (count++ == limit) break;
    xml.Open("Upload").Add("Key", shown(name.first)).Add("UploadId", name.second);
    xml.Open("Initiator").Add("ID", "tailrace").Add("DisplayName", "tailrace").Close("Initiator");
    xml.Open("Owner").Add("ID", "tailrace").Add("DisplayName", "tailrace").Close("Owner");
    xml.Add("StorageClass", "STANDARD").Add("Initiated", IsoTime(upload->initiated)).Close("Upload");
    if (count == limit) xml.Add("NextKeyMarker", shown(name.first)).Add("NextUploadIdMarker", name.second);
  }
  xml.Add("IsTruncated", sorted.size() > limit ? "true" : "false");
  return XmlReply(std::move(xml));
}

S3Reply S3Service::AbortUpload(const S3Call& call) {
  Upload* const upload = FindUpload(call);
  if (upload == nullptr || upload->completed) return NoSuchUpload(call);
  uploads_.erase(call.Query("uploadId"));
  return {.status = 204};
}

}  // namespace tailrace
