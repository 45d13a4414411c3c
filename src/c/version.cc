#include "tailrace/version.h"

#include "tailrace/tailrace.h"

extern "C" {

int32_t tailrace_abi_version(void) { return TAILRACE_ABI_VERSION; }

// A literal, so its data ends with a 0.
const char* tailrace_library_version(void) { return tailrace::LibraryVersion().data(); }

}  // extern "C"
