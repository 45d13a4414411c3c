#include "encode/dictionary_decode.h"

#include <cstring>
#include <utility>
#include <vector>

#include <arrow/array/data.h>
#include <arrow/buffer_builder.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

#include "encode/encoded_type.h"
#include "encode/misfit.h"
#include "encode/text_source.h"
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

// Slots whose index is there and stands for a value. `indices` are set where `live` is.
Result<Validity> ValidValues(const arrow::ArrayData& dictionary, const Validity& live,
                             const std::vector<int64_t>& indices) {
  const Validity values = ValidityOf(dictionary);
  if (!values.has_nulls()) return live;
  const auto slots = static_cast<int64_t>(indices.size());
  Validity out;
  ARROW_ASSIGN_OR_RAISE(out.bitmap, arrow::AllocateEmptyBitmap(slots));
  for (int64_t i = 0; i < slots; ++i) {
    const bool valid = live.at(i) && values.at(indices[i]);
    if (valid) arrow::bit_util::SetBit(out.bitmap->mutable_data(), i);
    out.null_count += valid ? 0 : 1;
  }
  return out.null_count == 0 ? Validity() : out;
}

// Each value of a dictionary is looked at once, or each row, whichever is less.
Status CheckText(const arrow::ArrayData& dictionary, const arrow::ArrayData& decoded, const Validity& valid) {
  if (dictionary.length <= decoded.length && CheckTextValues(dictionary, ValidityOf(dictionary), true).ok()) {
    return Status::OK();
  }
  return CheckTextValues(decoded, valid, true);
}

Result<std::shared_ptr<arrow::ArrayData>> DecodeText(const arrow::ArrayData& dictionary, const Validity& valid,
                                                     const std::vector<int64_t>& indices) {
  const TextSource source(dictionary);
  const auto slots = static_cast<int64_t>(indices.size());
  arrow::TypedBufferBuilder<arrow::BinaryViewType::c_type> views;
  ARROW_RETURN_NOT_OK(views.Reserve(slots));
  for (int64_t i = 0; i < slots; ++i) {
    if (!valid.at(i)) {
      views.UnsafeAppend({});
      continue;
    }
    if (!source.IsInside(indices[i])) {
      return Misfit(ErrorKind::kInvalid, i, "a value of the dictionary lies outside of the batch's memory");
    }
    if (source.has_offsets() && source.At(indices[i]).size() > TextSource::kMaxViewedBytes) {
      return Misfit(ErrorKind::kLimit, i, "a value of more than 1 GiB in a dictionary: write it as a plain value");
    }
    views.UnsafeAppend(source.ViewAt(indices[i]));
  }
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, slots));
  std::vector<std::shared_ptr<arrow::Buffer>> buffers{std::move(bitmap), nullptr};
  ARROW_ASSIGN_OR_RAISE(buffers[1], views.Finish());
  for (auto& buffer : source.ViewBuffers()) buffers.push_back(std::move(buffer));
  const bool text = IsTextKind(*dictionary.type);
  auto decoded = arrow::ArrayData::Make(text ? arrow::utf8_view() : arrow::binary_view(), slots, std::move(buffers),
                                        valid.null_count);
  if (text) ARROW_RETURN_NOT_OK(CheckText(dictionary, *decoded, valid));
  return decoded;
}

Result<std::shared_ptr<arrow::Buffer>> DecodeBits(const arrow::ArrayData& dictionary, const Validity& valid,
                                                  const std::vector<int64_t>& indices) {
  ARROW_ASSIGN_OR_RAISE(auto bits, arrow::AllocateEmptyBitmap(static_cast<int64_t>(indices.size())));
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!valid.at(static_cast<int64_t>(i))) continue;
    if (arrow::bit_util::GetBit(dictionary.buffers[1]->data(), dictionary.offset + indices[i])) {
      arrow::bit_util::SetBit(bits->mutable_data(), static_cast<int64_t>(i));
    }
  }
  return std::shared_ptr<arrow::Buffer>(std::move(bits));
}

Result<std::shared_ptr<arrow::Buffer>> DecodeBytes(const arrow::ArrayData& dictionary, const Validity& valid,
                                                   const std::vector<int64_t>& indices) {
  const int64_t width = dictionary.type->byte_width();
  ARROW_ASSIGN_OR_RAISE(auto bytes, arrow::AllocateBuffer(width * static_cast<int64_t>(indices.size())));
  uint8_t* to = bytes->mutable_data();
  for (size_t i = 0; i < indices.size(); ++i, to += width) {
    if (valid.at(static_cast<int64_t>(i))) {
      std::memcpy(to, dictionary.buffers[1]->data() + (dictionary.offset + indices[i]) * width, width);
    } else {
      std::memset(to, 0, width);
    }
  }
  return std::shared_ptr<arrow::Buffer>(std::move(bytes));
}

}  // namespace

Result<std::shared_ptr<arrow::ArrayData>> DecodeDictionary(const arrow::ArrayData& data, const Validity& live) {
  const arrow::ArrayData& dictionary = *data.dictionary;
  ARROW_ASSIGN_OR_RAISE(const Validity indexed, Intersect(ValidityOf(data), live, data.length));
  std::vector<int64_t> indices(data.length);
  ARROW_RETURN_NOT_OK(ReadIndices(data, indexed, &indices));
  if (dictionary.length == 0 || dictionary.type->id() == arrow::Type::NA) {
    // Then no slot has a value, and there are no buffers to look at.
    return arrow::ArrayData::Make(arrow::null(), data.length, {nullptr}, data.length);
  }
  ARROW_ASSIGN_OR_RAISE(const Validity valid, ValidValues(dictionary, indexed, indices));
  if (IsTextKind(*dictionary.type) || IsBytesKind(*dictionary.type)) return DecodeText(dictionary, valid, indices);
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, data.length));
  const bool bits = dictionary.type->id() == arrow::Type::BOOL;
  ARROW_ASSIGN_OR_RAISE(auto values,
                        bits ? DecodeBits(dictionary, valid, indices) : DecodeBytes(dictionary, valid, indices));
  return arrow::ArrayData::Make(dictionary.type, data.length, {std::move(bitmap), std::move(values)}, valid.null_count);
}

}  // namespace tailrace
