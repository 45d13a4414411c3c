#include "state/envelope.h"

#include "base/crc64.h"
#include "state/wire.h"

namespace tailrace {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kStateMagic = "\x89TRS\r\n\x1a\n"sv;
constexpr std::string_view kPendingMagic = "\x89TRP\r\n\x1a\n"sv;
constexpr int64_t kMagicBytes = 8;
constexpr int64_t kCheckedFrom = 16;  // what lies before is magic and the checksum itself
constexpr int64_t kHeaderBytes = 28;

std::string_view MagicOf(BlobKind kind) { return kind == BlobKind::kWriterState ? kStateMagic : kPendingMagic; }

Status BadState(BlobKind kind, const std::string& message) {
  return MakeError(ErrorKind::kBadState, std::string(BlobKindName(kind)) + ": " + message);
}

Status CheckMagic(BlobKind kind, std::string_view bytes) {
  ARROW_ASSIGN_OR_RAISE(BlobKind found, KindOfBlob(bytes));
  if (found == kind) return Status::OK();
  return MakeError(ErrorKind::kBadState, "magic: this is a " + std::string(BlobKindName(found)) + ", not a " +
                                             std::string(BlobKindName(kind)));
}

}  // namespace

std::string_view BlobKindName(BlobKind kind) {
  return kind == BlobKind::kWriterState ? "writer state" : "pending commit";
}

Result<BlobKind> KindOfBlob(std::string_view bytes) {
  for (BlobKind kind : {BlobKind::kWriterState, BlobKind::kPendingCommit}) {
    if (bytes.substr(0, kMagicBytes) == MagicOf(kind)) return kind;
  }
  const bool cut = bytes.size() < static_cast<size_t>(kMagicBytes);
  return MakeError(ErrorKind::kBadState, cut ? "magic: " + std::to_string(bytes.size()) +
                                                   " bytes are too few for a writer state or a pending commit"
                                             : "magic: this is neither a writer state nor a pending commit");
}

std::string WrapBody(BlobKind kind, std::string_view body) {
  std::string checked;
  checked.reserve(kHeaderBytes - kCheckedFrom);
  PutFixed32(kFormatVersion, &checked);
  PutFixed64(body.size(), &checked);

  const uint64_t head_crc = Crc64Nvme(checked.data(), checked.size());
  std::string out;
  out.reserve(kHeaderBytes + body.size());
  out.append(MagicOf(kind));
  PutFixed64(Crc64Nvme(body.data(), body.size(), head_crc), &out);
  out.append(checked);
  out.append(body);
  return out;
}

Result<std::string_view> UnwrapBody(BlobKind kind, std::string_view bytes) {
  ARROW_RETURN_NOT_OK(CheckMagic(kind, bytes));
  if (bytes.size() < static_cast<size_t>(kHeaderBytes)) {
    return BadState(
        kind, "header: cut short, " + std::to_string(bytes.size()) + " of " + std::to_string(kHeaderBytes) + " bytes");
  }
  WireReader wire(bytes.substr(kMagicBytes));
  uint64_t checksum = 0, body_bytes = 0;
  uint32_t version = 0;
  wire.ReadFixed64(&checksum);
  wire.ReadFixed32(&version);
  wire.ReadFixed64(&body_bytes);
  const auto rest = static_cast<uint64_t>(wire.remaining());
  if (rest < body_bytes) {
    return BadState(kind, "body: cut short, " + std::to_string(rest) + " of " + std::to_string(body_bytes) + " bytes");
  }
  if (rest > body_bytes) {
    return BadState(kind, "body: " + std::to_string(rest - body_bytes) + " bytes too many behind it");
  }
  if (Crc64Nvme(bytes.data() + kCheckedFrom, bytes.size() - kCheckedFrom) != checksum) {
    return BadState(kind, "checksum: does not match, the bytes were altered");
  }
  if (version > kFormatVersion) {
    return MakeError(ErrorKind::kStateTooNew,
                     std::string(BlobKindName(kind)) + ": version: " + std::to_string(version) + " is newer than " +
                         std::to_string(kFormatVersion) + ", the newest that this version of tailrace reads");
  }
  return bytes.substr(kHeaderBytes);
}

}  // namespace tailrace
