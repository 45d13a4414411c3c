#include <algorithm>

#include "encode/file_tail.h"
#include "encode/footer_key_values.h"
#include "encode/parquet_fields.h"
#include "encode/thrift_compact.h"

namespace tailrace {
namespace {

int64_t IntOr0(const ThriftStruct& of, int16_t id) {
  const int64_t* value = of.FindInt(id);
  return value == nullptr ? 0 : *value;
}

// A dictionary page, where there is one, comes before the data pages.
int64_t FirstPageOffset(const ThriftStruct& group) {
  const ThriftList* columns = group.FindList(row_group::kColumns);
  const auto* chunk =
      columns == nullptr || columns->values.empty() ? nullptr : std::get_if<ThriftStruct>(&columns->values[0].data);
  const ThriftStruct* metadata = chunk == nullptr ? nullptr : chunk->FindStruct(column_chunk::kMetaData);
  if (metadata == nullptr) return 0;
  const int64_t data = IntOr0(*metadata, column_metadata::kDataPageOffset);
  const int64_t dictionary = IntOr0(*metadata, column_metadata::kDictionaryPageOffset);
  return dictionary > 0 ? std::min(data, dictionary) : data;
}

Status NoFooter(const std::string& what) { return MakeError(ErrorKind::kInvalid, "not a Parquet footer: " + what); }

}  // namespace

bool ContentId::SameContent(const ContentId& other) const {
  if (rows != other.rows || groups.size() != other.groups.size()) return false;
  // Without a digest nothing tells two files of equal shape apart.
  if (!digest.empty() && digest == other.digest && groups == other.groups) return true;
  return !carried.empty() && carried == other.carried && !groups.empty() &&
         std::equal(groups.begin(), groups.end() - 1, other.groups.begin());
}

Result<ContentId> ReadContentId(std::string_view footer) {
  auto tree = DecodeThrift(footer);
  if (!tree.ok()) return NoFooter(tree.status().message());
  const int64_t* rows = tree->FindInt(file_metadata::kNumRows);
  const ThriftList* groups = tree->FindList(file_metadata::kRowGroups);
  if (rows == nullptr || groups == nullptr) return NoFooter("row count or row groups are missing");
  ContentId id;
  id.rows = *rows;
  for (const ThriftValue& value : groups->values) {
    const auto* group = std::get_if<ThriftStruct>(&value.data);
    if (group == nullptr) return NoFooter("a row group is no structure");
    id.groups.push_back(
        {IntOr0(*group, row_group::kNumRows), IntOr0(*group, row_group::kTotalByteSize), FirstPageOffset(*group)});
  }
  const KeyValues metadata = ReadKeyValues(*tree);
  id.digest = FindKeyValue(metadata, kDigestKey);
  id.carried = FindKeyValue(metadata, kCarriedKey);
  id.end = FindKeyValue(metadata, kEndKey);
  return id;
}

}  // namespace tailrace
