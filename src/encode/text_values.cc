#include "encode/text_values.h"

#include <limits>
#include <utility>

#include <arrow/array/data.h>
#include <arrow/buffer_builder.h>
#include <arrow/type.h>

#include "encode/misfit.h"
#include "encode/text_source.h"
#include "encode/utf8.h"

namespace tailrace {
namespace {

// No byte of UTF-8 text that begins a character looks like this.
bool IsContinuation(char byte) { return (static_cast<uint8_t>(byte) & 0xc0) == 0x80; }

// Whether all slots are UTF-8, judged at once: their bytes are one run, which is, and no slot begins inside of a
// character. Null slots count too, so that false only means that each has to be looked at.
bool IsUtf8AsRun(const TextSource& source, int64_t slots) {
  const std::string_view run = source.Run(slots);
  if (IsAscii(run)) return true;
  if (!IsUtf8(run)) return false;
  for (int64_t i = 0; i < slots; ++i) {
    const std::string_view value = source.At(i);
    if (!value.empty() && IsContinuation(value[0])) return false;
  }
  return true;
}

Result<std::shared_ptr<arrow::ArrayData>> ToViews(const TextSource& source, int64_t slots, const Validity& valid,
                                                  const std::shared_ptr<arrow::DataType>& type) {
  arrow::TypedBufferBuilder<arrow::BinaryViewType::c_type> views;
  ARROW_RETURN_NOT_OK(views.Reserve(slots));
  for (int64_t i = 0; i < slots; ++i) {
    if (!valid.at(i)) {
      views.UnsafeAppend({});
      continue;
    }
    if (source.has_offsets() && source.At(i).size() > TextSource::kMaxViewedBytes) {
      return Misfit(ErrorKind::kLimit, i, "a value of more than 1 GiB in a column of views");
    }
    views.UnsafeAppend(source.ViewAt(i));
  }
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, slots));
  std::vector<std::shared_ptr<arrow::Buffer>> buffers{std::move(bitmap), nullptr};
  ARROW_ASSIGN_OR_RAISE(buffers[1], views.Finish());
  for (auto& buffer : source.ViewBuffers()) buffers.push_back(std::move(buffer));
  return arrow::ArrayData::Make(type, slots, std::move(buffers), valid.null_count);
}

template <typename Offset>
Result<std::shared_ptr<arrow::ArrayData>> ToOffsets(const TextSource& source, int64_t slots, const Validity& valid,
                                                    const std::shared_ptr<arrow::DataType>& type) {
  int64_t total = 0;
  for (int64_t i = 0; i < slots; ++i) {
    if (valid.at(i)) total += static_cast<int64_t>(source.At(i).size());
    if (total > std::numeric_limits<Offset>::max()) {
      return Misfit(ErrorKind::kLimit, i,
                    "the batch holds more bytes than fit into " + type->ToString() + ", which is " +
                        std::to_string(std::numeric_limits<Offset>::max()) + ": write it in smaller batches");
    }
  }
  arrow::TypedBufferBuilder<Offset> offsets;
  arrow::BufferBuilder bytes;
  ARROW_RETURN_NOT_OK(offsets.Reserve(slots + 1));
  ARROW_RETURN_NOT_OK(bytes.Reserve(total));
  for (int64_t i = 0; i < slots; ++i) {
    offsets.UnsafeAppend(static_cast<Offset>(bytes.length()));
    if (!valid.at(i)) continue;
    const std::string_view value = source.At(i);
    bytes.UnsafeAppend(value.data(), static_cast<int64_t>(value.size()));
  }
  offsets.UnsafeAppend(static_cast<Offset>(bytes.length()));
  ARROW_ASSIGN_OR_RAISE(auto bitmap, BitmapAt(valid, 0, slots));
  std::vector<std::shared_ptr<arrow::Buffer>> buffers{std::move(bitmap), nullptr, nullptr};
  ARROW_ASSIGN_OR_RAISE(buffers[1], offsets.Finish());
  ARROW_ASSIGN_OR_RAISE(buffers[2], bytes.Finish());
  return arrow::ArrayData::Make(type, slots, std::move(buffers), valid.null_count);
}

}  // namespace

Status CheckTextValues(const arrow::ArrayData& data, const Validity& valid, bool utf8) {
  if (data.length == 0) return Status::OK();
  const TextSource source(data);
  for (int64_t i = 0; i < data.length; ++i) {
    // Null views may hold anything; offsets have to rise over null slots too.
    if (!source.IsInside(i) && (source.has_offsets() || valid.at(i))) {
      return Misfit(ErrorKind::kInvalid, i, "the value lies outside of the batch's memory");
    }
  }
  if (!utf8 || (source.has_offsets() && IsUtf8AsRun(source, data.length))) return Status::OK();
  for (int64_t i = 0; i < data.length; ++i) {
    if (valid.at(i) && !IsUtf8(source.At(i))) {
      return Misfit(ErrorKind::kInvalid, i,
                    "the text is not UTF-8: " + Printable(source.At(i).substr(0, 32)) +
                        " (write such values as binary, or all text with text_not_utf8)");
    }
  }
  return Status::OK();
}

Result<std::shared_ptr<arrow::ArrayData>> ConvertTextValues(const arrow::ArrayData& data, const Validity& valid,
                                                            const std::shared_ptr<arrow::DataType>& type) {
  const TextSource source(data);
  switch (type->id()) {
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return ToViews(source, data.length, valid, type);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return ToOffsets<int64_t>(source, data.length, valid, type);
    default:
      return ToOffsets<int32_t>(source, data.length, valid, type);
  }
}

}  // namespace tailrace
