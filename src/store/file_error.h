// The one place where errno becomes an error kind.
#pragma once

#include <string>
#include <string_view>

#include "tailrace/error.h"

namespace tailrace {

ErrorKind KindOfErrno(int error);

// "cannot <action> '<path>': <what the system says>; <what to do>". `error` as errno or as FileCalls returns it.
Status FileError(std::string_view action, const std::string& path, int error);
// FileError where `rc`, as FileCalls returns it, is negative; else OK.
Status CheckFile(int64_t rc, std::string_view action, const std::string& path);

}  // namespace tailrace
