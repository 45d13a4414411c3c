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

// What AWS's shared config says in the profile in use. Asked only where nobody else says; may be empty.
struct S3ProfileWords {
  std::function<std::optional<std::string>()> region;
  std::function<Result<std::optional<HttpUrl>>()> endpoint;
};

// The place that a URL names under these options. What the URL says comes first, then the options, then the
// environment, then the profile.
Result<S3Place> ResolveS3Place(const S3Url& url, const S3Options& options, const Environment& environment,
                               const S3ProfileWords& profile);

}  // namespace tailrace
