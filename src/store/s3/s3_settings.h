// The checks of S3Options, before anything is sent.
#pragma once

#include <arrow/result.h>

#include "store/s3/s3_requests.h"
#include "tailrace/s3_options.h"

namespace tailrace {

// The numbers and times of `options` alone, which the transport is made from.
Status CheckNumbers(const S3Options& options);

// What requests are made with, from checked options: values that cannot stand in a header, options that do not go
// together, and a customer's key of the wrong size are refused.
Result<S3Settings> SettingsOf(S3Place place, const S3Options& options);

}  // namespace tailrace
