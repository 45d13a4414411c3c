// Footers of Parquet files: the Thrift tree, and what moves its offsets. The first two bytes say by how much.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "encode/parquet_file.h"
#include "encode/parquet_relocate.h"
#include "encode/thrift_compact.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace {
namespace {

void CheckTree(std::string_view bytes) {
  const auto tree = DecodeThrift(bytes);
  if (!tree.ok()) {
    FuzzCheck(KindOf(tree.status()) == ErrorKind::kInvalid, "damage is kInvalid");
    return;
  }
  const std::string written = EncodeThrift(*tree);
  const auto again = DecodeThrift(written);
  FuzzCheck(again.ok(), "what is written is read again");
  FuzzCheck(EncodeThrift(*again) == written, "... and gives the same bytes");
}

// Every row group of a footer, there and back.
void CheckMoves(std::string_view bytes, int64_t by_bytes) {
  constexpr int16_t kRowGroups = 4;  // of FileMetaData
  const auto tree = DecodeThrift(bytes);
  if (!tree.ok()) return;
  const ThriftList* const row_groups = tree->FindList(kRowGroups);
  if (row_groups == nullptr) return;
  for (const ThriftValue& value : row_groups->values) {
    const auto* const group = std::get_if<ThriftStruct>(&value.data);
    if (group == nullptr) continue;
    ThriftStruct moved = *group;
    if (!ShiftRowGroup(&moved, by_bytes).ok()) continue;
    ShiftOffsetIndex(&moved, by_bytes).ok();
    FuzzCheck(DecodeThrift(EncodeThrift(moved)).ok(), "a moved row group is read again");
  }
}

}  // namespace
}  // namespace tailrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tailrace;
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  CheckTree(bytes);
  CheckMoves(bytes, (int64_t{data[0]} << 8 | data[1]) << 24);
  for (int64_t file_bytes : {int64_t{0}, int64_t{12}, int64_t{1} << 40}) {
    const auto length = FooterLength(bytes, file_bytes);
    FuzzCheck(!length.ok() || (*length >= 0 && *length <= file_bytes), "a footer lies in its file");
  }
  return 0;
}
