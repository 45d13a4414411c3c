// Which keys objects may have. Pure.
#pragma once

#include <string>

#include "tailrace/error.h"

namespace tailrace {

// kInvalid for what can be no key of a request: a request for no key at all would be one for the bucket, and a slash at
// the front is lost by several servers.
Status CheckKey(const std::string& key);
// For objects that are to be made: also refuses what S3 or its listings cannot hold (keys that are not UTF-8, control
// characters, more than 1,024 bytes), and a slash at the end, which servers take for a folder.
Status CheckNewKey(const std::string& key);

}  // namespace tailrace
