#include "encode/parquet_relocate.h"

#include "encode/parquet_fields.h"

namespace tailrace {
namespace {

Status Damaged(const std::string& what) { return MakeError(ErrorKind::kInvalid, "damaged Parquet metadata: " + what); }

Status ShiftOffset(ThriftStruct* of, int16_t id, int64_t by_bytes, const char* name) {
  int64_t* offset = of->FindInt(id);
  if (offset == nullptr || *offset == 0) return Status::OK();
  int64_t shifted = 0;
  if (*offset < 0 || __builtin_add_overflow(*offset, by_bytes, &shifted) || shifted <= 0) {
    return Damaged(std::string(name) + " " + std::to_string(*offset) + " cannot be shifted by " +
                   std::to_string(by_bytes));
  }
  *offset = shifted;
  return Status::OK();
}

Status ShiftColumnChunk(ThriftStruct* chunk, int64_t by_bytes) {
  ThriftStruct* metadata = chunk->FindStruct(column_chunk::kMetaData);
  if (metadata == nullptr) return Damaged("a column chunk without metadata");
  ARROW_RETURN_NOT_OK(ShiftOffset(chunk, column_chunk::kFileOffset, by_bytes, "file_offset"));
  ARROW_RETURN_NOT_OK(ShiftOffset(chunk, column_chunk::kOffsetIndexOffset, by_bytes, "offset_index_offset"));
  ARROW_RETURN_NOT_OK(ShiftOffset(chunk, column_chunk::kColumnIndexOffset, by_bytes, "column_index_offset"));
  ARROW_RETURN_NOT_OK(ShiftOffset(metadata, column_metadata::kDataPageOffset, by_bytes, "data_page_offset"));
  ARROW_RETURN_NOT_OK(ShiftOffset(metadata, column_metadata::kIndexPageOffset, by_bytes, "index_page_offset"));
  ARROW_RETURN_NOT_OK(
      ShiftOffset(metadata, column_metadata::kDictionaryPageOffset, by_bytes, "dictionary_page_offset"));
  return ShiftOffset(metadata, column_metadata::kBloomFilterOffset, by_bytes, "bloom_filter_offset");
}

}  // namespace

Status ShiftBloomFilters(ThriftStruct* row_group, int64_t by_bytes) {
  ThriftList* columns = row_group->FindList(row_group::kColumns);
  if (columns == nullptr) return Damaged("a row group without columns");
  for (ThriftValue& column : columns->values) {
    auto* chunk = std::get_if<ThriftStruct>(&column.data);
    ThriftStruct* metadata = chunk == nullptr ? nullptr : chunk->FindStruct(column_chunk::kMetaData);
    if (metadata == nullptr) return Damaged("a column chunk without metadata");
    ARROW_RETURN_NOT_OK(ShiftOffset(metadata, column_metadata::kBloomFilterOffset, by_bytes, "bloom_filter_offset"));
  }
  return Status::OK();
}

Status ShiftRowGroup(ThriftStruct* row_group, int64_t by_bytes) {
  ThriftList* columns = row_group->FindList(row_group::kColumns);
  if (columns == nullptr) return Damaged("a row group without columns");
  for (ThriftValue& column : columns->values) {
    auto* chunk = std::get_if<ThriftStruct>(&column.data);
    if (chunk == nullptr) return Damaged("a column chunk that is no structure");
    ARROW_RETURN_NOT_OK(ShiftColumnChunk(chunk, by_bytes));
  }
  return ShiftOffset(row_group, row_group::kFileOffset, by_bytes, "row group file_offset");
}

Status ShiftOffsetIndex(ThriftStruct* offset_index, int64_t by_bytes) {
  ThriftList* locations = offset_index->FindList(offset_index::kPageLocations);
  if (locations == nullptr) return Damaged("an offset index without page locations");
  for (ThriftValue& value : locations->values) {
    auto* location = std::get_if<ThriftStruct>(&value.data);
    if (location == nullptr) return Damaged("a page location that is no structure");
    ARROW_RETURN_NOT_OK(ShiftOffset(location, page_location::kOffset, by_bytes, "page offset"));
  }
  return Status::OK();
}

}  // namespace tailrace
