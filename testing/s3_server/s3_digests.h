// Digests as S3's headers carry them. Slow and independent of the library's own: it is what that is checked against.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tailrace {

std::string Base64Encode(std::string_view bytes);
// nullopt unless it is padded standard base64.
std::optional<std::string> Base64Decode(std::string_view text);
std::string HexOf(std::string_view bytes);

std::string Md5Of(std::string_view bytes);     // 16 bytes
std::string Sha256Of(std::string_view bytes);  // 32 bytes
std::string HmacSha256(std::string_view key, std::string_view message);

// The value of "x-amz-checksum-<algorithm>" for `bytes`, in base64; nullopt for an algorithm that is not one of crc32,
// crc32c, crc64nvme, sha1, sha256.
std::optional<std::string> S3ChecksumOf(std::string_view algorithm, std::string_view bytes);

}  // namespace tailrace
