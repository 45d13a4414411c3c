// From the URL of an object, the options and the environment to the place of its bucket. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <arrow/result.h>

#include "base/environment.h"
#include "store/s3/s3_place.h"
#include "store/s3/s3_url.h"
#include "tailrace/s3_options.h"

namespace tailrace {

// The place that a URL names under these options. What the URL says comes first, then the options, then the
// environment; `profile_region` is asked last, and only where nobody else named a region.
Result<S3Place> ResolveS3Place(const S3Url& url, const S3Options& options, const Environment& environment,
                               const std::function<std::optional<std::string>()>& profile_region);

}  // namespace tailrace
