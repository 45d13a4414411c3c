// Percent-encoding as AWS signatures define it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailrace {

// Percent-encodes all bytes but A-Z a-z 0-9 - _ . ~ ; '/' stays where `keep_slash`. What comes out is what stands on
// the wire and what is signed.
std::string UriEncode(std::string_view text, bool keep_slash);
// Sorted, encoded "a=b&c=d" of decoded names and values; a name without a value gives "a=".
std::string EncodeQuery(std::vector<std::pair<std::string, std::string>> parameters);

}  // namespace tailrace
