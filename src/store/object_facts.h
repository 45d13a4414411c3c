// What the local store tells about a file as an object.
#pragma once

#include <string>

#include <arrow/result.h>

#include "store/file_calls.h"
#include "tailrace/object.h"

namespace tailrace {

using arrow::Result;

// "<inode>-<mtime>-<size>" in hex.
std::string EtagOf(const FileFacts& facts);
// `fd` is the open file at `path` that `facts` describe.
Result<ObjectMeta> DescribeObject(FileCalls* files, int fd, const std::string& path, const FileFacts& facts);

}  // namespace tailrace
