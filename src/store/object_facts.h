// What the local store tells about a file as an object.
#pragma once

#include "store/file_calls.h"
#include "tailrace/object.h"

namespace tailrace {

// "<inode>-<mtime>-<size>" in hex.
std::string EtagOf(const FileFacts& facts);
// `fd` is the open file that `facts` describe.
ObjectMeta DescribeObject(FileCalls* files, int fd, const FileFacts& facts);

}  // namespace tailrace
