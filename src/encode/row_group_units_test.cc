// How columns are divided among writers and units decides no byte: neither of the data nor of what the state keeps.
#include "encode/row_group_units.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encode/division.h"
#include "encode/written_file_fixture.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using arrow::field;
using testing::ElementsAre;
using Random = std::mt19937_64;
using Batch = std::shared_ptr<arrow::RecordBatch>;

template <typename T>
T OneOf(const std::vector<T>& of, Random* random) {
  return of[(*random)() % of.size()];
}

// Some fields of every kind, in any order.
std::shared_ptr<arrow::Schema> RandomSchema(Random* random) {
  arrow::FieldVector all;
  for (const auto& schema : {FlatSchema(), NestedSchema(), DictionarySchema()}) {
    for (const auto& field : schema->fields()) {
      all.push_back(field->WithName(field->name() + "_" + std::to_string(all.size())));
    }
  }
  all.push_back(field("with.a.dot", arrow::int32()));
  all.push_back(field("with", arrow::struct_({field("a.dot", arrow::utf8())})));
  std::shuffle(all.begin(), all.end(), *random);
  all.resize(1 + (*random)() % 12);
  return arrow::schema(all);
}

ParquetOptions RandomOptions(const arrow::Schema& schema, Random* random) {
  ParquetOptions options;
  options.codec =
      OneOf<Codec>({Codec::kNone, Codec::kSnappy, Codec::kGzip, Codec::kBrotli, Codec::kZstd, Codec::kLz4}, random);
  options.encodings = OneOf<Encodings>({Encodings::kPortable, Encodings::kSpark, Encodings::kAll}, random);
  options.adaptive = (*random)() % 4 != 0;
  options.dictionary = (*random)() % 4 != 0;
  options.page_bytes = OneOf<int64_t>({500, 20000, 1 << 20}, random);
  options.data_page_version = OneOf<DataPageVersion>({DataPageVersion::kV1, DataPageVersion::kV2}, random);
  options.page_index = (*random)() % 4 != 0;
  options.row_group_rows = OneOf<int64_t>({700, 2500, 100000}, random);
  const auto prepared = PrepareSchema(std::make_shared<arrow::Schema>(schema), options);
  if (!prepared.ok()) return options;
  for (const LeafColumn& leaf : prepared->leaves) {
    if (leaf.ambiguous) continue;
    if ((*random)() % 6 == 0) options.sorting_columns.push_back({.path = leaf.path, .descending = true});
    if (leaf.physical_type == 0 || (*random)() % 3 != 0) continue;  // no bloom filters for booleans
    options.columns.push_back({.path = leaf.path, .bloom_filter = BloomFilterOptions{2000, 0.1}});
  }
  return options;
}

// Any number of writers in any number of units.
Division RandomDivision(int fields, Random* random) {
  Division division;
  for (int i = 0; i < fields; ++i) {
    if (i == 0 || (*random)() % 3 == 0) division.emplace_back();
    auto& writers = division.back().field_counts;
    if (writers.empty() || (*random)() % 2 == 0) writers.push_back(0);
    ++writers.back();
  }
  return division;
}

TEST(RowGroupUnits, NoDivisionChangesAByte) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto schema = RandomSchema(&random);
    const ParquetOptions options = RandomOptions(*schema, &random);
    RandomShape shape;
    shape.distinct = OneOf<int64_t>({0, 20}, &random);
    const Batch rows = MakeBatch(schema, 3000, seed, shape);
    const std::vector<int64_t> flush_at = {900, 2000};
    const Division one = {{.field_counts = {schema->num_fields()}}};
    ASSERT_OK_AND_ASSIGN(const WrittenFile whole, WriteBatches(schema, {rows}, options, flush_at, [&] { return one; }));
    for (int i = 0; i < 3; ++i) {
      const auto divide = [&] { return RandomDivision(schema->num_fields(), &random); };
      ASSERT_OK_AND_ASSIGN(const WrittenFile divided,
                           WriteBatches(schema, Rebatch(*rows, 800, seed), options, flush_at, divide));
      ASSERT_TRUE(divided.bytes == whole.bytes) << "seed " << seed << ": " << schema->ToString();
      ASSERT_TRUE(divided.content == whole.content) << "seed " << seed << ": " << schema->ToString();
    }
    ASSERT_OK_AND_ASSIGN(const WrittenFile balanced, WriteBatches(schema, {rows}, options, flush_at));
    ASSERT_TRUE(balanced.bytes == whole.bytes) << "seed " << seed << ": " << schema->ToString();
    ASSERT_OK_AND_ASSIGN(const Batch read, ReadBack(whole.bytes));
    EXPECT_EQ(read->num_rows(), 3000);
  }
}

// Large enough for dictionaries that give way and pages that fill, in a writer of its own and in a shared one.
TEST(RowGroupUnits, LongColumnsAreTheSameAloneAndTogether) {
  const auto schema = arrow::schema({field("i", arrow::int64(), false), field("t", arrow::utf8()),
                                     field("d", arrow::float64()), field("l", arrow::list(arrow::utf8()))});
  const Batch rows = MakeBatch(schema, 100000, 3);
  for (const bool adaptive : {true, false}) {
    ParquetOptions options;
    options.adaptive = adaptive;
    options.encodings = Encodings::kAll;
    const Division together = {{.field_counts = {4}}};
    const Division apart = {{.field_counts = {1, 1}}, {.field_counts = {1, 1}}};
    ASSERT_OK_AND_ASSIGN(const WrittenFile one, WriteBatches(schema, {rows}, options, {}, [&] { return together; }));
    ASSERT_OK_AND_ASSIGN(const WrittenFile two, WriteBatches(schema, {rows}, options, {}, [&] { return apart; }));
    EXPECT_TRUE(one.bytes == two.bytes);
    EXPECT_TRUE(one.content == two.content);
  }
}

std::vector<int64_t> Fields(const Division& division) {
  std::vector<int64_t> fields;
  for (const UnitFields& unit : division) {
    fields.push_back(std::accumulate(unit.field_counts.begin(), unit.field_counts.end(), int64_t{0}));
  }
  return fields;
}

Division DividePlain(const std::vector<int64_t>& weights, int most_units) {
  std::vector<FieldWeight> fields;
  for (const int64_t weight : weights) fields.push_back({.weight = weight});
  return DivideWeights(fields, most_units);
}

TEST(Division, UnitsHaveAboutEqualWork) {
  EXPECT_THAT(Fields(DividePlain({8, 8, 26}, 8)), ElementsAre(1, 1, 1));
  EXPECT_THAT(Fields(DividePlain({8, 8, 26}, 1)), ElementsAre(3));
  EXPECT_THAT(Fields(DividePlain({1, 1, 1, 1, 1, 1, 1, 1}, 4)), ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(Fields(DividePlain({1, 1, 100, 1, 1}, 4)), ElementsAre(2, 1, 2));
  EXPECT_THAT(Fields(DividePlain({0, 0, 0}, 4)), ElementsAre(3));
  EXPECT_THAT(Fields(DividePlain({5}, 0)), ElementsAre(1));
  const Division wide = DividePlain(std::vector<int64_t>(5000, 3), 8);
  EXPECT_EQ(wide.size(), 8u);
  for (const UnitFields& unit : wide) {
    EXPECT_EQ(unit.weight, 625 * 3);
    EXPECT_EQ(unit.field_counts.size(), 1u) << "narrow columns share a writer";
  }
}

TEST(Division, ColumnsThatStandAloneHaveWritersOfTheirOwnInAnyUnit) {
  const std::vector<FieldWeight> fields = {{1}, {1}, {9, true}, {9, true}, {1}, {1}};
  EXPECT_THAT(DivideWeights(fields, 1), ElementsAre(UnitFields{{2, 1, 1, 2}, 22}));
  const Division two = DivideWeights(fields, 2);
  EXPECT_THAT(two, ElementsAre(UnitFields{{2, 1}, 11}, UnitFields{{1, 2}, 11}));
}

TEST(Division, SmallChunksAreOneUnitAndNestedColumnsShareAWriter) {
  const auto schema =
      arrow::schema({field("a", arrow::int64()), field("s", arrow::struct_({field("b", arrow::int64())})),
                     field("l", arrow::list(arrow::int64())), field("c", arrow::int64())});
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(schema, {}));
  const Division small = DivideFields(*MakeBatch(schema, 100, 1), prepared, 8);
  ASSERT_EQ(small.size(), 1u);
  EXPECT_THAT(small[0].field_counts, ElementsAre(4));
  const Division one = DivideFields(*MakeBatch(schema, 16384, 1), prepared, 1);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_THAT(one[0].field_counts, ElementsAre(1, 2, 1));
  EXPECT_EQ(DivideFields(*MakeBatch(schema, 16384, 1), prepared, 8).size(), 4u);
}

}  // namespace
}  // namespace tailrace
