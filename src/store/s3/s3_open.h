// From a URL or a target and the options to an open S3 store.
#pragma once

#include <string>

#include <arrow/result.h>

#include "base/environment.h"
#include "tailrace/store.h"

namespace tailrace {

// Sends nothing. kInvalid names the URL or option that is wrong.
Result<StoreAndKey> OpenS3Url(const std::string& url, const StoreOptions& options, const Environment& environment);
Result<StoreAndKey> OpenS3Target(const Target& target, const StoreOptions& options, const Environment& environment);

}  // namespace tailrace
