#include "encode/dictionary_decode.h"

#include <utility>
#include <vector>

#include <arrow/array/data.h>
#include <arrow/type.h>
#include <arrow/util/bit_util.h>
#include <arrow/util/bitmap_ops.h>
#include <arrow/util/checked_cast.h>

#include "encode/gather_values.h"
#include "encode/misfit.h"
#include "encode/text_values.h"

namespace tailrace {
namespace {

template <typename Index>
Status ReadIndices(const arrow::ArrayData& data, const Validity& live, int64_t size, std::vector<int64_t>* out) {
  const auto* indices = data.GetValues<Index>(1);
  for (int64_t i = 0; i < data.length; ++i) {
    if (!live.at(i)) continue;
    const auto index = static_cast<int64_t>(indices[i]);  // a huge unsigned one becomes negative
    if (index < 0 || index >= size) {
      return Misfit(
          ErrorKind::kInvalid, i,
          "the index " + std::to_string(indices[i]) + " is outside of a dictionary of " + std::to_string(size));
    }
    (*out)[i] = index;
  }
  return Status::OK();
}

Status ReadIndices(const arrow::ArrayData& data, const Validity& live, std::vector<int64_t>* out) {
  const int64_t size = data.dictionary->length;
  const auto& type = arrow::internal::checked_cast<const arrow::DictionaryType&>(*data.type);
  switch (type.index_type()->id()) {
    case arrow::Type::INT8:
      return ReadIndices<int8_t>(data, live, size, out);
    case arrow::Type::UINT8:
      return ReadIndices<uint8_t>(data, live, size, out);
    case arrow::Type::INT16:
      return ReadIndices<int16_t>(data, live, size, out);
    case arrow::Type::UINT16:
      return ReadIndices<uint16_t>(data, live, size, out);
    case arrow::Type::INT32:
      return ReadIndices<int32_t>(data, live, size, out);
    case arrow::Type::UINT32:
      return ReadIndices<uint32_t>(data, live, size, out);
    case arrow::Type::INT64:
      return ReadIndices<int64_t>(data, live, size, out);
    default:
      return ReadIndices<uint64_t>(data, live, size, out);
  }
}

// Each value of a dictionary is looked at once, or each row, whichever is less.
Status CheckText(const arrow::ArrayData& dictionary, const arrow::ArrayData& decoded, const Validity& valid) {
  if (dictionary.length <= decoded.length && CheckTextValues(dictionary, ValidityOf(dictionary), true).ok()) {
    return Status::OK();
  }
  return CheckTextValues(decoded, valid, true);
}

}  // namespace

Result<std::shared_ptr<arrow::ArrayData>> DecodeDictionary(const arrow::ArrayData& data, const Validity& live) {
  const arrow::ArrayData& dictionary = *data.dictionary;
  ARROW_ASSIGN_OR_RAISE(const Validity indexed, Intersect(ValidityOf(data), live, data.length));
  std::vector<int64_t> indices(data.length);
  ARROW_RETURN_NOT_OK(ReadIndices(data, indexed, &indices));
  ARROW_ASSIGN_OR_RAISE(auto decoded, GatherValues(dictionary, indices, indexed));
  if (decoded->type->id() == arrow::Type::STRING_VIEW) {
    ARROW_RETURN_NOT_OK(CheckText(dictionary, *decoded, ValidityOf(*decoded)));
  }
  return decoded;
}

Result<std::shared_ptr<arrow::ArrayData>> DecodeDictionary(const arrow::ArrayData& data, const Validity& live,
                                                           const AdaptValues& adapt) {
  ARROW_ASSIGN_OR_RAISE(const Validity indexed, Intersect(ValidityOf(data), live, data.length));
  std::vector<int64_t> indices(data.length);
  ARROW_RETURN_NOT_OK(ReadIndices(data, indexed, &indices));
  Validity used;
  const int64_t values = data.dictionary->length;
  ARROW_ASSIGN_OR_RAISE(used.bitmap, arrow::AllocateEmptyBitmap(values));
  for (int64_t i = 0; i < data.length; ++i) {
    if (indexed.at(i)) arrow::bit_util::SetBit(used.bitmap->mutable_data(), indices[i]);
  }
  used.null_count = values - arrow::internal::CountSetBits(used.bitmap->data(), 0, values);
  auto adapted = adapt(data.dictionary, used.null_count == 0 ? Validity() : used);
  if (!adapted.ok()) {
    return LiftMisfit(adapted.status(), "", [&](int64_t value) {
      int64_t slot = 0;
      while (slot + 1 < data.length && !(indexed.at(slot) && indices[slot] == value)) ++slot;
      return slot;
    });
  }
  return GatherValues(**adapted, indices, indexed);
}

bool HasPlainValues(const arrow::DictionaryType& type) {
  const arrow::DataType& values = *type.value_type();
  return values.num_fields() == 0 && values.id() != arrow::Type::DICTIONARY && values.id() != arrow::Type::EXTENSION;
}

}  // namespace tailrace
