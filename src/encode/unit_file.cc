#include "encode/unit_file.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "encode/parquet_fields.h"
#include "encode/parquet_file.h"

namespace tailrace {
namespace {

Status Unexpected(const std::string& what) { return MakeError(ErrorKind::kInternal, "Parquet encoder: " + what); }

// A page index of a column chunk: taken out of the metadata, since BuildTail gives it its place.
Result<std::string> TakeIndex(std::string_view file_tail, int64_t tail_offset, ThriftStruct* chunk, int16_t offset_id,
                              int16_t length_id) {
  const int64_t* offset = chunk->FindInt(offset_id);
  const int64_t* length = chunk->FindInt(length_id);
  if (offset == nullptr || length == nullptr) return std::string();
  const int64_t start = *offset - tail_offset;
  if (start < 0 || *length < 0 || start + *length > static_cast<int64_t>(file_tail.size())) {
    return Unexpected("a page index lies outside of the file's tail");
  }
  std::string bytes(file_tail.substr(start, *length));
  chunk->Remove(offset_id);
  chunk->Remove(length_id);
  return bytes;
}

struct Footer {
  int64_t begin = 0;
  ThriftStruct tree;
};
Result<Footer> ReadFooter(const ByteSlices& file) {
  ByteSlices rest = file;
  (void)rest.TakeFront(std::max<int64_t>(0, rest.size() - kFileTrailerBytes));
  ARROW_ASSIGN_OR_RAISE(const int64_t bytes, FooterLength(rest.ToString(), file.size()));
  Footer footer{.begin = file.size() - kFileTrailerBytes - bytes};
  rest = file;
  (void)rest.TakeFront(footer.begin);
  ARROW_ASSIGN_OR_RAISE(footer.tree, DecodeThrift(rest.TakeFront(bytes).ToString()));
  return footer;
}

// The least of `end` and the offset, where there is one.
void EndBefore(const ThriftStruct* of, int16_t offset_id, int64_t* end) {
  const int64_t* offset = of == nullptr ? nullptr : of->FindInt(offset_id);
  if (offset != nullptr) *end = std::min(*end, *offset);
}

// Where the pages end and the bloom filters begin, if there are any; where these end and the page indexes begin.
struct Ends {
  int64_t pages = 0;
  int64_t filters = 0;
};
Result<Ends> FindEnds(const ThriftList& columns, int64_t footer_begin) {
  Ends ends{.pages = footer_begin, .filters = footer_begin};
  for (const ThriftValue& column : columns.values) {
    const auto* chunk = std::get_if<ThriftStruct>(&column.data);
    if (chunk == nullptr) return Unexpected("a column chunk that is no structure");
    EndBefore(chunk, column_chunk::kColumnIndexOffset, &ends.filters);
    EndBefore(chunk, column_chunk::kOffsetIndexOffset, &ends.filters);
    EndBefore(chunk->FindStruct(column_chunk::kMetaData), column_metadata::kBloomFilterOffset, &ends.pages);
  }
  ends.pages = std::min(ends.pages, ends.filters);
  if (ends.pages < kFileMagicBytes) return Unexpected("a page index before the first row group");
  return ends;
}

}  // namespace

Result<EncodedColumns> TakeApart(ByteSlices file, int64_t rows, size_t columns) {
  ARROW_ASSIGN_OR_RAISE(Footer footer, ReadFooter(file));
  ThriftList* groups = footer.tree.FindList(file_metadata::kRowGroups);
  if (groups == nullptr || groups->values.size() != 1) return Unexpected("a unit without exactly one row group");
  auto* group = std::get_if<ThriftStruct>(&groups->values[0].data);
  if (group == nullptr) return Unexpected("a row group that is no structure");
  ThriftList* chunks = group->FindList(row_group::kColumns);
  const int64_t* group_rows = group->FindInt(row_group::kNumRows);
  if (group_rows == nullptr || *group_rows != rows) return Unexpected("a row group with other rows");
  if (chunks == nullptr || chunks->values.size() != columns) return Unexpected("a row group with other columns");
  ARROW_ASSIGN_OR_RAISE(const Ends ends, FindEnds(*chunks, footer.begin));

  EncodedColumns out;
  (void)file.TakeFront(kFileMagicBytes);
  out.pages = file.TakeFront(ends.pages - kFileMagicBytes);
  out.filters = file.TakeFront(ends.filters - ends.pages);
  const std::string tail = file.TakeFront(footer.begin - ends.filters).ToString();
  for (ThriftValue& column : chunks->values) {
    auto* chunk = std::get_if<ThriftStruct>(&column.data);
    ColumnIndexBytes indexes;
    ARROW_ASSIGN_OR_RAISE(indexes.column_index, TakeIndex(tail, ends.filters, chunk, column_chunk::kColumnIndexOffset,
                                                          column_chunk::kColumnIndexLength));
    ARROW_ASSIGN_OR_RAISE(indexes.offset_index, TakeIndex(tail, ends.filters, chunk, column_chunk::kOffsetIndexOffset,
                                                          column_chunk::kOffsetIndexLength));
    out.indexes.push_back(std::move(indexes));
  }
  out.row_group = std::move(*group);
  return out;
}

}  // namespace tailrace
