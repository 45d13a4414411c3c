#include "testing/random_arrays.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/status.h>
#include <arrow/type.h>
#include <arrow/util/bit_util.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>

namespace tailrace {
namespace {

using arrow::ArrayBuilder;
using arrow::DataType;
using arrow::Status;
using arrow::Type;

template <typename Builder>
Builder& As(ArrayBuilder* builder) {
  return static_cast<Builder&>(*builder);
}

// What goes wrong here is a mistake in the test.
void Must(const arrow::Status& status) {
  if (!status.ok()) status.Abort();
}

// The splitmix64 step: far apart values for near ones.
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Appender {
 public:
  Appender(uint64_t seed, RandomShape shape) : random_(Mix(seed)), shape_(shape) {}

  Status Append(ArrayBuilder* builder, const DataType& type, bool nullable) {
    return nullable && Chance(shape_.null_share) ? builder->AppendNull() : AppendValue(builder, type);
  }
  bool Chance(double share) { return static_cast<double>(random_() >> 11) * 0x1p-53 < share; }
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  const RandomShape& shape() const { return shape_; }

 private:
  // What a value is made from: with `distinct`, one of so many.
  uint64_t Draw() {
    const uint64_t drawn = random_();
    return shape_.distinct > 0 ? Mix(drawn % static_cast<uint64_t>(shape_.distinct)) : drawn;
  }

  template <typename Builder>
  Status Whole(ArrayBuilder* builder, uint64_t bound = 0) {
    uint64_t value = Draw();
    if (bound > 0) {
      value %= bound;
    } else if (value % 2 == 0) {
      value >>= 48;  // half of them small
    }
    return As<Builder>(builder).Append(static_cast<typename Builder::value_type>(value));
  }

  double Real() {
    const uint64_t drawn = Draw();
    switch (drawn % 32) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return (drawn & 32) != 0 ? -INFINITY : INFINITY;
      case 2:
        return -0.0;
      default:
        return static_cast<double>(static_cast<int64_t>(drawn)) * 0x1p-40;
    }
  }

  std::string Text(bool is_text) {
    const uint64_t drawn = Draw();
    const uint64_t length = drawn % static_cast<uint64_t>(shape_.max_string_bytes + 1);
    std::string text;
    for (uint64_t i = 0; text.size() < length; ++i) {
      const uint64_t letter = Mix(drawn + i);
      if (is_text && letter % 16 == 0 && text.size() + 2 <= length) {
        text += "\xc3\xa9";  // e with an acute accent
      } else {
        text.push_back(is_text ? static_cast<char>('a' + letter % 26) : static_cast<char>(letter));
      }
    }
    return text;
  }

  std::string Fixed(int64_t width) {
    const uint64_t drawn = Draw();
    std::string bytes;
    for (int64_t i = 0; i < width; ++i) bytes.push_back(static_cast<char>(Mix(drawn + static_cast<uint64_t>(i))));
    return bytes;
  }

  Status AppendValue(ArrayBuilder* builder, const DataType& type);
  Status AppendText(ArrayBuilder* builder, const DataType& type);
  Status AppendNested(ArrayBuilder* builder, const DataType& type);

  template <typename Builder>
  Status AppendList(ArrayBuilder* builder, const DataType& type) {
    ARROW_RETURN_NOT_OK(As<Builder>(builder).Append());
    const arrow::Field& item = *type.field(0);
    for (uint64_t i = Below(static_cast<uint64_t>(shape_.max_list_length + 1)); i > 0; --i) {
      ARROW_RETURN_NOT_OK(Append(As<Builder>(builder).value_builder(), *item.type(), item.nullable()));
    }
    return Status::OK();
  }

  std::mt19937_64 random_;
  const RandomShape shape_;
};

Status Appender::AppendValue(ArrayBuilder* builder, const DataType& type) {
  constexpr uint64_t kDayMs = 86'400'000;
  switch (type.id()) {
    case Type::BOOL:
      return As<arrow::BooleanBuilder>(builder).Append((Draw() & 1) != 0);
    case Type::INT8:
      return Whole<arrow::Int8Builder>(builder);
    case Type::INT16:
      return Whole<arrow::Int16Builder>(builder);
    case Type::INT32:
      return Whole<arrow::Int32Builder>(builder);
    case Type::INT64:
      return Whole<arrow::Int64Builder>(builder);
    case Type::UINT8:
      return Whole<arrow::UInt8Builder>(builder);
    case Type::UINT16:
      return Whole<arrow::UInt16Builder>(builder);
    case Type::UINT32:
      return Whole<arrow::UInt32Builder>(builder);
    case Type::UINT64:
      return Whole<arrow::UInt64Builder>(builder);
    case Type::HALF_FLOAT:
      return As<arrow::HalfFloatBuilder>(builder).Append(arrow::util::Float16(Real() * 0x1p-16).bits());
    case Type::FLOAT:
      return As<arrow::FloatBuilder>(builder).Append(static_cast<float>(Real()));
    case Type::DOUBLE:
      return As<arrow::DoubleBuilder>(builder).Append(Real());
    case Type::DATE32:
      return Whole<arrow::Date32Builder>(builder, 40'000);
    case Type::TIME32:
      return Whole<arrow::Time32Builder>(builder, 86'400);
    case Type::TIME64:
      return Whole<arrow::Time64Builder>(builder, kDayMs * 1000);
    case Type::TIMESTAMP:
      return Whole<arrow::TimestampBuilder>(builder, uint64_t{1} << 60);
    case Type::DURATION:
      return Whole<arrow::DurationBuilder>(builder, uint64_t{1} << 50);
    case Type::DECIMAL128:
      return As<arrow::Decimal128Builder>(builder).Append(arrow::Decimal128(static_cast<int64_t>(Draw()) >> 6));
    case Type::DECIMAL256:
      return As<arrow::Decimal256Builder>(builder).Append(arrow::Decimal256(static_cast<int64_t>(Draw()) >> 6));
    default:
      return AppendText(builder, type);
  }
}

Status Appender::AppendText(ArrayBuilder* builder, const DataType& type) {
  switch (type.id()) {
    case Type::STRING:
      return As<arrow::StringBuilder>(builder).Append(Text(true));
    case Type::LARGE_STRING:
      return As<arrow::LargeStringBuilder>(builder).Append(Text(true));
    case Type::STRING_VIEW:
      return As<arrow::StringViewBuilder>(builder).Append(Text(true));
    case Type::BINARY:
      return As<arrow::BinaryBuilder>(builder).Append(Text(false));
    case Type::LARGE_BINARY:
      return As<arrow::LargeBinaryBuilder>(builder).Append(Text(false));
    case Type::BINARY_VIEW:
      return As<arrow::BinaryViewBuilder>(builder).Append(Text(false));
    case Type::FIXED_SIZE_BINARY:
      return As<arrow::FixedSizeBinaryBuilder>(builder).Append(
          Fixed(static_cast<const arrow::FixedSizeBinaryType&>(type).byte_width()));
    default:
      return AppendNested(builder, type);
  }
}

Status Appender::AppendNested(ArrayBuilder* builder, const DataType& type) {
  switch (type.id()) {
    case Type::LIST:
      return AppendList<arrow::ListBuilder>(builder, type);
    case Type::LARGE_LIST:
      return AppendList<arrow::LargeListBuilder>(builder, type);
    case Type::FIXED_SIZE_LIST: {
      auto& list = As<arrow::FixedSizeListBuilder>(builder);
      ARROW_RETURN_NOT_OK(list.Append());
      for (int32_t i = static_cast<const arrow::FixedSizeListType&>(type).list_size(); i > 0; --i) {
        ARROW_RETURN_NOT_OK(Append(list.value_builder(), *type.field(0)->type(), type.field(0)->nullable()));
      }
      return Status::OK();
    }
    case Type::MAP: {
      auto& map = As<arrow::MapBuilder>(builder);
      const auto& map_type = static_cast<const arrow::MapType&>(type);
      ARROW_RETURN_NOT_OK(map.Append());
      for (uint64_t i = Below(static_cast<uint64_t>(shape_.max_list_length + 1)); i > 0; --i) {
        ARROW_RETURN_NOT_OK(Append(map.key_builder(), *map_type.key_type(), false));
        ARROW_RETURN_NOT_OK(Append(map.item_builder(), *map_type.item_type(), map_type.item_field()->nullable()));
      }
      return Status::OK();
    }
    case Type::STRUCT: {
      auto& fields = As<arrow::StructBuilder>(builder);
      ARROW_RETURN_NOT_OK(fields.Append());
      for (int i = 0; i < type.num_fields(); ++i) {
        ARROW_RETURN_NOT_OK(Append(fields.field_builder(i), *type.field(i)->type(), type.field(i)->nullable()));
      }
      return Status::OK();
    }
    default:
      return Status::NotImplemented("random values of ", type.ToString());
  }
}

std::shared_ptr<arrow::Array> Build(Appender* appender, const std::shared_ptr<DataType>& type, int64_t length,
                                    bool nullable) {
  std::unique_ptr<ArrayBuilder> builder = arrow::MakeBuilder(type).ValueOrDie();
  for (int64_t i = 0; i < length; ++i) Must(appender->Append(builder.get(), *type, nullable));
  return builder->Finish().ValueOrDie();
}

// Makes some slots null by the validity bits alone.
std::shared_ptr<arrow::Array> Veil(const arrow::Array& array, Appender* appender) {
  std::shared_ptr<arrow::ResizableBuffer> valid =
      arrow::AllocateResizableBuffer(arrow::bit_util::BytesForBits(array.length())).ValueOrDie();
  for (int64_t i = 0; i < array.length(); ++i) {
    arrow::bit_util::SetBitTo(valid->mutable_data(), i,
                              array.IsValid(i) && !appender->Chance(appender->shape().null_share));
  }
  std::shared_ptr<arrow::ArrayData> data = array.data()->Copy();
  data->buffers[0] = std::move(valid);
  data->SetNullCount(arrow::kUnknownNullCount);
  return arrow::MakeArray(std::move(data));
}

std::shared_ptr<arrow::Array> BuildDictionary(Appender* appender, const arrow::DictionaryType& type, int64_t length,
                                              bool nullable) {
  const int64_t entries = appender->shape().distinct > 0 ? appender->shape().distinct : 10;
  std::shared_ptr<arrow::Array> dictionary = Build(appender, type.value_type(), entries, false);
  std::unique_ptr<ArrayBuilder> indices = arrow::MakeBuilder(arrow::int32()).ValueOrDie();
  for (int64_t i = 0; i < length; ++i) {
    const bool null = nullable && appender->Chance(appender->shape().null_share);
    auto& builder = As<arrow::Int32Builder>(indices.get());
    Must(null ? builder.AppendNull() : builder.Append(static_cast<int32_t>(appender->Below(entries))));
  }
  return arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int32(), type.value_type()),
                                            indices->Finish().ValueOrDie(), dictionary)
      .ValueOrDie();
}

}  // namespace

std::shared_ptr<arrow::Array> RandomArray(const arrow::Field& field, int64_t length, uint64_t seed,
                                          const RandomShape& shape) {
  Appender appender(seed, shape);
  if (field.type()->id() == Type::DICTIONARY) {
    return BuildDictionary(&appender, static_cast<const arrow::DictionaryType&>(*field.type()), length,
                           field.nullable());
  }
  std::shared_ptr<arrow::Array> array = Build(&appender, field.type(), length, field.nullable());
  const bool veiled = shape.values_below_nulls && field.nullable() && field.type()->num_fields() > 0;
  return veiled ? Veil(*array, &appender) : array;
}

}  // namespace tailrace
