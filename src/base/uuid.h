// Random identifiers.
#pragma once

#include <string>

#include "tailrace/object.h"

namespace tailrace {

// A UUIDv7 (RFC 9562, section 5.7) for the moment `now`, from the kernel's random source.
WriteId MakeWriteId(Timestamp now);
// 16 random bytes as 32 lower-case hex digits.
std::string MakeInstanceId();

}  // namespace tailrace
