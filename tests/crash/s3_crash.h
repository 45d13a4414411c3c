// What the killed processes and their judge agree on.
#pragma once

#include "tests/sim/writes.h"

namespace tailrace::sim {

// More than ten parts.
inline constexpr int64_t kS3CrashRows = 1000;
inline constexpr int64_t kS3CrashCheckpoint = 300;

}  // namespace tailrace::sim
