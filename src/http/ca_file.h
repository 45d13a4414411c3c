// Which certificates a server may be signed by.
#pragma once

#include <functional>
#include <string>

#include <arrow/result.h>

#include "base/environment.h"
#include "tailrace/error.h"

namespace tailrace {

// The file of trusted certificates: `given`, else AWS_CA_BUNDLE, else SSL_CERT_FILE, else the first known place of a
// distribution that is there; empty where there is none (then the TLS library's own default is used). A wheel built on
// one distribution runs on another, so the default that libcurl was compiled with cannot be relied on.
// kInvalid where a file that was asked for cannot be read.
arrow::Result<std::string> FindCaFile(const std::string& given, const Environment& environment,
                                      const std::function<bool(const std::string& path)>& can_read);

// True for a readable regular file.
bool CanReadFile(const std::string& path);

}  // namespace tailrace
