#include "c/import.h"

#include <memory>
#include <vector>

#include <arrow/array/array_nested.h>
#include <arrow/array/array_primitive.h>
#include <arrow/array/util.h>
#include <arrow/c/bridge.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace::c {
namespace {

const auto kSchema = arrow::schema({arrow::field("id", arrow::int64())});

// A batch over memory of the test, which it must not outlive.
struct Rows {
  std::vector<int64_t> values{0, 1, 2, 3, 4, 5, 6, 7};

  ArrowArray Export() {
    auto buffer = arrow::Buffer::Wrap(values);
    auto ids = std::make_shared<arrow::Int64Array>(static_cast<int64_t>(values.size()), buffer);
    ArrowArray array;
    EXPECT_TRUE(arrow::ExportRecordBatch(*arrow::RecordBatch::Make(kSchema, ids->length(), {ids}), &array).ok());
    return array;
  }
};

TEST(Import, TheBuffersOfABatchAreUsedWhereTheyLie) {
  Rows rows;
  ArrowArray array = rows.Export();
  Taken<ArrowArray> taken(&array);
  Taken<ArrowSchema> no_type(nullptr);
  ASSERT_OK_AND_ASSIGN(auto batch, ImportBatch(taken, no_type, kSchema));
  EXPECT_FALSE(taken.present());
  EXPECT_EQ(batch->column_data(0)->buffers[1]->data(), reinterpret_cast<const uint8_t*>(rows.values.data()));
}

TEST(Import, ABatchMayBeginBehindTheFirstRowOfItsBuffers) {
  Rows rows;
  ArrowArray array = rows.Export();
  array.offset = 2;
  array.length = 3;
  Taken<ArrowArray> taken(&array);
  ASSERT_OK_AND_ASSIGN(auto batch, ImportBatch(taken, Taken<ArrowSchema>(nullptr), kSchema));
  ASSERT_EQ(batch->num_rows(), 3);
  EXPECT_EQ(static_cast<const arrow::Int64Array&>(*batch->column(0)).Value(0), 2);
  EXPECT_EQ(batch->column_data(0)->buffers[1]->data(), reinterpret_cast<const uint8_t*>(rows.values.data()));
}

TEST(Import, WhatNobodyMovedIsReleasedOnce) {
  Rows rows;
  ArrowArray array = rows.Export();
  {
    Taken<ArrowArray> taken(&array);
  }
  EXPECT_EQ(array.release, nullptr);
  {
    Taken<ArrowArray> again(&array);
  }
  {
    Taken<ArrowArray> nothing(nullptr);
  }
}

TEST(Import, ABatchOfItsOwnTypeKeepsItsNames) {
  Rows rows;
  ArrowArray array = rows.Export();
  ArrowSchema type;
  ASSERT_TRUE(arrow::ExportSchema(*arrow::schema({arrow::field("other", arrow::int64())}), &type).ok());
  Taken<ArrowArray> taken(&array);
  Taken<ArrowSchema> taken_type(&type);
  ASSERT_OK_AND_ASSIGN(auto batch, ImportBatch(taken, taken_type, kSchema));
  EXPECT_EQ(batch->schema()->field(0)->name(), "other");
}

}  // namespace
}  // namespace tailrace::c
