// Credentials from C: a struct, or a callback with its context.
#pragma once

#include <functional>

#include <arrow/result.h>

#include "tailrace/s3_options.h"
#include "tailrace/tailrace.h"

namespace tailrace::c {

using arrow::Result;

// kInvalid where the struct is damaged or a key is missing.
Result<S3Credentials> ReadCredentials(const tailrace_s3_credentials* given);

// The callback of `options`, as the library calls it. Copies share the context, which is released with the last of
// them. Empty where there is no callback.
std::function<Result<S3Credentials>()> CredentialsFunction(const tailrace_s3_options& options);

}  // namespace tailrace::c
