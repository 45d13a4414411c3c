#include "encode/row_size.h"

#include <algorithm>
#include <string>

#include <arrow/array/data.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

#include "encode/misfit.h"
#include "encode/valid_runs.h"

namespace tailrace {
namespace {

// Bounds from above what the largest Parquet column below `data` takes in a page, plain encoded. Null slots count as
// others do. A length goes before each text, a byte bounds the levels of a slot below a list.
int64_t LargestColumn(const arrow::ArrayData& data, const arrow::DataType& type, int64_t offset, int64_t slots,
                      bool repeated);

template <typename Offset>
int64_t TextBytes(const arrow::ArrayData& data, int64_t offset, int64_t slots) {
  const auto* offsets = data.GetValues<Offset>(1);
  return static_cast<int64_t>(offsets[offset + slots] - offsets[offset]);
}

int64_t ViewBytes(const arrow::ArrayData& data, int64_t offset, int64_t slots) {
  const auto* views = data.GetValues<arrow::BinaryViewType::c_type>(1);
  int64_t bytes = 0;
  // A null view may hold anything.
  VisitValidRuns(data, offset, slots, [&](int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; ++i) bytes += views[i].size();
  });
  return bytes;
}

template <typename Offset>
int64_t ListBytes(const arrow::ArrayData& data, const arrow::DataType& type, int64_t offset, int64_t slots) {
  const auto* offsets = data.GetValues<Offset>(1) + offset;
  const auto values = static_cast<int64_t>(offsets[slots] - offsets[0]);
  // An empty or null list has levels too.
  return slots + LargestColumn(*data.child_data[0], *type.field(0)->type(), static_cast<int64_t>(offsets[0]), values,
                               /*repeated=*/true);
}

int64_t LargestColumn(const arrow::ArrayData& data, const arrow::DataType& type, int64_t offset, int64_t slots,
                      bool repeated) {
  if (slots == 0) return 0;
  const int64_t levels = repeated ? slots : 0;
  switch (type.id()) {
    case arrow::Type::NA:
      return levels;
    case arrow::Type::EXTENSION: {
      const auto& extension = arrow::internal::checked_cast<const arrow::ExtensionType&>(type);
      return LargestColumn(data, *extension.storage_type(), offset, slots, repeated);
    }
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return levels + 4 * slots + TextBytes<int32_t>(data, offset, slots);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return levels + 4 * slots + TextBytes<int64_t>(data, offset, slots);
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return levels + 4 * slots + ViewBytes(data, offset, slots);
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      return ListBytes<int32_t>(data, type, offset, slots);
    case arrow::Type::LARGE_LIST:
      return ListBytes<int64_t>(data, type, offset, slots);
    case arrow::Type::FIXED_SIZE_LIST: {
      const int64_t size = arrow::internal::checked_cast<const arrow::FixedSizeListType&>(type).list_size();
      return slots + LargestColumn(*data.child_data[0], *type.field(0)->type(), (data.offset + offset) * size,
                                   slots * size, /*repeated=*/true);
    }
    case arrow::Type::STRUCT: {
      int64_t largest = 0;
      for (int i = 0; i < type.num_fields(); ++i) {
        largest = std::max(
            largest, LargestColumn(*data.child_data[i], *type.field(i)->type(), data.offset + offset, slots, repeated));
      }
      return levels + largest;
    }
    default:
      // Small integers are stored as 32 bits.
      return levels + slots * std::max(4, (type.bit_width() + 7) / 8);
  }
}

}  // namespace

Status CheckRowSizes(const arrow::ArrayData& data, int64_t max_row_bytes) {
  if (LargestColumn(data, *data.type, 0, data.length, false) <= max_row_bytes) return Status::OK();
  for (int64_t i = 0; i < data.length; ++i) {
    const int64_t bytes = LargestColumn(data, *data.type, i, 1, false);
    if (bytes > max_row_bytes) {
      return Misfit(
          ErrorKind::kLimit, i,
          "the row needs " + std::to_string(bytes) + " bytes, a Parquet page holds " + std::to_string(max_row_bytes));
    }
  }
  return Status::OK();
}

}  // namespace tailrace
