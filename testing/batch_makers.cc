#include "testing/batch_makers.h"

#include <algorithm>
#include <random>
#include <utility>

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/status.h>
#include <arrow/type.h>

namespace tailrace {
namespace {

using arrow::field;

// What goes wrong here is a mistake in the test.
void Must(const arrow::Status& status) {
  if (!status.ok()) status.Abort();
}

// The same rows by a dictionary that is the other way round.
std::shared_ptr<arrow::Array> TurnDictionary(const arrow::DictionaryArray& array) {
  const std::shared_ptr<arrow::Array>& old = array.dictionary();
  std::unique_ptr<arrow::ArrayBuilder> values = arrow::MakeBuilder(old->type()).ValueOrDie();
  for (int64_t i = old->length(); i > 0; --i) Must(values->AppendArraySlice(*old->data(), i - 1, 1));
  arrow::Int32Builder indices;
  for (int64_t i = 0; i < array.length(); ++i) {
    if (array.IsNull(i)) {
      Must(indices.AppendNull());
    } else {
      Must(indices.Append(static_cast<int32_t>(old->length() - 1 - array.GetValueIndex(i))));
    }
  }
  return arrow::DictionaryArray::FromArrays(array.type(), indices.Finish().ValueOrDie(), values->Finish().ValueOrDie())
      .ValueOrDie();
}

std::shared_ptr<arrow::Array> Rebuild(const arrow::Array& array) {
  if (array.type_id() == arrow::Type::DICTIONARY) {
    return TurnDictionary(static_cast<const arrow::DictionaryArray&>(array));
  }
  std::unique_ptr<arrow::ArrayBuilder> builder = arrow::MakeBuilder(array.type()).ValueOrDie();
  Must(builder->AppendArraySlice(*array.data(), 0, array.length()));
  return builder->Finish().ValueOrDie();
}

// A view into a copy with up to three rows of `whole` before and behind.
std::shared_ptr<arrow::Array> Amid(const arrow::Array& whole, const std::shared_ptr<arrow::Array>& piece) {
  const std::shared_ptr<arrow::Array> others = whole.Slice(0, std::min<int64_t>(3, whole.length()));
  return arrow::Concatenate({others, piece, others}).ValueOrDie()->Slice(others->length(), piece->length());
}

}  // namespace

std::shared_ptr<arrow::Schema> FlatSchema() {
  return arrow::schema({
      field("flag", arrow::boolean()),
      field("i8", arrow::int8()),
      field("i16", arrow::int16()),
      field("i32", arrow::int32()),
      field("i64", arrow::int64()),
      field("i64_required", arrow::int64(), false),
      field("u8", arrow::uint8()),
      field("u16", arrow::uint16()),
      field("u32", arrow::uint32()),
      field("u64", arrow::uint64()),
      field("f16", arrow::float16()),
      field("f32", arrow::float32()),
      field("f64", arrow::float64()),
      field("f64_required", arrow::float64(), false),
      field("d128", arrow::decimal128(20, 4)),
      field("d256", arrow::decimal256(40, 4)),
      field("day", arrow::date32()),
      field("time_s", arrow::time32(arrow::TimeUnit::SECOND)),
      field("time_us", arrow::time64(arrow::TimeUnit::MICRO)),
      field("at_us", arrow::timestamp(arrow::TimeUnit::MICRO)),
      field("at_ns_utc", arrow::timestamp(arrow::TimeUnit::NANO, "UTC")),
      field("took", arrow::duration(arrow::TimeUnit::MILLI)),
      field("text", arrow::utf8()),
      field("text_required", arrow::utf8(), false),
      field("large_text", arrow::large_utf8()),
      field("text_view", arrow::utf8_view()),
      field("bytes", arrow::binary()),
      field("large_bytes", arrow::large_binary()),
      field("fixed", arrow::fixed_size_binary(7)),
  });
}

std::shared_ptr<arrow::Schema> NestedSchema() {
  const auto point = arrow::struct_({field("x", arrow::float64()), field("y", arrow::int32(), false)});
  return arrow::schema({
      field("id", arrow::int64(), false),
      field("ints", arrow::list(arrow::int32())),
      field("texts", arrow::large_list(field("item", arrow::utf8(), false))),
      field("pair", arrow::fixed_size_list(arrow::float32(), 2)),
      field("point", point),
      field("point_required", point, false),
      field("points", arrow::list(point)),
      field("lists", arrow::list(arrow::list(arrow::int16()))),
      field("names", arrow::map(arrow::utf8(), arrow::int64())),
      field("deep", arrow::struct_({field("tags", arrow::list(arrow::utf8())), field("inner", point),
                                    field("by_day", arrow::map(arrow::date32(), arrow::list(arrow::boolean())))})),
  });
}

std::shared_ptr<arrow::Schema> DictionarySchema() {
  return arrow::schema({
      field("id", arrow::int64(), false),
      field("carrier", arrow::dictionary(arrow::int32(), arrow::utf8())),
      field("carrier_required", arrow::dictionary(arrow::int32(), arrow::utf8()), false),
      field("code", arrow::dictionary(arrow::int32(), arrow::int64())),
      field("text", arrow::utf8()),
  });
}

std::shared_ptr<arrow::RecordBatch> MakeBatch(const std::shared_ptr<arrow::Schema>& schema, int64_t rows, uint64_t seed,
                                              const RandomShape& shape) {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (const std::shared_ptr<arrow::Field>& column : schema->fields()) {
    columns.push_back(RandomArray(*column, rows, seed * 1000 + columns.size(), shape));
  }
  return arrow::RecordBatch::Make(schema, rows, std::move(columns));
}

std::shared_ptr<arrow::RecordBatch> StoreRows(const arrow::RecordBatch& batch, int64_t offset, int64_t rows,
                                              RowStorage storage) {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (const std::shared_ptr<arrow::Array>& column : batch.columns()) {
    std::shared_ptr<arrow::Array> piece = column->Slice(offset, rows);
    switch (storage) {
      case RowStorage::kSlice:
        break;
      case RowStorage::kAmid:
        piece = Amid(*column, piece);
        break;
      case RowStorage::kRebuilt:
        piece = Rebuild(*piece);
        break;
    }
    columns.push_back(std::move(piece));
  }
  return arrow::RecordBatch::Make(batch.schema(), rows, std::move(columns));
}

std::vector<std::shared_ptr<arrow::RecordBatch>> Rebatch(const arrow::RecordBatch& batch, int64_t max_rows,
                                                         uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::shared_ptr<arrow::RecordBatch>> pieces;
  for (int64_t at = 0; at < batch.num_rows();) {
    const int64_t drawn = static_cast<int64_t>(random() % static_cast<uint64_t>(max_rows + 1));
    const int64_t rows = std::min(drawn, batch.num_rows() - at);
    pieces.push_back(StoreRows(batch, at, rows, static_cast<RowStorage>(random() % 3)));
    at += rows;
  }
  return pieces;
}

}  // namespace tailrace
