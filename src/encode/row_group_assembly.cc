#include "encode/row_group_assembly.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "encode/parquet_fields.h"
#include "encode/parquet_relocate.h"
#include "encode/thrift_compact.h"

namespace tailrace {
namespace {

Status Unexpected(const std::string& what) { return MakeError(ErrorKind::kInternal, "Parquet encoder: " + what); }

ThriftValue Boolean(bool value) { return {value ? ThriftType::kTrue : ThriftType::kFalse, int64_t{value}}; }

void AddSortingColumns(const ParquetOptions& options, const std::vector<LeafColumn>& leaves, ThriftStruct* row_group) {
  if (options.sorting_columns.empty()) return;
  ThriftList list{.element = ThriftType::kStruct};
  for (const SortingColumn& column : options.sorting_columns) {
    const auto leaf = std::find_if(leaves.begin(), leaves.end(), [&](const auto& l) { return l.path == column.path; });
    ThriftStruct out;
    out.Set(sorting_column::kColumn, ThriftValue::I32(leaf - leaves.begin()));
    out.Set(sorting_column::kDescending, Boolean(column.descending));
    out.Set(sorting_column::kNullsFirst, Boolean(column.nulls_first));
    list.values.push_back(ThriftValue::Struct(std::move(out)));
  }
  row_group->Set(row_group::kSortingColumns, ThriftValue::List(std::move(list)));
}

// Where a part comes to lie, beyond where it lay as a file of its own.
struct Shift {
  int64_t pages = 0;
  int64_t filters = 0;
};

Status ShiftPart(const Shift& by, EncodedColumns* part) {
  if (by.pages != 0) {
    ARROW_RETURN_NOT_OK(ShiftRowGroup(&part->row_group, by.pages));
    for (ColumnIndexBytes& index : part->indexes) {
      if (index.offset_index.empty()) continue;
      ARROW_ASSIGN_OR_RAISE(ThriftStruct tree, DecodeThrift(index.offset_index));
      ARROW_RETURN_NOT_OK(ShiftOffsetIndex(&tree, by.pages));
      index.offset_index = EncodeThrift(tree);
    }
  }
  return by.filters == by.pages ? Status::OK() : ShiftBloomFilters(&part->row_group, by.filters - by.pages);
}

Status AddTo(int16_t id, const ThriftStruct& part, ThriftStruct* row_group) {
  const int64_t* more = part.FindInt(id);
  int64_t* sum = row_group->FindInt(id);
  if (more == nullptr || sum == nullptr) return Unexpected("a row group without its size");
  *sum += *more;
  return Status::OK();
}

// Appends the columns of `part` to those of `row_group`.
Status Join(ThriftStruct part, ThriftStruct* row_group) {
  const int64_t* rows = row_group->FindInt(row_group::kNumRows);
  const int64_t* part_rows = part.FindInt(row_group::kNumRows);
  if (rows == nullptr || part_rows == nullptr || *rows != *part_rows) return Unexpected("columns of different lengths");
  ARROW_RETURN_NOT_OK(AddTo(row_group::kTotalByteSize, part, row_group));
  ARROW_RETURN_NOT_OK(AddTo(row_group::kTotalCompressedSize, part, row_group));
  auto& from = part.FindList(row_group::kColumns)->values;
  auto& to = row_group->FindList(row_group::kColumns)->values;
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  return Status::OK();
}

template <typename T>
void Append(std::vector<T> from, std::vector<T>* to) {
  to->insert(to->end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Result<EncodedRowGroup> AssembleRowGroup(std::vector<EncodedColumns> parts, const std::vector<LeafColumn>& leaves,
                                         const ParquetOptions& options) {
  int64_t pages = 0;
  for (const EncodedColumns& part : parts) pages += part.pages.size();
  EncodedRowGroup out;
  ByteSlices filters;
  ThriftStruct row_group;
  for (EncodedColumns& part : parts) {
    const Shift by{.pages = out.bytes.size(), .filters = pages + filters.size() - part.pages.size()};
    ARROW_RETURN_NOT_OK(ShiftPart(by, &part));
    const bool first = &part == &parts.front();
    if (first) row_group = std::move(part.row_group);
    if (!first) ARROW_RETURN_NOT_OK(Join(std::move(part.row_group), &row_group));
    out.bytes.Append(part.pages);
    filters.Append(part.filters);
    Append(std::move(part.indexes), &out.entry.indexes);
  }
  const int64_t* rows = row_group.FindInt(row_group::kNumRows);
  if (rows == nullptr || out.entry.indexes.size() != leaves.size()) return Unexpected("a row group without columns");
  out.bytes.Append(filters);
  AddSortingColumns(options, leaves, &row_group);
  out.entry.rows = *rows;
  out.entry.size_bytes = out.bytes.size();
  out.entry.metadata = EncodeThrift(row_group);
  return out;
}

}  // namespace tailrace
