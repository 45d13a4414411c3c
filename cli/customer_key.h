// The key of SSE-C, which never stands on a command line: other users of the machine could read it there.
#pragma once

#include <string>

#include <arrow/result.h>

namespace tailrace::cli {

// The 32 bytes of the key: the file holds them as they are, or in base64, maybe with a line end. kInvalid names
// `option` and the file, and nothing of what it holds.
arrow::Result<std::string> ReadCustomerKey(const std::string& option, const std::string& path);

}  // namespace tailrace::cli
