#include "state/key_values_codec.h"

#include "state/wire.h"

namespace tailrace {

std::string EncodeKeyValues(const KeyValues& pairs) {
  std::string out;
  PutVarint(pairs.size(), &out);
  for (const auto& [key, value] : pairs) {
    for (const std::string* text : {&key, &value}) {
      PutVarint(text->size(), &out);
      out.append(*text);
    }
  }
  return out;
}

Result<KeyValues> DecodeKeyValues(std::string_view bytes, const std::string& path) {
  const Status malformed = MakeError(ErrorKind::kBadState, path + ": cut short or malformed");
  WireReader wire(bytes);
  int64_t count;
  if (!wire.ReadSize(&count) || count > wire.remaining() / 2) return malformed;
  KeyValues pairs;
  pairs.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    std::string_view key, value;
    if (!wire.ReadSizedBytes(&key) || !wire.ReadSizedBytes(&value)) return malformed;
    pairs.emplace_back(key, value);
  }
  if (wire.remaining() > 0) return malformed;
  return pairs;
}

}  // namespace tailrace
