// Tells when the last of several is done with a chunk.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace tailrace {

// Shared by all who use the chunk; the last to let it go runs `done`.
using ChunkHold = std::shared_ptr<const void>;
inline ChunkHold MakeChunkHold(std::function<void()> done) {
  return ChunkHold(static_cast<const void*>(""), [done = std::move(done)](const void*) { done(); });
}

}  // namespace tailrace
