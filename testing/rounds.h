// How often a test repeats what goes by chance.
#pragma once

#include <cstdlib>

namespace tailrace {

// TAILRACE_ROUNDS where it is set; else `usual`, and a fifth of it in builds with a sanitizer, which are slower and
// look for other things.
inline int Rounds(int usual) {
  if (const char* const asked = std::getenv("TAILRACE_ROUNDS"); asked != nullptr) return std::atoi(asked);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return usual / 5;
#else
  return usual;
#endif
}

}  // namespace tailrace
