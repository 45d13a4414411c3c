// Options of S3-like stores, from C.
#pragma once

#include <arrow/result.h>

#include "tailrace/s3_options.h"
#include "tailrace/tailrace.h"

namespace tailrace::c {

using arrow::Result;

// nullptr gives the defaults. kInvalid names the field. Takes the context of a credentials callback over, also when it
// fails.
Result<S3Options> ReadS3Options(const tailrace_s3_options* given);

}  // namespace tailrace::c
