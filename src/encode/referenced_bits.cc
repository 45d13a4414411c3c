#include "encode/referenced_bits.h"

#include <arrow/array/array_base.h>
#include <arrow/array/data.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/util/binary_view_util.h>
#include <arrow/util/checked_cast.h>

#include "encode/recutter.h"
#include "encode/valid_runs.h"

namespace tailrace {
namespace {

// What a slot below a list costs beside its value, while its levels are made.
constexpr int64_t kLevelBits = 8;

int64_t Bits(const arrow::ArrayData& data, const arrow::DataType& type, int64_t offset, int64_t rows, bool repeated);

// Of one run of slots without nulls: what their offsets span.
template <typename Offset, typename OfSpan>
int64_t SpanBits(const arrow::ArrayData& data, int64_t offset, int64_t rows, OfSpan&& of_span) {
  const auto* offsets = data.GetValues<Offset>(1);
  int64_t bits = 0;
  VisitValidRuns(data, offset, rows, [&](int64_t first, int64_t count) {
    bits += of_span(static_cast<int64_t>(offsets[first]), static_cast<int64_t>(offsets[first + count]));
  });
  return bits;
}

template <typename Offset>
int64_t BinaryBits(const arrow::ArrayData& data, int64_t offset, int64_t rows) {
  return SpanBits<Offset>(data, offset, rows, [](int64_t begin, int64_t end) { return 8 * (end - begin); });
}

template <typename Offset>
int64_t ListBits(const arrow::ArrayData& data, const arrow::DataType& type, int64_t offset, int64_t rows) {
  const arrow::ArrayData& child = *data.child_data[0];
  const arrow::DataType& child_type = *type.field(0)->type();
  return SpanBits<Offset>(data, offset, rows, [&](int64_t begin, int64_t end) {
    return Bits(child, child_type, begin, end - begin, true);
  });
}

int64_t FixedSizeListBits(const arrow::ArrayData& data, const arrow::DataType& type, int64_t offset, int64_t rows) {
  const int64_t size = arrow::internal::checked_cast<const arrow::FixedSizeListType&>(type).list_size();
  int64_t bits = 0;
  VisitValidRuns(data, offset, rows, [&](int64_t first, int64_t count) {
    bits += Bits(*data.child_data[0], *type.field(0)->type(), (data.offset + first) * size, count * size, true);
  });
  return bits;
}

int64_t StructBits(const arrow::ArrayData& data, const arrow::DataType& type, int64_t offset, int64_t rows,
                   bool repeated) {
  int64_t bits = 0;
  VisitValidRuns(data, offset, rows, [&](int64_t first, int64_t count) {
    for (int i = 0; i < type.num_fields(); ++i) {
      bits += Bits(*data.child_data[i], *type.field(i)->type(), data.offset + first, count, repeated);
    }
  });
  return bits;
}

int64_t ViewBits(const arrow::ArrayData& data, int64_t offset, int64_t rows) {
  const auto* views = data.GetValues<arrow::BinaryViewType::c_type>(1);
  int64_t bytes = 0;
  VisitValidRuns(data, offset, rows, [&](int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; ++i) bytes += views[i].size();
  });
  return 8 * bytes;
}

int64_t Bits(const arrow::ArrayData& data, const arrow::DataType& type, int64_t offset, int64_t rows, bool repeated) {
  const int64_t leaf = rows * (1 + (repeated ? kLevelBits : 0));
  switch (type.id()) {
    case arrow::Type::NA:
      return leaf;
    case arrow::Type::EXTENSION: {
      const auto& extension = arrow::internal::checked_cast<const arrow::ExtensionType&>(type);
      return Bits(data, *extension.storage_type(), offset, rows, repeated);
    }
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return leaf + 32 * rows + BinaryBits<int32_t>(data, offset, rows);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return leaf + 64 * rows + BinaryBits<int64_t>(data, offset, rows);
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return leaf + 128 * rows + ViewBits(data, offset, rows);
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      return 33 * rows + ListBits<int32_t>(data, type, offset, rows);
    case arrow::Type::LARGE_LIST:
      return 65 * rows + ListBits<int64_t>(data, type, offset, rows);
    case arrow::Type::FIXED_SIZE_LIST:
      return rows + FixedSizeListBits(data, type, offset, rows);
    case arrow::Type::STRUCT:
      return rows + StructBits(data, type, offset, rows, repeated);
    default:
      return leaf + rows * type.bit_width();
  }
}

}  // namespace

int64_t ReferencedBits(const arrow::ArrayData& data, int64_t offset, int64_t rows) {
  return Bits(data, *data.type, offset, rows, false);
}

int64_t ReferencedBits(const arrow::Array& array, int64_t offset, int64_t rows) {
  return ReferencedBits(*array.data(), offset, rows);
}

}  // namespace tailrace
