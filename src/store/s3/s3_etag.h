// The tags of S3, where they are digests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tailrace/object.h"

namespace tailrace {

// What S3 and most stores like it tag an object of these parts with: the MD5 of the parts' MD5s and their number. Empty
// where the tag of a part is no MD5: encrypted parts, and stores whose tags are words without a meaning.
std::string MultipartEtag(const std::vector<PartReceipt>& parts);

// false where it is another, and where nobody can tell.
bool IsEtagOf(std::string_view etag, const std::vector<PartReceipt>& parts);

}  // namespace tailrace
