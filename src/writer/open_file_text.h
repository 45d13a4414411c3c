// An open file and its actions as short text, by which the tests of the machine compare.
#pragma once

#include <string>
#include <vector>

#include "writer/open_file.h"

namespace tailrace {

// Everything that the state holds: "Started u1 cut=2 unsent=abc stored=1:e1 flying=2".
std::string TextOf(const OpenFile& file);
// "Create; Store 2@10+10", with number, place and size of the part.
std::string TextOf(const std::vector<Action>& actions);

// `size` bytes that tell where in the file they stand when `from` counts on.
ByteSlices Letters(int64_t size, int64_t from = 0);
PartReceipt Receipt(int number, int64_t offset_bytes, int64_t size_bytes, std::string etag);

}  // namespace tailrace
