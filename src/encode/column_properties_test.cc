// What is asked for by column, page and version is what is written, and what cannot be is refused by name.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/io/memory.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/bloom_filter.h>
#include <parquet/bloom_filter_reader.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include "encode/bloom_filters.h"
#include "encode/leaf_columns.h"
#include "encode/written_file_fixture.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using arrow::field;
using testing::ElementsAre;
using testing::HasSubstr;
using Batch = std::shared_ptr<arrow::RecordBatch>;

// id: 0, 1, 2, ...; mod: id modulo 10; l: lists of a struct with a text.
Batch MakeRows(int64_t rows) {
  arrow::Int64Builder ids, mods;
  for (int64_t i = 0; i < rows; ++i) {
    EXPECT_OK(ids.Append(i));
    EXPECT_OK(mods.Append(i % 10));
  }
  const auto list = arrow::list(arrow::struct_({field("t", arrow::utf8())}));
  const auto schema = arrow::schema({field("id", arrow::int64()), field("mod", arrow::int64()), field("l", list)});
  const Batch lists = MakeBatch(arrow::schema({field("l", list)}), rows, 1);
  return arrow::RecordBatch::Make(schema, rows,
                                  {ids.Finish().ValueOrDie(), mods.Finish().ValueOrDie(), lists->column(0)});
}

std::unique_ptr<parquet::ParquetFileReader> Open(const WrittenFile& file) {
  return parquet::ParquetFileReader::Open(
      std::make_shared<arrow::io::BufferReader>(std::make_shared<arrow::Buffer>(std::string_view(file.bytes))));
}

bool HasDictionary(const WrittenFile& file, int column) {
  return Open(file)->metadata()->RowGroup(0)->ColumnChunk(column)->has_dictionary_page();
}

std::string RefusalOf(const ParquetOptions& options, const arrow::FieldVector& fields) {
  const auto prepared = PrepareSchema(arrow::schema(fields), options);
  if (prepared.ok()) return "nothing was refused";
  EXPECT_EQ(KindOf(prepared.status()), ErrorKind::kInvalid);
  return prepared.status().message();
}

TEST(LeafColumns, ArePathsOfTheParquetSchema) {
  const auto schema =
      arrow::schema({field("a.b", arrow::int32()),
                     field("a", arrow::struct_({field("b", arrow::utf8()), field("c", arrow::boolean())})),
                     field("m", arrow::map(arrow::utf8(), arrow::list(arrow::float64())))});
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(schema, {}));
  std::vector<std::string> paths, ambiguous;
  for (const LeafColumn& leaf : prepared.leaves) {
    paths.push_back(leaf.path);
    if (leaf.ambiguous) ambiguous.push_back(leaf.path);
  }
  EXPECT_THAT(paths, ElementsAre("a.b", "a.b", "a.c", "m.key_value.key", "m.key_value.value.list.element"));
  EXPECT_THAT(ambiguous, ElementsAre("a.b", "a.b"));
  EXPECT_EQ(prepared.leaves[2].physical_type, parquet::Type::BOOLEAN);
  EXPECT_EQ(prepared.leaves[4].physical_type, parquet::Type::DOUBLE);
  EXPECT_KIND(ErrorKind::kBadState, FindLeafColumns("no footer"));
}

TEST(ColumnProperties, DictionariesByFileAndColumn) {
  const Batch rows = MakeRows(1000);
  ParquetOptions options;
  options.dictionary = false;
  options.columns = {{.path = "mod", .dictionary = true}};
  ASSERT_OK_AND_ASSIGN(const WrittenFile some, WriteBatches(rows->schema(), {rows}, options));
  EXPECT_FALSE(HasDictionary(some, 0));
  EXPECT_TRUE(HasDictionary(some, 1));
  EXPECT_FALSE(HasDictionary(some, 2));
  options.dictionary = true;
  options.columns = {{.path = "mod", .dictionary = false}, {.path = "l.list.element.t", .dictionary = false}};
  ASSERT_OK_AND_ASSIGN(const WrittenFile others, WriteBatches(rows->schema(), {rows}, options));
  EXPECT_FALSE(HasDictionary(others, 1));
  EXPECT_FALSE(HasDictionary(others, 2));
}

TEST(ColumnProperties, PagesHaveTheSizeAskedFor) {
  const Batch rows = MakeRows(100000);
  ParquetOptions options;
  options.codec = Codec::kNone;
  options.dictionary = false;
  int64_t pages_before = 0;
  for (const int64_t page_bytes : {int64_t{100000}, int64_t{10000}}) {
    options.page_bytes = page_bytes;
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, options));
    ASSERT_OK_AND_ASSIGN(const PageIndexes pages, ReadPageIndexes(file.bytes, 0, 0));
    // Looked at after 1024 rows; the last one is the rest.
    for (size_t i = 0; i + 1 < pages.sizes.size(); ++i) {
      EXPECT_GE(pages.sizes[i], page_bytes);
      EXPECT_LE(pages.sizes[i], page_bytes + 1024 * 8 + 100);
    }
    EXPECT_GT(static_cast<int64_t>(pages.sizes.size()), 3 * pages_before);
    pages_before = static_cast<int64_t>(pages.sizes.size());
  }
}

TEST(ColumnProperties, VersionsAndDataPageVersions) {
  const Batch rows = MakeRows(100);
  ParquetOptions options;
  for (const auto page_version : {DataPageVersion::kV1, DataPageVersion::kV2}) {
    options.data_page_version = page_version;
    for (const auto version : {ParquetVersion::k1_0, ParquetVersion::k2_4, ParquetVersion::k2_6}) {
      options.version = version;
      ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, options));
      const auto reader = Open(file);
      EXPECT_EQ(reader->metadata()->version() == parquet::ParquetVersion::PARQUET_1_0, version == ParquetVersion::k1_0);
      auto pages = reader->RowGroup(0)->GetColumnPageReader(0);
      bool second = false;
      while (const auto page = pages->NextPage()) second |= page->type() == parquet::PageType::DATA_PAGE_V2;
      EXPECT_EQ(second, page_version == DataPageVersion::kV2);
    }
  }
}

TEST(ColumnProperties, SortingColumnsStandInEveryRowGroup) {
  const Batch rows = MakeRows(100);
  ParquetOptions options;
  options.row_group_rows = 40;
  options.sorting_columns = {{.path = "mod", .descending = true}, {.path = "id", .nulls_first = true}};
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, options));
  const auto metadata = Open(file)->metadata();
  ASSERT_EQ(metadata->num_row_groups(), 3);
  for (int g = 0; g < 3; ++g) {
    const auto sorting = metadata->RowGroup(g)->sorting_columns();
    ASSERT_EQ(sorting.size(), 2u);
    EXPECT_EQ(sorting[0].column_idx, 1);
    EXPECT_TRUE(sorting[0].descending);
    EXPECT_FALSE(sorting[0].nulls_first);
    EXPECT_EQ(sorting[1].column_idx, 0);
    EXPECT_FALSE(sorting[1].descending);
    EXPECT_TRUE(sorting[1].nulls_first);
  }
}

// In each row group: right behind its pages, before the next one's, and knowing the values of that row group alone.
TEST(ColumnProperties, BloomFiltersFollowThePagesOfTheirRowGroup) {
  const Batch rows = MakeRows(3000);
  ParquetOptions options;
  options.row_group_rows = 1000;
  options.columns = {{.path = "id", .bloom_filter = BloomFilterOptions{1000, 0.01}},
                     {.path = "l.list.element.t", .bloom_filter = BloomFilterOptions{50, 0.1}}};
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, options, {1500}));
  const auto reader = Open(file);
  const auto metadata = reader->metadata();
  ASSERT_EQ(metadata->num_row_groups(), 4);
  int64_t begin = 4, first_row = 0;
  for (int g = 0; g < metadata->num_row_groups(); ++g) {
    const auto group = metadata->RowGroup(g);
    const int64_t end = begin + file.content.row_groups[g].size_bytes;
    for (const int column : {0, 2}) {
      const auto chunk = group->ColumnChunk(column);
      const int64_t at = chunk->bloom_filter_offset().value_or(0);
      ASSERT_GT(at, 0);
      EXPECT_GE(at, begin + group->total_compressed_size());
      EXPECT_LE(at + chunk->bloom_filter_length().value_or(0), end);
    }
    EXPECT_FALSE(group->ColumnChunk(1)->bloom_filter_offset());
    const auto filter = reader->GetBloomFilterReader().RowGroup(g)->GetColumnBloomFilter(0);
    int wrong = 0;
    for (int64_t id = 0; id < 3000; ++id) {
      const bool there = id >= first_row && id < first_row + group->num_rows();
      const bool found = filter->FindHash(filter->Hash(id));
      EXPECT_TRUE(found || !there) << id;
      wrong += found && !there ? 1 : 0;
    }
    EXPECT_LT(wrong, 2000 / 10);
    begin = end;
    first_row += group->num_rows();
  }
  EXPECT_GE(
      BloomFilterBytes(options) * 4, begin - 4 - [&] {
        int64_t pages = 0;
        for (int g = 0; g < 4; ++g) pages += metadata->RowGroup(g)->total_compressed_size();
        return pages;
      }());
}

TEST(ColumnProperties, TheSameBytesInAnyBatches) {
  const Batch rows = MakeRows(40000);
  ParquetOptions options;
  options.row_group_rows = 15000;
  options.page_bytes = 5000;
  options.data_page_version = DataPageVersion::kV2;
  options.sorting_columns = {{.path = "id"}};
  options.columns = {{.path = "id", .dictionary = false, .bloom_filter = BloomFilterOptions{}},
                     {.path = "l.list.element.t", .bloom_filter = BloomFilterOptions{2000, 0.2}}};
  ASSERT_OK_AND_ASSIGN(const WrittenFile whole, WriteBatches(rows->schema(), {rows}, options, {7000}));
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const auto batches = Rebatch(*rows, int64_t{100} << (2 * seed), seed);
    ASSERT_OK_AND_ASSIGN(const WrittenFile again, WriteBatches(rows->schema(), batches, options, {7000}));
    EXPECT_TRUE(again.bytes == whole.bytes) << seed;
  }
  ASSERT_OK_AND_ASSIGN(const Batch read, ReadBack(whole.bytes));
  EXPECT_TRUE(read->Equals(*rows));
}

TEST(ColumnProperties, WhatCannotBeIsRefusedNamingOptionAndColumn) {
  const arrow::FieldVector fields = {field("flag", arrow::boolean()), field("id", arrow::int64()),
                                     field("s", arrow::struct_({field("x", arrow::int8())})),
                                     field("s.x", arrow::int8())};
  const auto of_column = [&](const ColumnOptions& column) {
    ParquetOptions options;
    options.columns = {column};
    return RefusalOf(options, fields);
  };
  EXPECT_THAT(of_column({.path = "ID"}), HasSubstr("columns: column ID: the file has no such leaf column"));
  EXPECT_THAT(of_column({.path = "s"}),
              HasSubstr("columns: column s: it is nested; name its leaf columns, such as s.x"));
  EXPECT_THAT(of_column({.path = "s.x"}), HasSubstr("columns: column s.x: two leaf columns have this dotted path"));
  EXPECT_THAT(of_column({.path = "flag", .bloom_filter = BloomFilterOptions{}}),
              HasSubstr("bloom_filter: column flag: Parquet has no bloom filters for booleans"));
  EXPECT_THAT(of_column({.path = "id", .bloom_filter = BloomFilterOptions{0, 0.1}}), HasSubstr("distinct_values is 0"));
  EXPECT_THAT(of_column({.path = "id", .bloom_filter = BloomFilterOptions{10, 1.0}}),
              HasSubstr("false_positives is 1"));
  ParquetOptions options;
  options.columns = {{.path = "id"}, {.path = "id"}};
  EXPECT_THAT(RefusalOf(options, fields), HasSubstr("columns: column id: it is named twice"));
  options = {};
  options.sorting_columns = {{.path = "id"}, {.path = "nope"}};
  EXPECT_THAT(RefusalOf(options, fields), HasSubstr("sorting_columns: column nope: the file has no such"));
  for (const int64_t page_bytes : {int64_t{0}, int64_t{1} << 30}) {
    options = {};
    options.page_bytes = page_bytes;
    EXPECT_THAT(RefusalOf(options, fields), HasSubstr("page_bytes is " + std::to_string(page_bytes)));
  }
}

}  // namespace
}  // namespace tailrace
