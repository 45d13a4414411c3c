// Writer states and pending commits. The first byte says which; the rest is the body, in an envelope whose checksum
// fits, so that the fuzzer gets behind it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "state/envelope.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace {
namespace {

template <typename Value>
void CheckValue(std::string_view bytes) {
  const auto value = Value::FromBytes(bytes);
  if (!value.ok()) {
    const ErrorKind kind = KindOf(value.status());
    FuzzCheck(kind == ErrorKind::kBadState || kind == ErrorKind::kStateTooNew, "damage has its kind");
    return;
  }
  const std::string written = value->ToBytes();
  const auto again = Value::FromBytes(written);
  FuzzCheck(again.ok() && *again == *value, "what is written is read again");
  FuzzCheck(again->ToBytes() == written, "... and gives the same bytes");
}

}  // namespace
}  // namespace tailrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tailrace;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckValue<WriterState>(text);
  CheckValue<PendingCommit>(text);
  if (text.empty()) return 0;
  if (text[0] == 'P') {
    CheckValue<PendingCommit>(WrapBody(BlobKind::kPendingCommit, text.substr(1)));
  } else {
    CheckValue<WriterState>(WrapBody(BlobKind::kWriterState, text.substr(1)));
  }
  return 0;
}
