// SHA-256 and the keyed hash made of it, by OpenSSL.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tailrace/bytes.h"

namespace tailrace {

using Sha256Digest = std::array<uint8_t, 32>;

Sha256Digest Sha256(std::string_view bytes);
Sha256Digest Sha256(const ByteSlices& bytes);
Sha256Digest HmacSha256(std::string_view key, std::string_view message);
// The same, keyed with a digest: how AWS derives its signing key.
Sha256Digest HmacSha256(const Sha256Digest& key, std::string_view message);
// 64 lower-case digits.
std::string ToHex(const Sha256Digest& digest);
// The form that x-amz-content-sha256 takes.
std::string Sha256Hex(const ByteSlices& body);

}  // namespace tailrace
