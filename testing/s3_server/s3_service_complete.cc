// CompleteMultipartUpload.
#include <cctype>
#include <charconv>
#include <set>

#include <pugixml.hpp>

#include "testing/s3_server/s3_digests.h"
#include "testing/s3_server/s3_service.h"
#include "testing/s3_server/s3_xml.h"

namespace tailrace {
namespace {

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

S3Error Malformed(const std::string& why) {
  return {400, "MalformedXML",
          "The XML you provided was not well-formed or did not validate against our published schema: " + why};
}

S3Error InvalidPart(int number) {
  return {400,
          "InvalidPart",
          "One or more of the specified parts could not be found. The part may not have been uploaded, or the "
          "specified entity tag may not match the part's entity tag.",
          {{"PartNumber", std::to_string(number)}}};
}

}  // namespace

S3Reply S3Service::Complete(const S3Call& call) {
  Upload* const upload = FindUpload(call);
  if (upload == nullptr) return NoSuchUpload(call);
  if (upload->completed) return CompleteReply(call, objects_[{call.bucket, call.key}]);
  std::vector<NamedPart> named;
  if (const auto error = ParseParts(call, &named)) return ErrorReply(call, *error);
  if (const auto error = CheckParts(*upload, named)) return ErrorReply(call, *error);
  if (const auto error = CheckSizes(*upload, named)) return ErrorReply(call, *error);
  if (const auto error = CheckCondition(call, rules_.complete_conditions)) return ErrorReply(call, *error);
  Object object = upload->object;
  if (const auto error = Assemble(call, *upload, named, &object)) return ErrorReply(call, *error);
  const S3Reply reply = CompleteReply(call, object);
  objects_[{call.bucket, call.key}] = std::move(object);
  if (rules_.complete_twice_is_ok) {
    upload->completed = true;
    upload->parts.clear();
  } else {
    uploads_.erase(call.Query("uploadId"));
  }
  return reply;
}

std::optional<S3Error> S3Service::ParseParts(const S3Call& call, std::vector<NamedPart>* parts) const {
  pugi::xml_document document;
  if (!document.load_string(call.body.c_str())) return Malformed("not XML");
  const pugi::xml_node root = document.document_element();
  if (std::string(root.name()) != "CompleteMultipartUpload") return Malformed(root.name());
  const std::string space = root.attribute("xmlns").value();
  if (!space.empty() && space != "http://s3.amazonaws.com/doc/2006-03-01/") return Malformed("namespace " + space);
  for (const pugi::xml_node node : root.children()) {
    if (std::string(node.name()) != "Part") return Malformed(node.name());
    NamedPart part;
    for (const pugi::xml_node field : node.children()) {
      const std::string name = field.name(), text = field.child_value();
      if (name == "PartNumber") {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part.number);
        if (error != std::errc() || end != text.data() + text.size()) return Malformed("PartNumber " + text);
      } else if (name == "ETag") {
        part.etag = text;
      } else if (name.starts_with("Checksum") && rules_.checksums == S3Rules::Checksums::kStrict) {
        part.checksums[Lower(name.substr(8))] = text;
      } else {
        return Malformed(name);
      }
    }
    if (part.number == 0 || part.etag.empty()) return Malformed("a part without number or ETag");
    // The quotes belong to the tag.
    if (!part.etag.starts_with('"')) part.etag = "\"" + part.etag + "\"";
    parts->push_back(std::move(part));
  }
  if (parts->empty()) return Malformed("no parts");
  return std::nullopt;
}

std::optional<S3Error> S3Service::CheckParts(const Upload& upload, const std::vector<NamedPart>& named) const {
  std::set<int> numbers;
  int last = 0;
  for (const NamedPart& part : named) {
    if (part.number <= last) {
      return S3Error{400, "InvalidPartOrder", "The list of parts was not in ascending order."};
    }
    last = part.number;
    numbers.insert(part.number);
    const auto stored = upload.parts.find(part.number);
    if (stored == upload.parts.end()) return InvalidPart(part.number);
    if (rules_.checks_part_etags && stored->second.etag != part.etag) return InvalidPart(part.number);
    if (!upload.algorithm.empty() && !part.checksums.contains(upload.algorithm)) {
      return S3Error{400, "InvalidRequest",
                     "The upload was created using a " + upload.algorithm +
                         " checksum. The complete request must "
                         "include the checksum for each part. It was missing for part " +
                         std::to_string(part.number) + " in the request."};
    }
    if (part.checksums != stored->second.checksums) return InvalidPart(part.number);
  }
  if (!rules_.leaves_strays_out) {
    for (const auto& [number, part] : upload.parts) {
      if (!numbers.contains(number)) return InvalidPart(number);
    }
  }
  return std::nullopt;
}

std::optional<S3Error> S3Service::CheckSizes(const Upload& upload, const std::vector<NamedPart>& named) const {
  const size_t first_size = upload.parts.at(named.front().number).bytes.size();
  for (const NamedPart& part : named) {
    const size_t size = upload.parts.at(part.number).bytes.size();
    const bool is_last = &part == &named.back();
    if (!is_last && static_cast<int64_t>(size) < rules_.min_part_bytes) {
      return S3Error{400,
                     "EntityTooSmall",
                     "Your proposed upload is smaller than the minimum allowed size",
                     {{"ProposedSize", std::to_string(size)},
                      {"MinSizeAllowed", std::to_string(rules_.min_part_bytes)},
                      {"PartNumber", std::to_string(part.number)}}};
    }
    if (rules_.equal_parts && (is_last ? size > first_size : size != first_size)) {
      return S3Error{400, "InvalidPart", "All non-trailing parts must have the same length."};
    }
  }
  return std::nullopt;
}

std::optional<S3Error> S3Service::Assemble(const S3Call& call, const Upload& upload,
                                           const std::vector<NamedPart>& named, Object* object) {
  std::string md5s, sums;
  for (const NamedPart& one : named) {
    const Part& part = upload.parts.at(one.number);
    object->bytes += part.bytes;
    md5s += Md5Of(part.bytes);
    if (!upload.algorithm.empty()) sums += *Base64Decode(part.checksums.at(upload.algorithm));
  }
  const std::string count = "-" + std::to_string(named.size());
  object->etag = NewEtag(*object, Md5Of(md5s), count);
  object->modified = NowLocked();
  if (const std::string size = call.Header("x-amz-mp-object-size");
      !size.empty() && size != std::to_string(object->bytes.size())) {
    return S3Error{400, "InvalidRequest",
                   "The provided 'x-amz-mp-object-size' header value " + size +
                       " does not match what was computed: " + std::to_string(object->bytes.size())};
  }
  const std::string type = call.Header("x-amz-checksum-type");
  if (rules_.checksums != S3Rules::Checksums::kStrict) return std::nullopt;
  if (!type.empty() && type != (upload.full_checksum ? "FULL_OBJECT" : "COMPOSITE")) {
    return S3Error{400, "InvalidRequest", "The upload was created with another checksum type than " + type};
  }
  if (upload.algorithm.empty()) return std::nullopt;
  std::string& checksum = object->checksums[upload.algorithm];
  object->full_checksum = upload.full_checksum;
  checksum = *S3ChecksumOf(upload.algorithm, upload.full_checksum ? object->bytes : sums);
  if (!upload.full_checksum) checksum += count;
  const std::string sent = call.Header("x-amz-checksum-" + upload.algorithm);
  if (!sent.empty() && sent != checksum) {
    return S3Error{400, "BadDigest",
                   "The " + upload.algorithm + " you specified did not match the calculated checksum."};
  }
  return std::nullopt;
}

S3Reply S3Service::CompleteReply(const S3Call& call, const Object& object) const {
  S3Xml xml("CompleteMultipartUploadResult");
  xml.Add("Location", "http://" + call.Header("host") + call.raw_path).Add("Bucket", call.bucket).Add("Key", call.key);
  xml.Add("ETag", rules_.empty_complete_etag ? "" : object.etag);
  for (const auto& [algorithm, value] : object.checksums) {
    xml.Add("Checksum" + Upper(algorithm), value);
    xml.Add("ChecksumType", object.full_checksum ? "FULL_OBJECT" : "COMPOSITE");
  }
  S3Reply reply{.headers = HttpHeaders{{"Content-Type", "application/xml"}}, .body = std::move(xml).Take()};
  ShowEncryption(object, &reply.headers);
  return reply;
}

}  // namespace tailrace
