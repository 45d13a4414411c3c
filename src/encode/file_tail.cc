#include "encode/file_tail.h"

#include <limits>
#include <utility>

#include <arrow/buffer.h>

#include "encode/footer_key_values.h"
#include "encode/parquet_fields.h"
#include "encode/parquet_file.h"
#include "encode/parquet_relocate.h"
#include "encode/thrift_compact.h"

namespace tailrace {
namespace {

constexpr size_t kMaxRowGroups = std::numeric_limits<int16_t>::max();

Status InGroup(const Status& status, size_t group) {
  return MakeError(ErrorKind::kBadState, "row group " + std::to_string(group) + ": " + status.message());
}

// Where the pieces of the tail come to lie: all column indexes, then all offset indexes.
class TailLayout {
 public:
  TailLayout(const ParquetContent& content, int64_t tail_offset)
      : column_index_end_(tail_offset), offset_index_end_(tail_offset) {
    for (const RowGroupEntry& entry : content.row_groups) {
      for (const ColumnIndexBytes& index : entry.indexes) {
        offset_index_end_ += static_cast<int64_t>(index.column_index.size());
      }
    }
  }

  // The thrift RowGroup at its place; its indexes are appended to the run of indexes.
  Result<std::string> Place(const RowGroupEntry& entry, size_t ordinal) {
    ARROW_ASSIGN_OR_RAISE(ThriftStruct group, DecodeThrift(entry.metadata));
    const int64_t* rows = group.FindInt(row_group::kNumRows);
    if (rows == nullptr || *rows != entry.rows) return MakeError(ErrorKind::kBadState, "its metadata has other rows");
    ARROW_RETURN_NOT_OK(ShiftRowGroup(&group, shift_));
    group.Set(row_group::kOrdinal, ThriftValue::I16(static_cast<int64_t>(ordinal)));
    auto& columns = group.FindList(row_group::kColumns)->values;
    if (columns.size() != entry.indexes.size()) {
      return MakeError(ErrorKind::kBadState, "it has " + std::to_string(columns.size()) + " columns and indexes of " +
                                                 std::to_string(entry.indexes.size()));
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      ARROW_RETURN_NOT_OK(PlaceIndexes(entry.indexes[i], &std::get<ThriftStruct>(columns[i].data)));
    }
    shift_ += entry.size_bytes;
    return EncodeThrift(group);
  }

  ByteSlices TakeIndexes() {
    ByteSlices out;
    if (!column_indexes_.empty()) out.Append(ByteSlice::Copy(std::move(column_indexes_)));
    if (!offset_indexes_.empty()) out.Append(ByteSlice::Copy(std::move(offset_indexes_)));
    return out;
  }

 private:
  Status PlaceIndexes(const ColumnIndexBytes& index, ThriftStruct* chunk) {
    if (!index.column_index.empty()) {
      const auto size = static_cast<int64_t>(index.column_index.size());
      chunk->Set(column_chunk::kColumnIndexOffset, ThriftValue::I64(column_index_end_));
      chunk->Set(column_chunk::kColumnIndexLength, ThriftValue::I32(size));
      column_indexes_ += index.column_index;
      column_index_end_ += size;
    }
    if (!index.offset_index.empty()) {
      ARROW_ASSIGN_OR_RAISE(ThriftStruct tree, DecodeThrift(index.offset_index));
      ARROW_RETURN_NOT_OK(ShiftOffsetIndex(&tree, shift_));
      const std::string shifted = EncodeThrift(tree);
      const auto size = static_cast<int64_t>(shifted.size());
      chunk->Set(column_chunk::kOffsetIndexOffset, ThriftValue::I64(offset_index_end_));
      chunk->Set(column_chunk::kOffsetIndexLength, ThriftValue::I32(size));
      offset_indexes_ += shifted;
      offset_index_end_ += size;
    }
    return Status::OK();
  }

  int64_t shift_ = 0;  // of the row group to be placed next
  int64_t column_index_end_;
  int64_t offset_index_end_;
  std::string column_indexes_;
  std::string offset_indexes_;
};

Status TooLarge(int64_t bytes) {
  return MakeError(ErrorKind::kLimit, "the footer takes " + std::to_string(bytes) + " bytes, Parquet allows " +
                                          std::to_string(kMaxFooterBytes) +
                                          ": raise row_group_bytes and row_group_rows or checkpoint less often");
}

std::string Trailer(const std::string& footer) {
  std::string out;
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>(footer.size() >> (8 * i)));
  out += kFileMagic;
  return out;
}

}  // namespace

ByteSlices FileHead() { return ByteSlices(ByteSlice::Copy(std::string(kFileMagic))); }

Result<FileTail> BuildTail(const ParquetContent& content, FileEnd end, std::optional<int64_t> tail_offset) {
  if (content.row_groups.size() > kMaxRowGroups) {
    return MakeError(ErrorKind::kLimit, std::to_string(content.row_groups.size()) + " row groups, Parquet allows " +
                                            std::to_string(kMaxRowGroups) +
                                            ": raise row_group_bytes and row_group_rows or checkpoint less often");
  }
  TailLayout layout(content, tail_offset.value_or(kFileMagicBytes + content.data_bytes()));
  std::string groups = EncodeThriftListHeader(ThriftType::kStruct, content.row_groups.size());
  for (size_t i = 0; i < content.row_groups.size(); ++i) {
    auto group = layout.Place(content.row_groups[i], i);
    if (!group.ok()) return InGroup(group.status(), i);
    groups += *group;
    if (static_cast<int64_t>(groups.size()) > kMaxFooterBytes) return TooLarge(static_cast<int64_t>(groups.size()));
  }
  auto decoded = DecodeThrift(content.footer_template);
  if (!decoded.ok()) return MakeError(ErrorKind::kBadState, "the footer template: " + decoded.status().message());
  ThriftStruct& footer = *decoded;
  footer.Set(file_metadata::kNumRows, ThriftValue::I64(content.rows()));
  footer.Set(file_metadata::kRowGroups, ThriftValue::Encoded(ThriftType::kList, std::move(groups)));
  AppendKeyValues({{kDigestKey, HexOf(content.digest)}, {kEndKey, end == FileEnd::kClose ? "close" : "finish"}},
                  &footer);

  FileTail tail;
  tail.footer = EncodeThrift(footer);
  if (static_cast<int64_t>(tail.footer.size()) > kMaxFooterBytes) {
    return TooLarge(static_cast<int64_t>(tail.footer.size()));
  }
  tail.bytes = layout.TakeIndexes();
  tail.bytes.Append(ByteSlice::Copy(tail.footer));
  tail.bytes.Append(ByteSlice::Copy(Trailer(tail.footer)));
  return tail;
}

std::function<Result<ByteSlices>(int64_t)> TailOf(const ParquetContent& content, FileEnd end) {
  return [&content, end](int64_t tail_offset) -> Result<ByteSlices> {
    ARROW_ASSIGN_OR_RAISE(FileTail tail, BuildTail(content, end, tail_offset));
    return std::move(tail.bytes);
  };
}

int64_t TailBytesBound(const RowGroupEntry& entry) {
  // A zigzag varint that held an offset, at least one byte, may come to hold one of up to 9 bytes (62 bits).
  constexpr int64_t kGrowth = 8;
  // Header byte and varint of file, data, dictionary, index page and bloom filter offset grow; offset and length of
  // both indexes are new.
  constexpr int64_t kChunkGrowth = 5 * kGrowth + 4 * (1 + 9);
  // A page location is three fields with a header each and a stop byte.
  constexpr int64_t kLocationBytes = 7;
  int64_t bytes = static_cast<int64_t>(entry.metadata.size()) + 2 * kGrowth;
  for (const ColumnIndexBytes& index : entry.indexes) {
    const auto offsets = static_cast<int64_t>(index.offset_index.size());
    bytes +=
        kChunkGrowth + static_cast<int64_t>(index.column_index.size()) + offsets + offsets / kLocationBytes * kGrowth;
  }
  return bytes;
}

int64_t TailBytesBound(const ParquetContent& content) {
  constexpr int64_t kFixed = 256;  // metadata that is appended, row count, list header, trailer
  int64_t bytes = kFixed + static_cast<int64_t>(content.footer_template.size());
  for (const RowGroupEntry& entry : content.row_groups) bytes += TailBytesBound(entry);
  return bytes;
}

}  // namespace tailrace
