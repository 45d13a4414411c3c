#include "state/packed_bytes.h"

#include <memory>

#include <arrow/util/compression.h>

#include "state/wire.h"

namespace tailrace {
namespace {

constexpr char kPlain = 0;
constexpr char kZstd = 1;
// Level 3 saves 2 per cent more on real row-group lists and takes longer, at every checkpoint.
constexpr int kZstdLevel = 1;
// More is stored plain, so that a reader may refuse whatever claims to expand to more.
constexpr int64_t kMaxExpandedBytes = int64_t{1} << 30;
// RFC 8878: a block has a header of 3 bytes and at least 1 more, and yields at most 128 KiB.
constexpr int64_t kZstdMinBlockBytes = 4;
constexpr int64_t kZstdMaxBlockYield = int64_t{128} << 10;

const uint8_t* Data(std::string_view bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

Result<std::unique_ptr<arrow::util::Codec>> MakeZstd() {
  return arrow::util::Codec::Create(arrow::Compression::ZSTD, kZstdLevel);
}

Result<std::string> Compress(std::string_view bytes) {
  ARROW_ASSIGN_OR_RAISE(auto codec, MakeZstd());
  const auto size = static_cast<int64_t>(bytes.size());
  std::string out(static_cast<size_t>(codec->MaxCompressedLen(size, Data(bytes))), '\0');
  ARROW_ASSIGN_OR_RAISE(int64_t written, codec->Compress(size, Data(bytes), static_cast<int64_t>(out.size()),
                                                         reinterpret_cast<uint8_t*>(out.data())));
  out.resize(static_cast<size_t>(written));
  return out;
}

Result<std::string> Expand(std::string_view frame, int64_t size, const std::string& path) {
  const int64_t most = (static_cast<int64_t>(frame.size()) / kZstdMinBlockBytes + 1) * kZstdMaxBlockYield;
  if (size > kMaxExpandedBytes || size > most) {
    return MakeError(ErrorKind::kBadState, path + ": " + std::to_string(size) + " bytes cannot come from " +
                                               std::to_string(frame.size()) + " compressed ones");
  }
  ARROW_ASSIGN_OR_RAISE(auto codec, MakeZstd());
  std::string out(static_cast<size_t>(size), '\0');
  auto written =
      codec->Decompress(static_cast<int64_t>(frame.size()), Data(frame), size, reinterpret_cast<uint8_t*>(out.data()));
  if (!written.ok() || *written != size) {
    return MakeError(ErrorKind::kBadState,
                     path + ": does not expand to the " + std::to_string(size) + " bytes it names");
  }
  return out;
}

}  // namespace

std::string PackBytes(std::string_view bytes) {
  if (static_cast<int64_t>(bytes.size()) <= kMaxExpandedBytes) {
    // A build of Arrow without Zstandard, or one that fails on these bytes, stores them plain.
    if (Result<std::string> frame = Compress(bytes); frame.ok()) {
      std::string packed(1, kZstd);
      PutVarint(bytes.size(), &packed);
      packed.append(*frame);
      if (packed.size() < bytes.size() + 1) return packed;
    }
  }
  std::string packed(1, kPlain);
  packed.append(bytes);
  return packed;
}

Result<std::string> UnpackBytes(std::string_view packed, const std::string& path) {
  if (packed.empty()) return MakeError(ErrorKind::kBadState, path + ": empty");
  const std::string_view rest = packed.substr(1);
  if (packed[0] == kPlain) return std::string(rest);
  if (packed[0] != kZstd) {
    return MakeError(ErrorKind::kStateTooNew, path + ": packing method " +
                                                  std::to_string(static_cast<uint8_t>(packed[0])) +
                                                  " is not known to this version of tailrace");
  }
  WireReader wire(rest);
  int64_t size;
  if (!wire.ReadSize(&size)) return MakeError(ErrorKind::kBadState, path + ": no size");
  return Expand(rest.substr(rest.size() - static_cast<size_t>(wire.remaining())), size, path);
}

}  // namespace tailrace
