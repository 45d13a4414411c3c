#include "encode/chunk_facts.h"

#include <string>
#include <variant>

#include "encode/parquet_fields.h"

namespace tailrace {
namespace {

// By their numbers in parquet.thrift.
constexpr int64_t kDataPage = 0;
constexpr int64_t kDataPageV2 = 3;
constexpr int64_t kPlainEncoding = 0;

Status Bad(const std::string& what) { return MakeError(ErrorKind::kBadState, "content.row_groups: " + what); }

}  // namespace

bool DictionaryGaveWay(const ThriftStruct& column_metadata) {
  const int64_t* dictionary = column_metadata.FindInt(column_metadata::kDictionaryPageOffset);
  const ThriftList* statistics = column_metadata.FindList(column_metadata::kEncodingStats);
  if (dictionary == nullptr || statistics == nullptr) return false;
  for (const ThriftValue& value : statistics->values) {
    const auto* pages = std::get_if<ThriftStruct>(&value.data);
    if (pages == nullptr) continue;
    const int64_t* type = pages->FindInt(page_encoding_stats::kPageType);
    const int64_t* encoding = pages->FindInt(page_encoding_stats::kEncoding);
    if (type == nullptr || encoding == nullptr) continue;
    if ((*type == kDataPage || *type == kDataPageV2) && *encoding == kPlainEncoding) return true;
  }
  return false;
}

Result<std::vector<ChunkFacts>> ReadChunkFacts(const RowGroupEntry& entry) {
  std::vector<ChunkFacts> out;
  if (entry.choices.empty()) return out;
  auto group = DecodeThrift(entry.metadata);
  if (!group.ok()) return Bad(group.status().message());
  const ThriftList* columns = group->FindList(row_group::kColumns);
  if (columns == nullptr || columns->values.size() != entry.choices.size()) return Bad("choices of other columns");
  for (size_t i = 0; i < entry.choices.size(); ++i) {
    const auto* chunk = std::get_if<ThriftStruct>(&columns->values[i].data);
    const ThriftStruct* metadata = chunk == nullptr ? nullptr : chunk->FindStruct(column_chunk::kMetaData);
    const int64_t* raw = metadata == nullptr ? nullptr : metadata->FindInt(column_metadata::kTotalUncompressedSize);
    const int64_t* compressed =
        metadata == nullptr ? nullptr : metadata->FindInt(column_metadata::kTotalCompressedSize);
    if (raw == nullptr || compressed == nullptr) return Bad("a column chunk without sizes");
    // Neither is trusted to be sound: comparing them must not overflow.
    constexpr int64_t kMost = int64_t{1} << 48;
    if (*raw < 0 || *raw > kMost || *compressed < 0 || *compressed > kMost)
      return Bad("a column chunk of impossible size");
    out.push_back({entry.choices[i], *raw, *compressed, DictionaryGaveWay(*metadata)});
  }
  return out;
}

}  // namespace tailrace
