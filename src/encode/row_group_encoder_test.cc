#include "encode/row_group_encoder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crc64.h"
#include "encode/parquet_fields.h"
#include "encode/thrift_compact.h"
#include "encode/written_file_fixture.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using Batch = std::shared_ptr<arrow::RecordBatch>;
using testing::HasSubstr;

// Row by row as text, so that columns may come back with a wider unit.
void ExpectSameColumns(const arrow::RecordBatch& read, const arrow::RecordBatch& written) {
  ASSERT_EQ(read.num_rows(), written.num_rows());
  ASSERT_EQ(read.num_columns(), written.num_columns());
  for (int i = 0; i < written.num_columns(); ++i) {
    if (!read.column(i)->type()->Equals(written.column(i)->type())) {
      EXPECT_EQ(written.column_name(i), "time_s") << read.column(i)->type()->ToString();
      continue;
    }
    EXPECT_TRUE(read.column(i)->Equals(*written.column(i), arrow::EqualOptions().nans_equal(true)))
        << written.column_name(i);
  }
}

TEST(RowGroupEncoder, FileOfManyUnitsHoldsTheRows) {
  for (const auto& schema : {FlatSchema(), NestedSchema()}) {
    const Batch rows = MakeBatch(schema, 5000, 1);
    for (const int64_t rows_per_group : {100, 1700, 10000}) {
      ParquetOptions options;
      options.row_group_rows = rows_per_group;
      ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(schema, {rows}, options));
      EXPECT_EQ(static_cast<int64_t>(file.content.row_groups.size()), (5000 + rows_per_group - 1) / rows_per_group);
      ASSERT_OK_AND_ASSIGN(const Batch read, ReadBack(file.bytes));
      ExpectSameColumns(*read, *rows);
    }
  }
}

TEST(RowGroupEncoder, DictionariesComeBackAsDictionaries) {
  const Batch rows = MakeBatch(DictionarySchema(), 3000, 2);
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}));
  ASSERT_OK_AND_ASSIGN(const Batch read, ReadBack(file.bytes));
  for (const int column : {1, 2}) {
    ASSERT_EQ(read->column(column)->type_id(), arrow::Type::DICTIONARY);
    const auto& in = static_cast<const arrow::DictionaryArray&>(*rows->column(column));
    const auto& out = static_cast<const arrow::DictionaryArray&>(*read->column(column));
    const auto& in_values = static_cast<const arrow::StringArray&>(*in.dictionary());
    const auto& out_values = static_cast<const arrow::StringArray&>(*out.dictionary());
    for (int64_t i = 0; i < in.length(); ++i) {
      ASSERT_EQ(in.IsNull(i), out.IsNull(i));
      if (in.IsNull(i)) continue;
      ASSERT_EQ(in_values.GetView(in.GetValueIndex(i)), out_values.GetView(out.GetValueIndex(i)));
    }
  }
}

TEST(RowGroupEncoder, EveryCodec) {
  const Batch rows = MakeBatch(DictionarySchema(), 20000, 3);
  for (const Codec codec : {Codec::kNone, Codec::kSnappy, Codec::kGzip, Codec::kBrotli, Codec::kZstd, Codec::kLz4}) {
    ParquetOptions options;
    options.codec = codec;
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, options));
    ASSERT_OK_AND_ASSIGN(const Batch read, ReadBack(file.bytes));
    EXPECT_TRUE(read->column(0)->Equals(*rows->column(0)));
    EXPECT_TRUE(read->column(4)->Equals(*rows->column(4)));
  }
}

TEST(RowGroupEncoder, LevelsChangeTheBytesWithinTheirLimits) {
  const Batch rows = MakeBatch(DictionarySchema(), 20000, 3);
  ParquetOptions options;
  ASSERT_OK_AND_ASSIGN(const WrittenFile fast, WriteBatches(rows->schema(), {rows}, options));
  options.codec_level = 12;
  ASSERT_OK_AND_ASSIGN(const WrittenFile slow, WriteBatches(rows->schema(), {rows}, options));
  EXPECT_NE(fast.bytes.size(), slow.bytes.size());
  for (const auto& [codec, level] : std::vector<std::pair<Codec, int>>{
           {Codec::kZstd, 23}, {Codec::kGzip, 10}, {Codec::kGzip, 0}, {Codec::kBrotli, 12}}) {
    options.codec = codec;
    options.codec_level = level;
    const auto refused = PrepareSchema(rows->schema(), options);
    EXPECT_KIND(ErrorKind::kInvalid, refused);
    EXPECT_THAT(refused.status().message(), HasSubstr("codec_level " + std::to_string(level)));
  }
  options.codec = Codec::kSnappy;  // has no levels
  options.codec_level = 99;
  EXPECT_OK(PrepareSchema(rows->schema(), options));
}

TEST(RowGroupEncoder, PagesLieWhereTheirRelocatedIndexSays) {
  ParquetOptions options;
  options.row_group_rows = 50000;
  const Batch rows =
      MakeBatch(arrow::schema({arrow::field("n", arrow::int64()), arrow::field("t", arrow::utf8())}), 120000, 4);
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, options));
  int64_t group_begin = 4;
  for (int group = 0; group < 3; ++group) {
    const int64_t group_end = group_begin + file.content.row_groups[group].size_bytes;
    int64_t at = group_begin;
    for (int column = 0; column < 2; ++column) {
      ASSERT_OK_AND_ASSIGN(const PageIndexes pages, ReadPageIndexes(file.bytes, group, column));
      EXPECT_EQ(pages.offsets.size() > 1, group < 2) << "a page has 20,000 rows at most";
      EXPECT_EQ(pages.first_rows[0], 0);
      EXPECT_EQ(pages.min_values.size(), pages.offsets.size());
      for (size_t page = 0; page < pages.offsets.size(); ++page) {
        // A dictionary page may come before the first.
        if (page == 0) at = std::max(at, pages.offsets[page]);
        EXPECT_EQ(pages.offsets[page], at);
        at = pages.offsets[page] + pages.sizes[page];
      }
    }
    EXPECT_EQ(at, group_end);
    group_begin = group_end;
  }
}

TEST(RowGroupEncoder, StatisticsAndPageIndexCanBeLeftOut) {
  const Batch rows = MakeBatch(DictionarySchema(), 100, 5);
  ParquetOptions options;
  options.page_index = false;
  ASSERT_OK_AND_ASSIGN(const WrittenFile no_index, WriteBatches(rows->schema(), {rows}, options));
  EXPECT_FALSE(ReadPageIndexes(no_index.bytes, 0, 0).ok());
  ASSERT_OK_AND_ASSIGN(const ChunkBounds bounds, ReadChunkBounds(no_index.bytes, 0, 0));
  EXPECT_TRUE(bounds.has_min_max);
  for (const ColumnIndexBytes& index : no_index.content.row_groups[0].indexes) EXPECT_EQ(index, ColumnIndexBytes());
  options.statistics = false;
  ASSERT_OK_AND_ASSIGN(const WrittenFile neither, WriteBatches(rows->schema(), {rows}, options));
  EXPECT_FALSE(ReadChunkBounds(neither.bytes, 0, 0).ok());
  options.page_index = true;
  const auto refused = PrepareSchema(rows->schema(), options);
  EXPECT_KIND(ErrorKind::kInvalid, refused);
  EXPECT_THAT(refused.status().message(), HasSubstr("page_index"));
}

TEST(RowGroupEncoder, EntryHoldsNoPlaceOfIndexesAndOffsetsAsIfAlone) {
  const Batch rows = MakeBatch(DictionarySchema(), 500, 6);
  ParquetOptions options;
  options.row_group_rows = 200;
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, options));
  for (const RowGroupEntry& entry : file.content.row_groups) {
    ASSERT_OK_AND_ASSIGN(const ThriftStruct group, DecodeThrift(entry.metadata));
    EXPECT_EQ(*group.FindInt(row_group::kFileOffset), 4);
    EXPECT_EQ(*group.FindInt(row_group::kNumRows), entry.rows);
    EXPECT_EQ(*group.FindInt(row_group::kTotalCompressedSize), entry.size_bytes);
    for (const ThriftValue& column : group.FindList(row_group::kColumns)->values) {
      const auto& chunk = std::get<ThriftStruct>(column.data);
      EXPECT_EQ(chunk.Find(column_chunk::kColumnIndexOffset), nullptr);
      EXPECT_EQ(chunk.Find(column_chunk::kOffsetIndexLength), nullptr);
    }
  }
}

TEST(RowGroupEncoder, BytesAreCheckedSlices) {
  const Batch rows = MakeBatch(DictionarySchema(), 50000, 7);
  ASSERT_OK_AND_ASSIGN(const PreparedSchema schema,
                       PrepareSchema(arrow::schema({arrow::field("n", arrow::int64())}), {}));
  const auto encoder = RowGroupEncoder::Make(schema, {}, arrow::default_memory_pool(), std::nullopt);
  const auto column = arrow::RecordBatch::Make(schema.encoded, 50000, {rows->column(0)});
  ASSERT_OK(encoder->Write(*column));
  ASSERT_OK_AND_ASSIGN(const EncodedRowGroup group, encoder->Finish());
  const std::string bytes = group.bytes.ToString();
  EXPECT_EQ(static_cast<int64_t>(bytes.size()), group.entry.size_bytes);
  EXPECT_EQ(group.bytes.crc64(), Crc64Nvme(bytes.data(), bytes.size()));
  EXPECT_EQ(group.bytes.slices().size(), 5u) << "blocks of 16, 32, 64, 128 and 256 KiB";
}

// Small values and then large ones: pages are looked at after each chunk, so that none passes the limit by much.
// (Values this large have no statistics.)
TEST(RowGroupEncoder, PagesStayNearTheirLimit) {
  constexpr int64_t kMiB = 1 << 20;
  arrow::LargeStringBuilder builder;
  for (int i = 0; i < 100000; ++i) ASSERT_OK(builder.Append("ab"));
  for (int i = 0; i < 12; ++i) {
    std::string large(2 * kMiB, '\0');
    for (size_t at = 0; at < large.size(); ++at) large[at] = static_cast<char>('a' + (at * (i + 3) * 7919 / 13) % 26);
    ASSERT_OK(builder.Append(large));
  }
  ParquetOptions options;
  options.codec = Codec::kNone;
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(builder.Finish().ValueOrDie(), options));
  ASSERT_OK_AND_ASSIGN(const PageIndexes pages, ReadPageIndexes(file.bytes, 0, 0));
  EXPECT_GE(pages.sizes.size(), 12u + 4);
  for (const int64_t size : pages.sizes) EXPECT_LE(size, 3 * kMiB + 4096);
}

}  // namespace
}  // namespace tailrace
