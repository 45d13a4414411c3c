#include "tailrace/inspect.h"

#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <arrow/type.h>

#include "encode/filler.h"
#include "encode/footer_key_values.h"
#include "encode/object_footer.h"
#include "encode/parquet_fields.h"
#include "encode/prepared_schema.h"
#include "encode/thrift_compact.h"

namespace tailrace {
namespace {

// By their numbers in parquet.thrift.
constexpr std::array<std::string_view, 8> kPhysicalTypes = {"BOOLEAN", "INT32",  "INT64",      "INT96",
                                                            "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
constexpr std::array<std::string_view, 8> kCodecs = {"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO",
                                                     "BROTLI",       "LZ4",    "ZSTD", "LZ4_RAW"};
constexpr std::array<std::string_view, 10> kEncodings = {"PLAIN",
                                                         "1",
                                                         "PLAIN_DICTIONARY",
                                                         "RLE",
                                                         "BIT_PACKED",
                                                         "DELTA_BINARY_PACKED",
                                                         "DELTA_LENGTH_BYTE_ARRAY",
                                                         "DELTA_BYTE_ARRAY",
                                                         "RLE_DICTIONARY",
                                                         "BYTE_STREAM_SPLIT"};

// A number that is not known, from a newer format, is shown as such.
template <size_t kCount>
std::string NameOf(const std::array<std::string_view, kCount>& names, const int64_t* number) {
  if (number == nullptr) return "missing";
  if (*number >= 0 && *number < static_cast<int64_t>(kCount)) return std::string(names[*number]);
  return std::to_string(*number);
}

int64_t IntOr0(const ThriftStruct& of, int16_t id) {
  const int64_t* value = of.FindInt(id);
  return value == nullptr ? 0 : *value;
}

std::string TextOf(const ThriftStruct& of, int16_t id) {
  const std::string* text = of.FindBinary(id);
  return text == nullptr ? std::string() : *text;
}

// The structures of a list, those of another type left out.
std::vector<const ThriftStruct*> StructsOf(const ThriftStruct& of, int16_t id) {
  std::vector<const ThriftStruct*> out;
  const ThriftList* list = of.FindList(id);
  if (list == nullptr) return out;
  for (const ThriftValue& value : list->values) {
    if (const auto* element = std::get_if<ThriftStruct>(&value.data)) out.push_back(element);
  }
  return out;
}

std::string PathOf(const ThriftStruct& metadata) {
  std::string path;
  const ThriftList* names = metadata.FindList(column_metadata::kPath);
  if (names == nullptr) return path;
  for (const ThriftValue& value : names->values) {
    const auto* name = std::get_if<std::string>(&value.data);
    if (name == nullptr) continue;
    if (&value != &names->values.front()) path += '.';
    path += *name;
  }
  return path;
}

std::vector<std::string> EncodingsOf(const ThriftStruct& metadata) {
  std::vector<std::string> out;
  const ThriftList* list = metadata.FindList(column_metadata::kEncodings);
  if (list == nullptr) return out;
  for (const ThriftValue& value : list->values) out.push_back(NameOf(kEncodings, std::get_if<int64_t>(&value.data)));
  return out;
}

std::vector<std::string> DataEncodingsOf(const ThriftStruct& metadata) {
  // By their numbers in parquet.thrift: DATA_PAGE, DATA_PAGE_V2.
  constexpr int64_t kDataPage = 0, kDataPageV2 = 3;
  std::set<std::string> names;
  for (const ThriftStruct* pages : StructsOf(metadata, column_metadata::kEncodingStats)) {
    const int64_t* type = pages->FindInt(page_encoding_stats::kPageType);
    if (type == nullptr || (*type != kDataPage && *type != kDataPageV2)) continue;
    names.insert(NameOf(kEncodings, pages->FindInt(page_encoding_stats::kEncoding)));
  }
  return {names.begin(), names.end()};
}

ColumnChunkSummary SummarizeColumn(const ThriftStruct& chunk) {
  ColumnChunkSummary out;
  out.column_index_bytes = IntOr0(chunk, column_chunk::kColumnIndexLength);
  out.offset_index_bytes = IntOr0(chunk, column_chunk::kOffsetIndexLength);
  const ThriftStruct* metadata = chunk.FindStruct(column_chunk::kMetaData);
  if (metadata == nullptr) return out;
  out.path = PathOf(*metadata);
  out.physical_type = NameOf(kPhysicalTypes, metadata->FindInt(column_metadata::kType));
  out.codec = NameOf(kCodecs, metadata->FindInt(column_metadata::kCodec));
  out.encodings = EncodingsOf(*metadata);
  out.data_encodings = DataEncodingsOf(*metadata);
  out.values = IntOr0(*metadata, column_metadata::kNumValues);
  out.compressed_bytes = IntOr0(*metadata, column_metadata::kTotalCompressedSize);
  out.uncompressed_bytes = IntOr0(*metadata, column_metadata::kTotalUncompressedSize);
  out.has_statistics = metadata->FindStruct(column_metadata::kStatistics) != nullptr;
  out.has_bloom_filter = metadata->FindInt(column_metadata::kBloomFilterOffset) != nullptr;
  return out;
}

RowGroupSummary SummarizeGroup(const ThriftStruct& group) {
  RowGroupSummary out;
  out.rows = IntOr0(group, row_group::kNumRows);
  for (const ThriftStruct* chunk : StructsOf(group, row_group::kColumns)) {
    out.columns.push_back(SummarizeColumn(*chunk));
    out.compressed_bytes += out.columns.back().compressed_bytes;
  }
  return out;
}

}  // namespace

Result<ParquetSummary> InspectObject(ObjectStore* store, const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(const ObjectMeta meta, store->Head(key));
  ARROW_ASSIGN_OR_RAISE(const std::string footer, ReadObjectFooter(store, key, meta));
  // A signature may follow the footer of a file with encrypted columns.
  size_t used = 0;
  auto tree = DecodeThrift(footer, &used);
  if (!tree.ok()) return MakeError(ErrorKind::kInvalid, key + ": damaged Parquet footer: " + tree.status().message());
  ParquetSummary out;
  out.size_bytes = meta.size_bytes;
  out.footer_bytes = static_cast<int64_t>(footer.size());
  out.rows = IntOr0(*tree, file_metadata::kNumRows);
  out.write_id = meta.write_id;
  out.created_by = TextOf(*tree, file_metadata::kCreatedBy);
  out.key_value_metadata = ReadKeyValues(*tree);
  out.digest = FindKeyValue(out.key_value_metadata, kDigestKey);
  out.end = FindKeyValue(out.key_value_metadata, kEndKey);
  for (const ThriftStruct* group : StructsOf(*tree, file_metadata::kRowGroups)) {
    out.row_groups.push_back(SummarizeGroup(*group));
  }
  // Others may keep things there that our reader of footers does not know.
  constexpr int64_t kTrailerBytes = 8;
  if (!out.digest.empty()) out.filler = FillerOf(*tree, out.size_bytes - kTrailerBytes - out.footer_bytes);
  return out;
}

Result<std::string> DescribeSchema(const ParquetContent& content) {
  ARROW_ASSIGN_OR_RAISE(const PreparedSchema schema, RestoreSchema(content));
  return schema.input->ToString();
}

}  // namespace tailrace
