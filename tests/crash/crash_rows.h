// What the killed process and its judge agree on.
#pragma once

#include "tests/sim/writes.h"

namespace tailrace::sim {

inline constexpr int64_t kCrashRows = 6000;
inline constexpr int64_t kCrashCheckpoint = 700;

}  // namespace tailrace::sim
