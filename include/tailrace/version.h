// Which tailrace this is.
#pragma once

#include <string_view>

namespace tailrace {

// "0.1.0": the first line of the file VERSION, at the time the library was built.
std::string_view LibraryVersion();

}  // namespace tailrace
