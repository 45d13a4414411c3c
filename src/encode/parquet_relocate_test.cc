#include "encode/parquet_relocate.h"

#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "encode/parquet_fields.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

ThriftStruct ChunkWithAllOffsets() {
  ThriftStruct metadata;
  metadata.Set(column_metadata::kNumValues, ThriftValue::I64(99));
  metadata.Set(column_metadata::kDataPageOffset, ThriftValue::I64(100));
  metadata.Set(column_metadata::kIndexPageOffset, ThriftValue::I64(101));
  metadata.Set(column_metadata::kDictionaryPageOffset, ThriftValue::I64(102));
  metadata.Set(column_metadata::kBloomFilterOffset, ThriftValue::I64(103));
  metadata.Set(77, ThriftValue::Binary("of a newer format"));
  ThriftStruct chunk;
  chunk.Set(column_chunk::kFileOffset, ThriftValue::I64(104));
  chunk.Set(column_chunk::kMetaData, ThriftValue::Struct(std::move(metadata)));
  chunk.Set(column_chunk::kOffsetIndexOffset, ThriftValue::I64(105));
  chunk.Set(column_chunk::kOffsetIndexLength, ThriftValue::I32(50));
  chunk.Set(column_chunk::kColumnIndexOffset, ThriftValue::I64(106));
  chunk.Set(column_chunk::kColumnIndexLength, ThriftValue::I32(51));
  return chunk;
}

ThriftStruct GroupOf(ThriftStruct chunk) {
  ThriftStruct group;
  group.Set(row_group::kColumns, ThriftValue::List({ThriftType::kStruct, {ThriftValue::Struct(std::move(chunk))}}));
  group.Set(row_group::kNumRows, ThriftValue::I64(7));
  group.Set(row_group::kFileOffset, ThriftValue::I64(107));
  return group;
}

const ThriftStruct& ChunkOf(const ThriftStruct& group) {
  return std::get<ThriftStruct>(group.FindList(row_group::kColumns)->values[0].data);
}

TEST(ParquetRelocate, EveryOffsetMovesAndNothingElse) {
  ThriftStruct group = GroupOf(ChunkWithAllOffsets());
  ASSERT_OK(ShiftRowGroup(&group, 1000));
  const ThriftStruct& chunk = ChunkOf(group);
  const ThriftStruct& metadata = *chunk.FindStruct(column_chunk::kMetaData);
  EXPECT_EQ(*metadata.FindInt(column_metadata::kDataPageOffset), 1100);
  EXPECT_EQ(*metadata.FindInt(column_metadata::kIndexPageOffset), 1101);
  EXPECT_EQ(*metadata.FindInt(column_metadata::kDictionaryPageOffset), 1102);
  EXPECT_EQ(*metadata.FindInt(column_metadata::kBloomFilterOffset), 1103);
  EXPECT_EQ(*chunk.FindInt(column_chunk::kFileOffset), 1104);
  EXPECT_EQ(*chunk.FindInt(column_chunk::kOffsetIndexOffset), 1105);
  EXPECT_EQ(*chunk.FindInt(column_chunk::kColumnIndexOffset), 1106);
  EXPECT_EQ(*group.FindInt(row_group::kFileOffset), 1107);
  EXPECT_EQ(*metadata.FindInt(column_metadata::kNumValues), 99);
  EXPECT_EQ(*metadata.FindBinary(77), "of a newer format");
  EXPECT_EQ(*chunk.FindInt(column_chunk::kOffsetIndexLength), 50);
  EXPECT_EQ(*chunk.FindInt(column_chunk::kColumnIndexLength), 51);
  EXPECT_EQ(*group.FindInt(row_group::kNumRows), 7);
}

TEST(ParquetRelocate, ThereAndBackIsTheSame) {
  ThriftStruct group = GroupOf(ChunkWithAllOffsets());
  const std::string before = EncodeThrift(group);
  ASSERT_OK(ShiftRowGroup(&group, int64_t{1} << 40));
  EXPECT_NE(EncodeThrift(group), before);
  ASSERT_OK(ShiftRowGroup(&group, -(int64_t{1} << 40)));
  EXPECT_EQ(EncodeThrift(group), before);
}

TEST(ParquetRelocate, ZeroStaysZero) {
  ThriftStruct chunk = ChunkWithAllOffsets();
  *chunk.FindInt(column_chunk::kFileOffset) = 0;
  *chunk.FindStruct(column_chunk::kMetaData)->FindInt(column_metadata::kDictionaryPageOffset) = 0;
  ThriftStruct group = GroupOf(std::move(chunk));
  ASSERT_OK(ShiftRowGroup(&group, 1000));
  EXPECT_EQ(*ChunkOf(group).FindInt(column_chunk::kFileOffset), 0);
  const ThriftStruct& metadata = *ChunkOf(group).FindStruct(column_chunk::kMetaData);
  EXPECT_EQ(*metadata.FindInt(column_metadata::kDictionaryPageOffset), 0);
}

TEST(ParquetRelocate, OffsetsOutOfRangeAreRefused) {
  for (const int64_t offset : {int64_t{-5}, std::numeric_limits<int64_t>::max()}) {
    ThriftStruct chunk = ChunkWithAllOffsets();
    *chunk.FindInt(column_chunk::kFileOffset) = offset;
    ThriftStruct group = GroupOf(std::move(chunk));
    EXPECT_KIND(ErrorKind::kInvalid, ShiftRowGroup(&group, 1000));
  }
}

TEST(ParquetRelocate, TreesThatAreNoRowGroupAreRefused) {
  ThriftStruct empty;
  EXPECT_KIND(ErrorKind::kInvalid, ShiftRowGroup(&empty, 1));
  ThriftStruct without_metadata = GroupOf({});
  EXPECT_KIND(ErrorKind::kInvalid, ShiftRowGroup(&without_metadata, 1));
  ThriftStruct numbers;
  numbers.Set(row_group::kColumns, ThriftValue::List({ThriftType::kI32, {ThriftValue::I32(1)}}));
  EXPECT_KIND(ErrorKind::kInvalid, ShiftRowGroup(&numbers, 1));
}

TEST(ParquetRelocate, PagesOfAnOffsetIndexMove) {
  ThriftStruct location;
  location.Set(page_location::kOffset, ThriftValue::I64(4));
  location.Set(2, ThriftValue::I32(500));
  location.Set(3, ThriftValue::I64(12));
  ThriftStruct index;
  index.Set(offset_index::kPageLocations,
            ThriftValue::List({ThriftType::kStruct, {ThriftValue::Struct(location), ThriftValue::Struct(location)}}));
  ASSERT_OK(ShiftOffsetIndex(&index, 1 << 30));
  for (const ThriftValue& value : index.FindList(offset_index::kPageLocations)->values) {
    EXPECT_EQ(*std::get<ThriftStruct>(value.data).FindInt(page_location::kOffset), (1 << 30) + 4);
    EXPECT_EQ(*std::get<ThriftStruct>(value.data).FindInt(2), 500);
    EXPECT_EQ(*std::get<ThriftStruct>(value.data).FindInt(3), 12);
  }
  ThriftStruct empty;
  EXPECT_KIND(ErrorKind::kInvalid, ShiftOffsetIndex(&empty, 1));
}

}  // namespace
}  // namespace tailrace
