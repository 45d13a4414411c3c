#include "encode/value_range.h"

#include <limits>
#include <string>

#include <arrow/array/data.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>
#include <arrow/util/decimal.h>

#include "encode/misfit.h"

namespace tailrace {
namespace {

constexpr int kMillisPerSecond = 1000;

template <typename Decimal>
Status CheckDigits(const arrow::ArrayData& data, const arrow::DataType& type, const Validity& valid) {
  const int32_t precision = arrow::internal::checked_cast<const arrow::DecimalType&>(type).precision();
  const uint8_t* values = data.GetValues<uint8_t>(1, data.offset * sizeof(Decimal));
  for (int64_t i = 0; i < data.length; ++i) {
    if (valid.at(i) && !Decimal(values + i * static_cast<int64_t>(sizeof(Decimal))).FitsInPrecision(precision)) {
      return Misfit(ErrorKind::kInvalid, i, "the value has more digits than " + type.ToString());
    }
  }
  return Status::OK();
}

template <typename Value>
Status CheckSeconds(const arrow::ArrayData& data, const Validity& valid) {
  constexpr Value kMax = std::numeric_limits<Value>::max() / kMillisPerSecond;
  const auto* values = data.GetValues<Value>(1);
  for (int64_t i = 0; i < data.length; ++i) {
    if (valid.at(i) && (values[i] > kMax || values[i] < -kMax)) {
      return Misfit(ErrorKind::kInvalid, i,
                    std::to_string(values[i]) + " seconds are too many for the milliseconds that Parquet stores");
    }
  }
  return Status::OK();
}

}  // namespace

Status CheckValueRange(const arrow::ArrayData& data, const arrow::DataType& storage, const Validity& valid) {
  using arrow::internal::checked_cast;
  switch (storage.id()) {
    case arrow::Type::DECIMAL32:
      return CheckDigits<arrow::Decimal32>(data, storage, valid);
    case arrow::Type::DECIMAL64:
      return CheckDigits<arrow::Decimal64>(data, storage, valid);
    case arrow::Type::DECIMAL128:
      return CheckDigits<arrow::Decimal128>(data, storage, valid);
    case arrow::Type::DECIMAL256:
      return CheckDigits<arrow::Decimal256>(data, storage, valid);
    case arrow::Type::TIMESTAMP:
      if (checked_cast<const arrow::TimestampType&>(storage).unit() != arrow::TimeUnit::SECOND) break;
      return CheckSeconds<int64_t>(data, valid);
    case arrow::Type::TIME32:
      if (checked_cast<const arrow::Time32Type&>(storage).unit() != arrow::TimeUnit::SECOND) break;
      return CheckSeconds<int32_t>(data, valid);
    default:
      break;
  }
  return Status::OK();
}

}  // namespace tailrace
