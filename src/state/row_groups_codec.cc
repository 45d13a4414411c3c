#include "state/row_groups_codec.h"

#include "state/choices_codec.h"
#include "state/packed_bytes.h"
#include "state/wire.h"

namespace tailrace {
namespace {

// Rows, size and length of the metadata take at least a byte each, and so do the lengths of both indexes.
constexpr int64_t kMinRowGroupBytes = 3;
constexpr int64_t kMinIndexBytes = 2;

using IndexPart = std::string ColumnIndexBytes::*;
constexpr IndexPart kIndexParts[] = {&ColumnIndexBytes::column_index, &ColumnIndexBytes::offset_index};

Status Malformed(const std::string& path, std::string_view column) {
  return MakeError(ErrorKind::kBadState, path + ": " + std::string(column) + ": cut short or malformed");
}

bool ReadLengths(WireReader* wire, size_t count, std::vector<int64_t>* lengths) {
  lengths->resize(count);
  for (int64_t& length : *lengths) {
    if (!wire->ReadSize(&length)) return false;
  }
  return true;
}

bool ReadMetadata(WireReader* wire, std::vector<RowGroupEntry>* row_groups) {
  std::vector<int64_t> lengths;
  if (!ReadLengths(wire, row_groups->size(), &lengths)) return false;
  for (size_t i = 0; i < lengths.size(); ++i) {
    std::string_view metadata;
    if (!wire->ReadBytes(lengths[i], &metadata)) return false;
    (*row_groups)[i].metadata = metadata;
  }
  return true;
}

bool ReadIndexes(WireReader* wire, const std::vector<int64_t>& lengths, IndexPart part,
                 std::vector<RowGroupEntry>* row_groups) {
  auto length = lengths.begin();
  for (RowGroupEntry& group : *row_groups) {
    for (ColumnIndexBytes& index : group.indexes) {
      std::string_view bytes;
      if (!wire->ReadBytes(*length++, &bytes)) return false;
      index.*part = bytes;
    }
  }
  return true;
}

// Thrift takes far more than this for a column chunk. Keeps a small input from asking for a large number of entries.
constexpr int64_t kMinChunkMetadataBytes = 8;

Status CheckMetadataHolds(int64_t chunks, const std::vector<RowGroupEntry>& row_groups, const std::string& path) {
  for (const RowGroupEntry& group : row_groups) {
    if (chunks > static_cast<int64_t>(group.metadata.size()) / kMinChunkMetadataBytes) {
      return MakeError(ErrorKind::kBadState, path + ": metadata: " + std::to_string(group.metadata.size()) +
                                                 " bytes cannot describe " + std::to_string(chunks) + " column chunks");
    }
  }
  return Status::OK();
}

}  // namespace

std::string EncodeRowGroups(const std::vector<RowGroupEntry>& row_groups) {
  std::string list;
  PutVarint(row_groups.size(), &list);
  PutVarint(row_groups.empty() ? 0 : row_groups[0].indexes.size(), &list);
  PutVarint(row_groups.empty() || row_groups[0].choices.empty() ? 0 : 1, &list);
  for (const RowGroupEntry& group : row_groups) PutVarint(static_cast<uint64_t>(group.rows), &list);
  for (const RowGroupEntry& group : row_groups) PutVarint(static_cast<uint64_t>(group.size_bytes), &list);
  for (const RowGroupEntry& group : row_groups) PutVarint(group.metadata.size(), &list);
  for (const RowGroupEntry& group : row_groups) list.append(group.metadata);
  for (IndexPart part : kIndexParts) {
    for (const RowGroupEntry& group : row_groups) {
      for (const ColumnIndexBytes& index : group.indexes) PutVarint((index.*part).size(), &list);
    }
  }
  for (IndexPart part : kIndexParts) {
    for (const RowGroupEntry& group : row_groups) {
      for (const ColumnIndexBytes& index : group.indexes) list.append(index.*part);
    }
  }
  PutChoices(row_groups, &list);
  return PackBytes(list);
}

Result<std::vector<RowGroupEntry>> DecodeRowGroups(std::string_view packed, const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const std::string list, UnpackBytes(packed, path));
  WireReader wire(list);
  int64_t count, chunks, chosen;
  if (!wire.ReadSize(&count) || !wire.ReadSize(&chunks) || !wire.ReadSize(&chosen) || chosen > (count == 0 ? 0 : 1) ||
      count > wire.remaining() / kMinRowGroupBytes ||
      chunks > (count == 0 ? 0 : wire.remaining() / count / kMinIndexBytes)) {
    return Malformed(path, "count");
  }
  std::vector<RowGroupEntry> row_groups(static_cast<size_t>(count));
  for (RowGroupEntry& group : row_groups) {
    if (!wire.ReadSize(&group.rows)) return Malformed(path, "rows");
  }
  for (RowGroupEntry& group : row_groups) {
    if (!wire.ReadSize(&group.size_bytes)) return Malformed(path, "sizes");
  }
  if (!ReadMetadata(&wire, &row_groups)) return Malformed(path, "metadata");
  ARROW_RETURN_NOT_OK(CheckMetadataHolds(chunks, row_groups, path));

  std::vector<int64_t> lengths[2];
  const size_t indexes = row_groups.size() * static_cast<size_t>(chunks);
  if (!ReadLengths(&wire, indexes, &lengths[0])) return Malformed(path, "column index lengths");
  if (!ReadLengths(&wire, indexes, &lengths[1])) return Malformed(path, "offset index lengths");
  for (RowGroupEntry& group : row_groups) group.indexes.resize(static_cast<size_t>(chunks));
  if (!ReadIndexes(&wire, lengths[0], kIndexParts[0], &row_groups)) return Malformed(path, "column indexes");
  if (!ReadIndexes(&wire, lengths[1], kIndexParts[1], &row_groups)) return Malformed(path, "offset indexes");
  if (chosen == 1) {
    for (RowGroupEntry& group : row_groups) group.choices.resize(static_cast<size_t>(chunks));
    ARROW_RETURN_NOT_OK(ReadChoices(&wire, path, &row_groups));
  }
  if (wire.remaining() > 0) {
    return MakeError(ErrorKind::kBadState, path + ": " + std::to_string(wire.remaining()) + " bytes too many");
  }
  return row_groups;
}

}  // namespace tailrace
