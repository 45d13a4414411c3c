// The bytes of a file depend on its rows, options and flush points, never on how the rows were batched or stored.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/buffer.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/bit_util.h>
#include <gtest/gtest.h>

#include "encode/written_file_fixture.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using Batch = std::shared_ptr<arrow::RecordBatch>;

ParquetOptions SmallRowGroups() {
  ParquetOptions options;
  options.row_group_bytes = 2 << 20;
  return options;
}

void ExpectSameBytes(const Batch& rows, const std::vector<int64_t>& flush_at) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile whole, WriteBatches(rows->schema(), {rows}, SmallRowGroups(), flush_at));
  EXPECT_GT(whole.content.row_groups.size(), flush_at.size() + 1);
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    // From batches of a handful of rows to ones larger than a chunk.
    const int64_t max_rows = int64_t{8} << (2 * seed - 2);
    ASSERT_OK_AND_ASSIGN(const WrittenFile again,
                         WriteBatches(rows->schema(), Rebatch(*rows, max_rows, seed), SmallRowGroups(), flush_at));
    EXPECT_TRUE(again.bytes == whole.bytes) << "batches of up to " << max_rows << " rows, seed " << seed;
  }
}

TEST(ByteEquality, FlatColumnsInAnyBatches) { ExpectSameBytes(MakeBatch(FlatSchema(), 40000, 1), {7001, 7002, 38000}); }

TEST(ByteEquality, NestedColumnsInAnyBatches) { ExpectSameBytes(MakeBatch(NestedSchema(), 18000, 2), {333, 17001}); }

TEST(ByteEquality, DictionariesInAnyOrderAndBatches) {
  ExpectSameBytes(MakeBatch(DictionarySchema(), 80000, 3), {50000});
}

TEST(ByteEquality, FewDistinctValuesStayDictionaryEncoded) {
  RandomShape shape;
  shape.distinct = 50;
  ExpectSameBytes(MakeBatch(FlatSchema(), 20000, 4, shape), {12345});
}

TEST(ByteEquality, LongTextThatFillsDictionaryPagesAndChunks) {
  RandomShape shape;
  shape.max_string_bytes = 2000;
  const auto schema = arrow::schema({arrow::field("a", arrow::utf8()), arrow::field("b", arrow::list(arrow::utf8()))});
  ExpectSameBytes(MakeBatch(schema, 6000, 5, shape), {10});
}

// One column changed into another storage of the same values.
Batch WithColumn(const Batch& batch, int column, const std::shared_ptr<arrow::Array>& array) {
  auto schema = batch->schema()->SetField(column, batch->schema()->field(column)->WithType(array->type()));
  auto columns = batch->columns();
  columns[column] = array;
  return arrow::RecordBatch::Make(*schema, batch->num_rows(), std::move(columns));
}

void ExpectSameBytesAs(const Batch& rows, const Batch& restored) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile one, WriteBatches(rows->schema(), {rows}));
  ASSERT_OK_AND_ASSIGN(const WrittenFile two, WriteBatches(rows->schema(), {restored}));
  EXPECT_TRUE(one.bytes == two.bytes);
  ASSERT_OK_AND_ASSIGN(auto read, ReadBack(two.bytes));
  EXPECT_EQ(read->num_rows(), rows->num_rows());
}

template <typename Builder>
std::shared_ptr<arrow::Array> TextAs(const arrow::Array& text, const std::shared_ptr<arrow::DataType>& type) {
  Builder builder(type, arrow::default_memory_pool());
  const auto& values = static_cast<const arrow::StringArray&>(text);
  for (int64_t i = 0; i < values.length(); ++i) {
    EXPECT_OK(values.IsNull(i) ? builder.AppendNull() : builder.Append(values.GetView(i)));
  }
  return builder.Finish().ValueOrDie();
}

TEST(ByteEquality, TextOfAnyKind) {
  const Batch rows =
      MakeBatch(arrow::schema({arrow::field("id", arrow::int64()), arrow::field("t", arrow::utf8())}), 50000, 6);
  const arrow::Array& text = *rows->column(1);
  ExpectSameBytesAs(rows, WithColumn(rows, 1, TextAs<arrow::LargeStringBuilder>(text, arrow::large_utf8())));
  ExpectSameBytesAs(rows, WithColumn(rows, 1, TextAs<arrow::StringViewBuilder>(text, arrow::utf8_view())));
  ExpectSameBytesAs(rows, WithColumn(rows, 1, TextAs<arrow::StringDictionary32Builder>(text, arrow::utf8())));
}

TEST(ByteEquality, PlainTextInADictionaryColumn) {
  const auto dictionary = arrow::dictionary(arrow::int32(), arrow::utf8());
  const Batch plain = MakeBatch(arrow::schema({arrow::field("t", arrow::utf8())}), 50000, 7);
  const Batch rows = WithColumn(plain, 0, TextAs<arrow::StringDictionary32Builder>(*plain->column(0), arrow::utf8()));
  ASSERT_TRUE(rows->schema()->field(0)->type()->Equals(dictionary));
  ExpectSameBytesAs(rows, plain);
}

TEST(ByteEquality, BitmapsThatSayNothing) {
  const auto schema = arrow::schema({arrow::field("i", arrow::int64()), arrow::field("t", arrow::utf8()),
                                     arrow::field("l", arrow::list(arrow::int32()))});
  RandomShape shape;
  shape.null_share = 0;
  shape.values_below_nulls = false;
  const Batch rows = MakeBatch(schema, 40000, 8, shape);
  Batch with_bitmaps = rows;
  for (int i = 0; i < rows->num_columns(); ++i) {
    auto data = rows->column(i)->data()->Copy();
    data->buffers[0] = arrow::AllocateBuffer(arrow::bit_util::BytesForBits(data->length)).ValueOrDie();
    std::memset(data->buffers[0]->mutable_data(), 0xff, data->buffers[0]->size());
    data->SetNullCount(arrow::kUnknownNullCount);
    with_bitmaps = WithColumn(with_bitmaps, i, arrow::MakeArray(data));
  }
  ExpectSameBytesAs(rows, with_bitmaps);
}

// Every third slot null by the bitmap alone: what is below stays, text that is no UTF-8 among it.
TEST(ByteEquality, ValuesUnderNullsDoNotCount) {
  constexpr int64_t kRows = 40000;
  auto bitmap = std::shared_ptr<arrow::Buffer>(arrow::AllocateEmptyBitmap(kRows).ValueOrDie());
  arrow::Int64Builder numbers, clean_numbers;
  arrow::StringBuilder texts, clean_texts;
  arrow::ListBuilder lists(arrow::default_memory_pool(), std::make_shared<arrow::Int32Builder>());
  arrow::ListBuilder clean_lists(arrow::default_memory_pool(), std::make_shared<arrow::Int32Builder>());
  for (int64_t i = 0; i < kRows; ++i) {
    const bool valid = i % 3 != 0;
    arrow::bit_util::SetBitTo(bitmap->mutable_data(), i, valid);
    const std::string text = "text " + std::to_string(i);
    ASSERT_OK(numbers.Append(valid ? i : -i * 7919));
    ASSERT_OK(texts.Append(valid ? text : "\xff garbage of another length"));
    ASSERT_OK(lists.Append());
    ASSERT_OK(static_cast<arrow::Int32Builder*>(lists.value_builder())->Append(static_cast<int32_t>(i)));
    ASSERT_OK(valid ? clean_numbers.Append(i) : clean_numbers.AppendNull());
    ASSERT_OK(valid ? clean_texts.Append(text) : clean_texts.AppendNull());
    ASSERT_OK(valid ? clean_lists.Append() : clean_lists.AppendNull());
    if (!valid) continue;
    ASSERT_OK(static_cast<arrow::Int32Builder*>(clean_lists.value_builder())->Append(static_cast<int32_t>(i)));
  }
  const auto schema = arrow::schema({arrow::field("i", arrow::int64()), arrow::field("t", arrow::utf8()),
                                     arrow::field("l", arrow::list(arrow::int32()))});
  const auto veil = [&](const std::shared_ptr<arrow::Array>& array) {
    auto data = array->data()->Copy();
    data->buffers[0] = bitmap;
    data->SetNullCount(arrow::kUnknownNullCount);
    return arrow::MakeArray(data);
  };
  const Batch clean = arrow::RecordBatch::Make(
      schema, kRows,
      {clean_numbers.Finish().ValueOrDie(), clean_texts.Finish().ValueOrDie(), clean_lists.Finish().ValueOrDie()});
  const Batch veiled = arrow::RecordBatch::Make(
      schema, kRows,
      {veil(numbers.Finish().ValueOrDie()), veil(texts.Finish().ValueOrDie()), veil(lists.Finish().ValueOrDie())});
  ExpectSameBytesAs(clean, veiled);
}

TEST(ByteEquality, NullTypedBatchesAreNulls) {
  const auto schema = arrow::schema({arrow::field("i", arrow::int64()), arrow::field("t", arrow::utf8())});
  const auto nulls = arrow::schema({arrow::field("i", arrow::int64()), arrow::field("t", arrow::null())});
  const Batch first = MakeBatch(schema, 1000, 9);
  const auto numbers = first->column(0);
  const auto typed =
      arrow::RecordBatch::Make(schema, 1000, {numbers, arrow::MakeArrayOfNull(arrow::utf8(), 1000).ValueOrDie()});
  const auto untyped = arrow::RecordBatch::Make(nulls, 1000, {numbers, std::make_shared<arrow::NullArray>(1000)});
  ASSERT_OK_AND_ASSIGN(const WrittenFile one, WriteBatches(schema, {first, typed}));
  ASSERT_OK_AND_ASSIGN(const WrittenFile two, WriteBatches(schema, {first, untyped}));
  EXPECT_TRUE(one.bytes == two.bytes);
}

}  // namespace
}  // namespace tailrace
