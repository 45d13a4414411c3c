// Base64 (RFC 4648, section 4), padded, as HTTP headers carry checksums.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tailrace {

std::string EncodeBase64(std::string_view bytes);
// nullopt for anything that EncodeBase64 does not give.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace tailrace
