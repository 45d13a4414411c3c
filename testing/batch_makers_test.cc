#include "testing/batch_makers.h"

#include <set>
#include <string>

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

namespace tailrace {
namespace {

const arrow::EqualOptions kNaNsEqual = arrow::EqualOptions::Defaults().nans_equal(true);

// Dictionary decoded.
std::shared_ptr<arrow::Scalar> ValueAt(const arrow::Array& array, int64_t row) {
  std::shared_ptr<arrow::Scalar> value = array.GetScalar(row).ValueOrDie();
  if (array.type_id() != arrow::Type::DICTIONARY) return value;
  return static_cast<const arrow::DictionaryScalar&>(*value).GetEncodedValue().ValueOrDie();
}

class BatchMakersTest : public ::testing::TestWithParam<int> {
 protected:
  std::shared_ptr<arrow::Schema> schema_ = GetParam() == 0   ? FlatSchema()
                                           : GetParam() == 1 ? NestedSchema()
                                                             : DictionarySchema();
};

TEST_P(BatchMakersTest, BatchesAreValidAndFollowTheSeed) {
  const auto batch = MakeBatch(schema_, 200, 7);
  ASSERT_TRUE(batch->ValidateFull().ok()) << batch->ValidateFull();
  EXPECT_EQ(batch->num_rows(), 200);
  EXPECT_TRUE(batch->Equals(*MakeBatch(schema_, 200, 7), kNaNsEqual));
  for (int i = 0; i < batch->num_columns(); ++i) {
    const arrow::Array& column = *batch->column(i);
    const arrow::Field& field = *schema_->field(i);
    EXPECT_EQ(column.null_count() > 0, field.nullable()) << field.name();
    const auto other = MakeBatch(schema_, 200, 8);
    EXPECT_FALSE(column.Equals(*other->column(i), kNaNsEqual)) << field.name();
  }
}

TEST_P(BatchMakersTest, StoredAnyWayTheRowsAreTheSame) {
  const auto batch = MakeBatch(schema_, 40, 1);
  for (RowStorage storage : {RowStorage::kSlice, RowStorage::kAmid, RowStorage::kRebuilt}) {
    for (int64_t offset : {0, 1, 13, 39}) {
      for (int64_t rows : {int64_t{0}, int64_t{1}, 40 - offset}) {
        const auto stored = StoreRows(*batch, offset, rows, storage);
        ASSERT_TRUE(stored->ValidateFull().ok()) << stored->ValidateFull();
        ASSERT_EQ(stored->num_rows(), rows);
        for (int i = 0; i < batch->num_columns(); ++i) {
          // Row by row: arrays by other dictionaries do not compare equal as wholes.
          for (int64_t row = 0; row < rows; ++row) {
            ASSERT_TRUE(ValueAt(*stored->column(i), row)->Equals(*ValueAt(*batch->column(i), offset + row), kNaNsEqual))
                << schema_->field(i)->name() << " row " << row;
          }
        }
      }
    }
  }
}

TEST_P(BatchMakersTest, RebatchedRowsAreAllThereInOrder) {
  const auto batch = MakeBatch(schema_, 150, 3);
  std::set<int64_t> sizes;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const auto pieces = Rebatch(*batch, 9, seed);
    int64_t rows = 0;
    for (const auto& piece : pieces) {
      sizes.insert(piece->num_rows());
      const auto expected = StoreRows(*batch, rows, piece->num_rows(), RowStorage::kSlice);
      EXPECT_TRUE(piece->column(0)->Equals(*expected->column(0)));
      rows += piece->num_rows();
    }
    EXPECT_EQ(rows, 150);
  }
  EXPECT_EQ(sizes, (std::set<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

INSTANTIATE_TEST_SUITE_P(Schemas, BatchMakersTest, ::testing::Values(0, 1, 2));

TEST(BatchMakers, DistinctBoundsTheValues) {
  RandomShape shape;
  shape.distinct = 5;
  const auto schema = FlatSchema();
  for (const auto& field : schema->fields()) {
    const auto column = RandomArray(*field, 300, 1, shape);
    std::set<std::string> values;
    for (int64_t i = 0; i < column->length(); ++i) {
      if (column->IsValid(i)) values.insert(column->GetScalar(i).ValueOrDie()->ToString());
    }
    EXPECT_LE(values.size(), 5u) << field->name();
    EXPECT_GE(values.size(), 2u) << field->name();
  }
}

TEST(BatchMakers, NullListsKeepTheirValuesUntilTheyAreRebuilt) {
  const auto batch = MakeBatch(NestedSchema(), 300, 1);
  auto hidden = [](const arrow::RecordBatch& in) {
    const auto& lists = static_cast<const arrow::ListArray&>(*in.GetColumnByName("ints"));
    int64_t values = 0;
    for (int64_t i = 0; i < lists.length(); ++i) {
      if (lists.IsNull(i)) values += lists.value_length(i);
    }
    return values;
  };
  EXPECT_GT(hidden(*batch), 0);
  EXPECT_EQ(hidden(*StoreRows(*batch, 0, 300, RowStorage::kRebuilt)), 0);
}

}  // namespace
}  // namespace tailrace
