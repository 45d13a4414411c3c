#include "state/carried_codec.h"

#include "state/wire.h"

namespace tailrace {
namespace {

// Rows, length and a byte of the chunk.
constexpr int64_t kMinChunkBytes = 3;

Status Malformed(const std::string& path, std::string_view what) {
  return MakeError(ErrorKind::kBadState, path + ": " + std::string(what) + ": cut short or malformed");
}

}  // namespace

std::string EncodeCarried(const CarriedRows& carried) {
  std::string out;
  out.reserve(static_cast<size_t>(carried.size_bytes()) + 16 * (carried.chunks.size() + 1));
  PutVarint(carried.chunks.size(), &out);
  for (const CarriedChunk& chunk : carried.chunks) {
    PutVarint(static_cast<uint64_t>(chunk.rows), &out);
    PutVarint(chunk.bytes.size(), &out);
    out.append(chunk.bytes);
  }
  return out;
}

Result<CarriedRows> DecodeCarried(std::string_view bytes, const std::string& path) {
  WireReader wire(bytes);
  int64_t count;
  if (!wire.ReadSize(&count) || count < 1 || count > wire.remaining() / kMinChunkBytes) return Malformed(path, "count");
  CarriedRows carried;
  carried.chunks.resize(static_cast<size_t>(count));
  for (CarriedChunk& chunk : carried.chunks) {
    std::string_view held;
    if (!wire.ReadSize(&chunk.rows) || !wire.ReadSizedBytes(&held)) return Malformed(path, "chunks");
    chunk.bytes = held;
  }
  if (wire.remaining() > 0) {
    return MakeError(ErrorKind::kBadState, path + ": " + std::to_string(wire.remaining()) + " bytes too many");
  }
  return carried;
}

}  // namespace tailrace
