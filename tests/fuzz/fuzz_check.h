// What fuzz targets check beside "it neither crashes nor hangs".
#pragma once

#include <cstdio>
#include <cstdlib>

namespace tailrace {

// Stops the process where `holds` is false: the fuzzer keeps the input.
inline void FuzzCheck(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace tailrace
