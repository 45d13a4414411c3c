#include "encode/referenced_bits.h"

#include <memory>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/json/from_string.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "encode/recutter.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using arrow::field;

int64_t BitsOf(const std::shared_ptr<arrow::DataType>& type, const std::string& json) {
  const auto array = arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
  return ReferencedBits(*array, 0, array->length());
}

TEST(ReferencedBits, FixedWidthCountsNullsToo) {
  EXPECT_EQ(BitsOf(arrow::int64(), "[1, null, 3]"), 3 * (1 + 64));
  EXPECT_EQ(BitsOf(arrow::boolean(), "[true, null]"), 2 * (1 + 1));
  EXPECT_EQ(BitsOf(arrow::decimal128(5, 2), R"(["1.00"])"), 1 + 128);
  EXPECT_EQ(BitsOf(arrow::fixed_size_binary(3), R"(["abc"])"), 1 + 24);
  EXPECT_EQ(BitsOf(arrow::null(), "[null, null]"), 2);
}

TEST(ReferencedBits, TextCountsItsBytes) {
  EXPECT_EQ(BitsOf(arrow::utf8(), R"(["abc", null, ""])"), 3 * (1 + 32) + 24);
  EXPECT_EQ(BitsOf(arrow::large_binary(), R"(["abc"])"), 1 + 64 + 24);
  EXPECT_EQ(BitsOf(arrow::utf8_view(), R"(["abc", "a text longer than a view"])"), 2 * (1 + 128) + 8 * (3 + 25));
}

TEST(ReferencedBits, ListsCountTheLevelsOfTheirLeaves) {
  EXPECT_EQ(BitsOf(arrow::list(arrow::int16()), "[[1, 2], null, []]"), 3 * 33 + 2 * (1 + 16 + 8));
  EXPECT_EQ(BitsOf(arrow::large_list(arrow::null()), "[[null]]"), 65 + 1 + 8);
  EXPECT_EQ(BitsOf(arrow::fixed_size_list(arrow::int8(), 2), "[[1, 2], null]"), 2 + 2 * (1 + 8 + 8));
  EXPECT_EQ(BitsOf(arrow::map(arrow::utf8(), arrow::int8()), R"([[["k", 1]]])"),
            33 + 1 + (1 + 32 + 8 + 8) + (1 + 8 + 8));
  EXPECT_EQ(BitsOf(arrow::list(arrow::list(arrow::int8())), "[[[1], [2, 3]]]"), 33 + 2 * 33 + 3 * (1 + 8 + 8));
}

TEST(ReferencedBits, StructsCountTheChildrenOfTheirValues) {
  const auto type = arrow::struct_({field("a", arrow::int32()), field("b", arrow::utf8())});
  EXPECT_EQ(BitsOf(type, R"([{"a": 1, "b": "xy"}, null])"), 2 + (1 + 32) + (1 + 32 + 16));
}

TEST(ReferencedBits, ExtensionsCountTheirStorage) {
  const auto all = MakeBatch(FlatSchema(), 10, 1);
  const auto i64 = all->GetColumnByName("i64");
  EXPECT_EQ(ReferencedBits(*i64, 2, 5), 5 * 65);
}

// f(a..c) = f(a..b) + f(b..c), however the rows are stored.
TEST(ReferencedBits, IsASumOverRowsHoweverStored) {
  constexpr int64_t kRows = 300;
  for (const auto& schema : {FlatSchema(), NestedSchema()}) {
    const auto batch = MakeBatch(schema, kRows, 1);
    for (int column = 0; column < batch->num_columns(); ++column) {
      std::vector<int64_t> sums = {0};
      for (int64_t row = 0; row < kRows; ++row) {
        sums.push_back(sums.back() + ReferencedBits(*batch->column(column), row, 1));
      }
      for (const auto storage : {RowStorage::kSlice, RowStorage::kAmid, RowStorage::kRebuilt}) {
        for (int64_t first = 0; first < kRows; first += 37) {
          const int64_t rows = std::min<int64_t>(kRows - first, first * 7 % 101);
          const auto stored = StoreRows(*batch, first, rows, storage);
          ASSERT_EQ(ReferencedBits(*stored->column(column), 0, rows), sums[first + rows] - sums[first])
              << batch->column_name(column) << " rows " << first << " + " << rows;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tailrace
