#include "encode/array_adapter.h"

#include <utility>
#include <vector>

#include <arrow/array/array_base.h>
#include <arrow/array/util.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

#include "encode/dictionary_decode.h"
#include "encode/encoded_type.h"
#include "encode/list_slots.h"
#include "encode/misfit.h"
#include "encode/text_values.h"
#include "encode/value_range.h"

namespace tailrace {
namespace {

using arrow::internal::checked_cast;
using Data = std::shared_ptr<arrow::ArrayData>;

const std::shared_ptr<arrow::DataType>& StorageOf(const std::shared_ptr<arrow::DataType>& type) {
  if (type->id() != arrow::Type::EXTENSION) return type;
  return checked_cast<const arrow::ExtensionType&>(*type).storage_type();
}

// A flat array: buffers stay, the bitmap becomes that of `valid`.
Result<Data> AdaptFlat(const Data& data, const std::shared_ptr<arrow::DataType>& storage, const Validity& valid) {
  Data values = data;
  if (IsTextKind(*storage) || IsBytesKind(*storage)) {
    ARROW_RETURN_NOT_OK(CheckTextValues(*data, valid, IsTextKind(*storage)));
    if (data->type->id() != storage->id()) return ConvertTextValues(*data, valid, storage);
  } else {
    ARROW_RETURN_NOT_OK(CheckValueRange(*data, *storage, valid));
  }
  const Validity own = ValidityOf(*data);
  const bool counted = storage->id() == arrow::Type::NA || data->GetNullCount() == valid.null_count;
  if (counted && own.bitmap == valid.bitmap && own.bit_offset == valid.bit_offset) return values;
  values = data->Copy();
  ARROW_ASSIGN_OR_RAISE(values->buffers[0], BitmapAt(valid, data->offset, data->length));
  values->SetNullCount(valid.null_count);
  return values;
}

Result<Data> AdaptStruct(const Data& data, const std::shared_ptr<arrow::DataType>& storage, const Validity& valid) {
  std::vector<Data> children;
  for (int i = 0; i < storage->num_fields(); ++i) {
    auto child = AdaptArray(data->child_data[i]->Slice(data->offset, data->length), *storage->field(i), valid);
    if (!child.ok()) {
      return LiftMisfit(child.status(), ChildPath("", *storage, i), [](int64_t slot) { return slot; });
    }
    children.push_back(*std::move(child));
  }
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, data->length));
  return arrow::ArrayData::Make(storage, data->length, {std::move(bitmap)}, std::move(children), valid.null_count);
}

Result<Data> AdaptFixedSizeList(const Data& data, const std::shared_ptr<arrow::DataType>& storage,
                                const Validity& valid) {
  const int64_t size = checked_cast<const arrow::FixedSizeListType&>(*storage).list_size();
  if ((data->offset + data->length) * size > data->child_data[0]->length) {
    return Misfit(ErrorKind::kInvalid, 0, "the lists lie outside of the batch's memory");
  }
  ARROW_ASSIGN_OR_RAISE(const Validity live, Repeat(valid, data->length, size));
  auto child =
      AdaptArray(data->child_data[0]->Slice(data->offset * size, data->length * size), *storage->field(0), live);
  if (!child.ok()) {
    return LiftMisfit(child.status(), ChildPath("", *storage, 0), [&](int64_t slot) { return slot / size; });
  }
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, data->length));
  return arrow::ArrayData::Make(storage, data->length, {std::move(bitmap)}, {*std::move(child)}, valid.null_count);
}

Result<Data> AdaptList(const Data& data, const std::shared_ptr<arrow::DataType>& storage, const Validity& valid) {
  ARROW_ASSIGN_OR_RAISE(ListSlots slots, CompactLists(*data, valid, storage->id() == arrow::Type::LARGE_LIST));
  auto child = AdaptArray(slots.values, *storage->field(0), Validity());
  if (!child.ok()) {
    return LiftMisfit(child.status(), ChildPath("", *storage, 0), [&](int64_t value) { return slots.SlotOf(value); });
  }
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, data->length));
  return arrow::ArrayData::Make(storage, data->length, {std::move(bitmap), std::move(slots.offsets)},
                                {*std::move(child)}, valid.null_count);
}

Result<Data> AdaptValid(const Data& data, const std::shared_ptr<arrow::DataType>& storage, const Validity& valid) {
  switch (storage->id()) {
    case arrow::Type::NA:
      return data;
    case arrow::Type::STRUCT:
      return AdaptStruct(data, storage, valid);
    case arrow::Type::FIXED_SIZE_LIST:
      return AdaptFixedSizeList(data, storage, valid);
    case arrow::Type::LIST:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::MAP:
      return AdaptList(data, storage, valid);
    default:
      return AdaptFlat(data, storage, valid);
  }
}

constexpr char kNullInNonNull[] = "a null in a column that is declared not null";

// A column of type null.
Result<Data> AdaptNulls(int64_t slots, const arrow::Field& to, const Validity& live) {
  ARROW_ASSIGN_OR_RAISE(const Validity none, Validity::NoneOf(slots));
  if (!to.nullable() && slots > live.null_count) {
    return Misfit(ErrorKind::kInvalid, FirstMissing(live, none, slots), kNullInNonNull);
  }
  ARROW_ASSIGN_OR_RAISE(auto nulls, arrow::MakeArrayOfNull(StorageOf(to.type()), slots));
  // Once more, with no live slot: below it, what is not nullable must not have a bitmap.
  return AdaptArray(nulls->data(), to, none);
}

Result<Data> AdaptSlots(const Data& data, const arrow::Field& to, const Validity& live) {
  const std::shared_ptr<arrow::DataType>& storage = StorageOf(to.type());
  if (data->type->id() == arrow::Type::NA && storage->id() != arrow::Type::NA) {
    return AdaptNulls(data->length, to, live);
  }
  ARROW_ASSIGN_OR_RAISE(const Validity valid, Intersect(ValidityOf(*data), live, data->length));
  if (to.nullable() || storage->id() == arrow::Type::NA) return AdaptValid(data, storage, valid);
  if (valid.null_count > live.null_count) {
    return Misfit(ErrorKind::kInvalid, FirstMissing(live, valid, data->length), kNullInNonNull);
  }
  ARROW_ASSIGN_OR_RAISE(auto adapted, AdaptValid(data, storage, live));
  if (adapted->buffers[0] == nullptr) return adapted;
  // libparquet refuses nulls here even where a null parent hides them.
  if (adapted == data) adapted = data->Copy();
  adapted->buffers[0] = nullptr;
  adapted->SetNullCount(0);
  return adapted;
}

// A dictionary of nested or extended values.
Result<Data> AdaptDictionary(const arrow::ArrayData& data, const arrow::Field& to, const Validity& live) {
  const auto values = to.WithNullable(true);
  ARROW_ASSIGN_OR_RAISE(auto decoded, DecodeDictionary(data, live, [&](const Data& dictionary, const Validity& used) {
                          return AdaptArray(dictionary, *values, used);
                        }));
  return AdaptArray(decoded, to, live);
}

}  // namespace

Result<Data> AdaptArray(const Data& data, const arrow::Field& to, const Validity& live) {
  Data plain = data;
  if (data->type->id() == arrow::Type::EXTENSION) {
    plain = data->Copy();
    plain->type = StorageOf(data->type);
  }
  if (plain->type->id() == arrow::Type::DICTIONARY) {
    const auto& dictionary = checked_cast<const arrow::DictionaryType&>(*plain->type);
    if (!HasPlainValues(dictionary)) return AdaptDictionary(*plain, to, live);
    ARROW_ASSIGN_OR_RAISE(plain, DecodeDictionary(*plain, live));
  }
  ARROW_ASSIGN_OR_RAISE(auto adapted, AdaptSlots(plain, to, live));
  if (adapted->type == to.type()) return adapted;
  if (adapted == data) adapted = data->Copy();
  adapted->type = to.type();
  return adapted;
}

}  // namespace tailrace
