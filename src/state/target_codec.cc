#include "state/target_codec.h"

#include "state/tagged_codec.h"

namespace tailrace {
namespace {

constexpr Field kKind{1, WireType::kBytes, true, "kind"};
constexpr Field kEndpoint{2, WireType::kBytes, true, "endpoint"};
constexpr Field kRegion{3, WireType::kBytes, true, "region"};
constexpr Field kAddressing{4, WireType::kBytes, true, "addressing"};
constexpr Field kBucket{5, WireType::kBytes, true, "bucket"};
constexpr Field kKey{6, WireType::kBytes, true, "key"};
constexpr Field kFields[] = {kKind, kEndpoint, kRegion, kAddressing, kBucket, kKey};

void PutUnlessEmpty(const Field& field, const std::string& value, MessageWriter* out) {
  if (!value.empty()) out->PutBytes(field, value);
}

}  // namespace

std::string EncodeTarget(const Target& target) {
  MessageWriter out;
  out.PutBytes(kKind, target.kind);
  PutUnlessEmpty(kEndpoint, target.endpoint, &out);
  PutUnlessEmpty(kRegion, target.region, &out);
  PutUnlessEmpty(kAddressing, target.addressing, &out);
  PutUnlessEmpty(kBucket, target.bucket, &out);
  out.PutBytes(kKey, target.key);
  return out.Take();
}

Result<Target> DecodeTarget(std::string_view bytes, std::string prefix) {
  ARROW_ASSIGN_OR_RAISE(MessageReader in, MessageReader::Parse(bytes, std::move(prefix), kFields));
  Target target;
  ARROW_ASSIGN_OR_RAISE(target.kind, in.String(kKind));
  target.endpoint = in.BytesOrEmpty(kEndpoint);
  target.region = in.BytesOrEmpty(kRegion);
  target.addressing = in.BytesOrEmpty(kAddressing);
  target.bucket = in.BytesOrEmpty(kBucket);
  ARROW_ASSIGN_OR_RAISE(target.key, in.String(kKey));
  return target;
}

}  // namespace tailrace
