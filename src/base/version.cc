#include "tailrace/version.h"

namespace tailrace {

std::string_view LibraryVersion() { return TAILRACE_VERSION; }

}  // namespace tailrace
