#include "encode/filler.h"

#include <algorithm>

#include "encode/parquet_fields.h"

namespace tailrace {
namespace {

constexpr int64_t kMagicBytes = 4;
// Of ColumnMetaData; files of before 2023 lack it.
constexpr int16_t kBloomFilterLength = 15;

class Covered {
 public:
  void Add(const int64_t* offset, const int64_t* length) {
    if (offset == nullptr || length == nullptr || *offset <= 0 || *length <= 0) return;
    ranges_.push_back({*offset, *length});
  }

  // What is between `begin` and `end` and in none of the ranges.
  std::vector<ByteRange> Gaps(int64_t begin, int64_t end) {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.offset_bytes < b.offset_bytes; });
    std::vector<ByteRange> gaps;
    for (const ByteRange& range : ranges_) {
      if (range.offset_bytes >= end) break;
      if (range.offset_bytes > begin) gaps.push_back({begin, range.offset_bytes - begin});
      // Of a damaged footer lengths may be anything.
      begin = std::max(begin, range.offset_bytes + std::min(range.size_bytes, end - range.offset_bytes));
    }
    if (begin < end) gaps.push_back({begin, end - begin});
    return gaps;
  }

 private:
  std::vector<ByteRange> ranges_;
};

// The first of the pages, which are one run.
const int64_t* PagesOffset(const ThriftStruct& metadata) {
  const int64_t* first = nullptr;
  for (int16_t field :
       {column_metadata::kDataPageOffset, column_metadata::kIndexPageOffset, column_metadata::kDictionaryPageOffset}) {
    const int64_t* offset = metadata.FindInt(field);
    if (offset != nullptr && *offset > 0 && (first == nullptr || *offset < *first)) first = offset;
  }
  return first;
}

void AddChunk(const ThriftStruct& chunk, Covered* covered) {
  covered->Add(chunk.FindInt(column_chunk::kColumnIndexOffset), chunk.FindInt(column_chunk::kColumnIndexLength));
  covered->Add(chunk.FindInt(column_chunk::kOffsetIndexOffset), chunk.FindInt(column_chunk::kOffsetIndexLength));
  const ThriftStruct* metadata = chunk.FindStruct(column_chunk::kMetaData);
  if (metadata == nullptr) return;
  covered->Add(PagesOffset(*metadata), metadata->FindInt(column_metadata::kTotalCompressedSize));
  covered->Add(metadata->FindInt(column_metadata::kBloomFilterOffset), metadata->FindInt(kBloomFilterLength));
}

}  // namespace

std::vector<ByteRange> FillerOf(const ThriftStruct& footer, int64_t footer_offset) {
  Covered covered;
  if (const ThriftList* groups = footer.FindList(file_metadata::kRowGroups)) {
    for (const ThriftValue& group : groups->values) {
      const auto* fields = std::get_if<ThriftStruct>(&group.data);
      const ThriftList* chunks = fields == nullptr ? nullptr : fields->FindList(row_group::kColumns);
      if (chunks == nullptr) continue;
      for (const ThriftValue& chunk : chunks->values) {
        if (const auto* one = std::get_if<ThriftStruct>(&chunk.data)) AddChunk(*one, &covered);
      }
    }
  }
  return covered.Gaps(kMagicBytes, footer_offset);
}

}  // namespace tailrace
