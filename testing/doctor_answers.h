// What a probe finds of S3 itself, where it is strict and everything is allowed.
#pragma once

#include <map>
#include <string>

namespace tailrace {

// Finding -> answer, of a quick probe.
inline std::map<std::string, std::string> StrictS3Answers() {
  return {{"rights.head-absent", "not found"},
          {"clock", "close"},
          {"region", "as configured"},
          {"upload", "works"},
          {"etag", "md5"},
          {"complete.etag", "there"},
          {"complete.again", "no such upload"},
          {"rights.put", "allowed"},
          {"rights.head", "allowed"},
          {"metadata", "kept"},
          {"rights.get", "allowed"},
          {"rights.abort", "allowed"},
          {"gone.part", "no such upload"},
          {"gone.complete", "no such upload"},
          {"rights.list-parts", "allowed"},
          {"list-parts.pages", "paged"},
          {"list-parts.order", "sorted"},
          {"rights.list-uploads", "allowed"},
          {"checksum.crc64nvme", "verified"},
          {"checksum.whole", "compared"},
          {"checksum.crc32c", "verified"},
          {"checksum.crc32", "verified"},
          {"checksum.md5", "verified"},
          {"checksum.sha256", "verified"},
          {"part-etags", "checked"},
          {"strays", "left out"},
          {"conditions.put-if-absent", "honoured"},
          {"conditions.put-if-match", "honoured"},
          {"conditions.complete-if-absent", "honoured"},
          {"most-parts", "10000"},
          {"smallest-part", "5 MiB"},
          {"equal-parts", "not asked"},
          {"rights.delete", "allowed"}};
}

}  // namespace tailrace
