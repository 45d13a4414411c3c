// The checksums that S3 knows: their names on the wire and their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tailrace/bytes.h"
#include "tailrace/object_options.h"

namespace tailrace {

struct S3ChecksumNames {
  std::string_view algorithm;  // of x-amz-checksum-algorithm: "CRC64NVME"; empty where it is not declared
  std::string_view header;     // "x-amz-checksum-crc64nvme", "Content-MD5"; empty for kNone
  std::string_view element;    // of XML lists: "ChecksumCRC64NVME"; empty where it is not repeated
  bool full_object = false;    // the object's is that of its bytes, not that of its parts' checksums
};
const S3ChecksumNames& NamesOf(S3Checksum kind);

// The value that goes into the header: base64. Empty for kNone. CRC-64 is taken from the slices, the others are
// computed.
std::string ChecksumOf(S3Checksum kind, const ByteSlices& body);

// A CRC-64/NVME as S3 writes it, and back; nullopt for anything else ("...-3" is no full-object checksum).
std::string FormatCrc64(uint64_t crc);
std::optional<uint64_t> ParseCrc64(std::string_view base64);

std::string Md5Base64(std::string_view bytes);

}  // namespace tailrace
