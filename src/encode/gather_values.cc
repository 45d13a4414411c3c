#include "encode/gather_values.h"

#include <cstring>
#include <utility>

#include <arrow/array/data.h>
#include <arrow/buffer_builder.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

#include "encode/encoded_type.h"
#include "encode/misfit.h"
#include "encode/text_source.h"

namespace tailrace {
namespace {

using Data = std::shared_ptr<arrow::ArrayData>;
using Positions = std::vector<int64_t>;

// Slots that are live and stand for a value.
Result<Validity> ValidSlots(const arrow::ArrayData& values, const Positions& positions, const Validity& live) {
  const Validity own = ValidityOf(values);
  if (!own.has_nulls()) return live;
  const auto slots = static_cast<int64_t>(positions.size());
  Validity out;
  ARROW_ASSIGN_OR_RAISE(out.bitmap, arrow::AllocateEmptyBitmap(slots));
  for (int64_t i = 0; i < slots; ++i) {
    const bool valid = live.at(i) && own.at(positions[i]);
    if (valid) arrow::bit_util::SetBit(out.bitmap->mutable_data(), i);
    out.null_count += valid ? 0 : 1;
  }
  return out.null_count == 0 ? Validity() : out;
}

Result<Data> GatherText(const arrow::ArrayData& values, const Positions& positions, const Validity& valid) {
  const TextSource source(values);
  const auto slots = static_cast<int64_t>(positions.size());
  arrow::TypedBufferBuilder<arrow::BinaryViewType::c_type> views;
  ARROW_RETURN_NOT_OK(views.Reserve(slots));
  for (int64_t i = 0; i < slots; ++i) {
    if (!valid.at(i)) {
      views.UnsafeAppend({});
      continue;
    }
    if (!source.IsInside(positions[i])) {
      return Misfit(ErrorKind::kInvalid, i, "a value of the dictionary lies outside of the batch's memory");
    }
    if (source.has_offsets() && source.At(positions[i]).size() > TextSource::kMaxViewedBytes) {
      return Misfit(ErrorKind::kLimit, i, "a value of more than 1 GiB in a dictionary: write it as a plain value");
    }
    views.UnsafeAppend(source.ViewAt(positions[i]));
  }
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, slots));
  std::vector<std::shared_ptr<arrow::Buffer>> buffers{std::move(bitmap), nullptr};
  ARROW_ASSIGN_OR_RAISE(buffers[1], views.Finish());
  for (auto& buffer : source.ViewBuffers()) buffers.push_back(std::move(buffer));
  return arrow::ArrayData::Make(IsTextKind(*values.type) ? arrow::utf8_view() : arrow::binary_view(), slots,
                                std::move(buffers), valid.null_count);
}

Result<std::shared_ptr<arrow::Buffer>> GatherBits(const arrow::ArrayData& values, const Positions& positions,
                                                  const Validity& valid) {
  ARROW_ASSIGN_OR_RAISE(auto bits, arrow::AllocateEmptyBitmap(static_cast<int64_t>(positions.size())));
  for (size_t i = 0; i < positions.size(); ++i) {
    if (!valid.at(static_cast<int64_t>(i))) continue;
    if (arrow::bit_util::GetBit(values.buffers[1]->data(), values.offset + positions[i])) {
      arrow::bit_util::SetBit(bits->mutable_data(), static_cast<int64_t>(i));
    }
  }
  return std::shared_ptr<arrow::Buffer>(std::move(bits));
}

Result<std::shared_ptr<arrow::Buffer>> GatherBytes(const arrow::ArrayData& values, const arrow::DataType& type,
                                                   const Positions& positions, const Validity& valid) {
  const int64_t width = type.byte_width();
  ARROW_ASSIGN_OR_RAISE(auto bytes, arrow::AllocateBuffer(width * static_cast<int64_t>(positions.size())));
  uint8_t* to = bytes->mutable_data();
  for (size_t i = 0; i < positions.size(); ++i, to += width) {
    if (valid.at(static_cast<int64_t>(i))) {
      std::memcpy(to, values.buffers[1]->data() + (values.offset + positions[i]) * width, width);
    } else {
      std::memset(to, 0, width);
    }
  }
  return std::shared_ptr<arrow::Buffer>(std::move(bytes));
}

Result<Data> GatherStruct(const arrow::ArrayData& values, const arrow::DataType& type, Positions positions,
                          const Validity& valid) {
  for (int64_t& position : positions) position += values.offset;
  const auto slots = static_cast<int64_t>(positions.size());
  std::vector<Data> children;
  for (const Data& child : values.child_data) {
    auto gathered = GatherValues(*child, positions, valid);
    if (!gathered.ok()) return gathered.status();
    children.push_back(*std::move(gathered));
  }
  arrow::FieldVector fields = type.fields();
  for (size_t i = 0; i < fields.size(); ++i) fields[i] = fields[i]->WithType(children[i]->type);
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, slots));
  return arrow::ArrayData::Make(arrow::struct_(std::move(fields)), slots, {std::move(bitmap)}, std::move(children),
                                valid.null_count);
}

Result<Data> GatherFixedSizeLists(const arrow::ArrayData& values, const arrow::DataType& type,
                                  const Positions& positions, const Validity& valid) {
  const int32_t size = arrow::internal::checked_cast<const arrow::FixedSizeListType&>(type).list_size();
  const auto slots = static_cast<int64_t>(positions.size());
  Positions below;
  below.reserve(positions.size() * size);
  for (int64_t position : positions) {
    for (int64_t k = 0; k < size; ++k) below.push_back((values.offset + position) * size + k);
  }
  ARROW_ASSIGN_OR_RAISE(const Validity live, Repeat(valid, slots, size));
  ARROW_ASSIGN_OR_RAISE(auto child, GatherValues(*values.child_data[0], below, live));
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, slots));
  auto gathered = arrow::fixed_size_list(type.field(0)->WithType(child->type), size);
  return arrow::ArrayData::Make(std::move(gathered), slots, {std::move(bitmap)}, {std::move(child)}, valid.null_count);
}

template <typename Offset>
Result<Data> GatherLists(const arrow::ArrayData& values, const arrow::DataType& type, const Positions& positions,
                         const Validity& valid) {
  const auto* from = values.GetValues<Offset>(1);
  const auto slots = static_cast<int64_t>(positions.size());
  arrow::TypedBufferBuilder<int64_t> offsets;
  ARROW_RETURN_NOT_OK(offsets.Reserve(slots + 1));
  Positions below;
  for (int64_t i = 0; i < slots; ++i) {
    offsets.UnsafeAppend(static_cast<int64_t>(below.size()));
    if (!valid.at(i)) continue;
    for (int64_t k = from[positions[i]]; k < from[positions[i] + 1]; ++k) below.push_back(k);
  }
  offsets.UnsafeAppend(static_cast<int64_t>(below.size()));
  ARROW_ASSIGN_OR_RAISE(auto child, GatherValues(*values.child_data[0], below, Validity()));
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, slots));
  ARROW_ASSIGN_OR_RAISE(auto offset_bytes, offsets.Finish());
  // A map stays one in name only where it is taken for a list of entries.
  auto gathered = arrow::large_list(type.field(0)->WithType(child->type));
  return arrow::ArrayData::Make(std::move(gathered), slots, {std::move(bitmap), std::move(offset_bytes)},
                                {std::move(child)}, valid.null_count);
}

}  // namespace

Result<Data> GatherValues(const arrow::ArrayData& values, const Positions& positions, const Validity& live) {
  const arrow::DataType* type = values.type.get();
  if (type->id() == arrow::Type::EXTENSION) {
    type = arrow::internal::checked_cast<const arrow::ExtensionType&>(*type).storage_type().get();
  }
  const auto slots = static_cast<int64_t>(positions.size());
  if (values.length == 0 || type->id() == arrow::Type::NA) {
    // Then no slot has a value, and there are no buffers to look at.
    return arrow::ArrayData::Make(arrow::null(), slots, {nullptr}, slots);
  }
  ARROW_ASSIGN_OR_RAISE(const Validity valid, ValidSlots(values, positions, live));
  switch (type->id()) {
    case arrow::Type::STRUCT:
      return GatherStruct(values, *type, positions, valid);
    case arrow::Type::FIXED_SIZE_LIST:
      return GatherFixedSizeLists(values, *type, positions, valid);
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      return GatherLists<int32_t>(values, *type, positions, valid);
    case arrow::Type::LARGE_LIST:
      return GatherLists<int64_t>(values, *type, positions, valid);
    default:
      break;
  }
  if (IsTextKind(*type) || IsBytesKind(*type)) {
    arrow::ArrayData plain = values;
    plain.type = type == values.type.get() ? values.type : type->GetSharedPtr();
    return GatherText(plain, positions, valid);
  }
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, slots));
  ARROW_ASSIGN_OR_RAISE(auto bytes, type->id() == arrow::Type::BOOL ? GatherBits(values, positions, valid)
                                                                    : GatherBytes(values, *type, positions, valid));
  return arrow::ArrayData::Make(type->GetSharedPtr(), slots, {std::move(bitmap), std::move(bytes)}, valid.null_count);
}

}  // namespace tailrace
