// What real values are written as, and that it follows from rows, options and earlier row groups alone.
#include "encode/adaptive_columns.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encode/chunk_facts.h"
#include "encode/row_group_encoder.h"
#include "encode/written_file_fixture.h"
#include "tailrace/inspect.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using arrow::field;
using Batch = std::shared_ptr<arrow::RecordBatch>;

enum Column { kId, kNoise, kKey, kWord, kPrice, kFlag };

// Sequence numbers, random doubles, distinct texts, few texts, rounded doubles, booleans.
Batch MakeRows(int64_t rows, uint64_t seed) {
  std::mt19937_64 random(seed);
  arrow::Int64Builder ids;
  arrow::DoubleBuilder noise, prices;
  arrow::StringBuilder keys, texts;
  arrow::BooleanBuilder flags;
  for (int64_t i = 0; i < rows; ++i) {
    EXPECT_OK(ids.Append(static_cast<int64_t>(seed << 32) + i));
    EXPECT_OK(noise.Append(static_cast<double>(random()) / 1e19));
    EXPECT_OK(keys.Append("user-" + std::to_string(random())));
    EXPECT_OK(texts.Append("word number " + std::to_string(random() % 50)));
    EXPECT_OK(prices.Append(static_cast<double>(random() % 1000000) / 100));
    EXPECT_OK(flags.Append(random() % 2 == 0));
  }
  const auto schema =
      arrow::schema({field("id", arrow::int64()), field("noise", arrow::float64()), field("key", arrow::utf8()),
                     field("word", arrow::utf8()), field("price", arrow::float64()), field("flag", arrow::boolean())});
  return arrow::RecordBatch::Make(
      schema, rows,
      {ids.Finish().ValueOrDie(), noise.Finish().ValueOrDie(), keys.Finish().ValueOrDie(), texts.Finish().ValueOrDie(),
       prices.Finish().ValueOrDie(), flags.Finish().ValueOrDie()});
}

std::vector<ChunkEncoding> EncodingsOf(const RowGroupEntry& entry) {
  std::vector<ChunkEncoding> out;
  for (const ColumnChoice& choice : entry.choices) out.push_back(choice.encoding);
  return out;
}

ParquetOptions With(Encodings encodings) {
  ParquetOptions options;
  options.encodings = encodings;
  return options;
}

TEST(AdaptiveColumns, EachGetsWhatItsValuesDeserve) {
  using enum ChunkEncoding;
  const Batch rows = MakeRows(20000, 1);
  ASSERT_OK_AND_ASSIGN(const WrittenFile portable, WriteBatches(rows->schema(), {rows}));
  const auto& choices = portable.content.row_groups[0].choices;
  EXPECT_EQ(EncodingsOf(portable.content.row_groups[0]),
            (std::vector<ChunkEncoding>{kPlain, kPlain, kPlain, kDictionary, kPlain, kPlain}));
  EXPECT_TRUE(choices[kId].compressed);
  EXPECT_TRUE(choices[kKey].compressed);
  EXPECT_FALSE(choices[kFlag].compressed);
  ASSERT_OK_AND_ASSIGN(const WrittenFile spark, WriteBatches(rows->schema(), {rows}, With(Encodings::kSpark)));
  EXPECT_EQ(spark.content.row_groups[0].choices[kId].encoding, kDelta);
  EXPECT_FALSE(spark.content.row_groups[0].choices[kId].compressed);
  EXPECT_EQ(spark.content.row_groups[0].choices[kNoise].encoding, kPlain);
  ASSERT_OK_AND_ASSIGN(const WrittenFile all, WriteBatches(rows->schema(), {rows}, With(Encodings::kAll)));
  EXPECT_EQ(all.content.row_groups[0].choices[kId].encoding, kDelta);
  EXPECT_EQ(all.content.row_groups[0].choices[kNoise].encoding, kByteStreamSplit);
  EXPECT_LT(all.bytes.size(), spark.bytes.size());
  EXPECT_LT(spark.bytes.size(), portable.bytes.size());
  ParquetOptions off;
  off.adaptive = false;
  ASSERT_OK_AND_ASSIGN(const WrittenFile library, WriteBatches(rows->schema(), {rows}, off));
  EXPECT_TRUE(library.content.row_groups[0].choices.empty());
  EXPECT_LT(spark.bytes.size(), library.bytes.size());
  for (const WrittenFile* file : {&portable, &spark, &all, &library}) {
    ASSERT_OK_AND_ASSIGN(const Batch read, ReadBack(file->bytes));
    EXPECT_TRUE(read->Equals(*rows));
  }
}

TEST(AdaptiveColumns, ChunksAreWrittenAsChosen) {
  const Batch rows = MakeRows(20000, 2);
  for (const Encodings encodings : {Encodings::kPortable, Encodings::kSpark, Encodings::kAll}) {
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, With(encodings)));
    ASSERT_OK_AND_ASSIGN(const auto facts, ReadChunkFacts(file.content.row_groups[0]));
    ASSERT_EQ(facts.size(), 6u);
    for (const ChunkFacts& chunk : facts) {
      EXPECT_EQ(chunk.raw_bytes != chunk.compressed_bytes, chunk.choice.compressed);
      EXPECT_EQ(chunk.choice.reason, ChoiceReason::kSmallest);
      EXPECT_LE(chunk.choice.chosen_bytes, chunk.choice.plain_bytes);
      EXPECT_FALSE(chunk.dictionary_gave_way);
    }
  }
}

TEST(AdaptiveColumns, EveryTypeComesBack) {
  for (const auto& schema : {FlatSchema(), NestedSchema(), DictionarySchema()}) {
    const Batch rows = MakeBatch(schema, 1500, 3);
    ParquetOptions off;
    off.adaptive = false;
    ASSERT_OK_AND_ASSIGN(const WrittenFile plain, WriteBatches(schema, {rows}, off));
    ASSERT_OK_AND_ASSIGN(const Batch expected, ReadBack(plain.bytes));
    ParquetOptions options = With(Encodings::kAll);
    options.row_group_rows = 400;
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(schema, {rows}, options));
    ASSERT_OK_AND_ASSIGN(const Batch read, ReadBack(file.bytes));
    EXPECT_TRUE(read->Equals(*expected, /*check_metadata=*/false, arrow::EqualOptions().nans_equal(true)));
  }
}

TEST(AdaptiveColumns, TheSameBytesInAnyBatches) {
  const Batch rows = MakeRows(40000, 4);
  ParquetOptions options = With(Encodings::kAll);
  options.row_group_rows = 6000;
  ASSERT_OK_AND_ASSIGN(const WrittenFile whole, WriteBatches(rows->schema(), {rows}, options, {15000, 15100}));
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto batches = Rebatch(*rows, int64_t{200} << (3 * seed), seed);
    ASSERT_OK_AND_ASSIGN(const WrittenFile again, WriteBatches(rows->schema(), batches, options, {15000, 15100}));
    EXPECT_TRUE(again.bytes == whole.bytes) << seed;
    EXPECT_TRUE(again.content == whole.content) << seed;
  }
}

// A row group of 100 rows cannot tell; the one two before can.
TEST(AdaptiveColumns, SmallRowGroupsFollowTheOneTwoBefore) {
  const Batch rows = MakeRows(9000, 5);
  ASSERT_OK_AND_ASSIGN(const WrittenFile file,
                       WriteBatches(rows->schema(), {rows}, With(Encodings::kAll), {100, 8000, 8100, 8200}));
  const auto& groups = file.content.row_groups;
  ASSERT_EQ(groups.size(), 5u);
  EXPECT_EQ(groups[0].choices[kId].reason, ChoiceReason::kTooFewValues);
  EXPECT_EQ(groups[1].choices[kId].reason, ChoiceReason::kSmallest);
  EXPECT_EQ(groups[2].choices[kId].reason, ChoiceReason::kAsBefore);
  EXPECT_EQ(groups[2].choices[kId].encoding, groups[0].choices[kId].encoding);
  EXPECT_EQ(groups[3].choices[kId].reason, ChoiceReason::kAsBefore);
  EXPECT_EQ(groups[3].choices[kId].encoding, ChunkEncoding::kDelta);
  EXPECT_EQ(groups[4].choices[kId].encoding, ChunkEncoding::kDelta);
}

Batch MakeWords(int64_t rows, uint64_t seed, uint64_t words) {
  std::mt19937_64 random(seed);
  arrow::StringBuilder texts;
  for (int64_t i = 0; i < rows; ++i)
    EXPECT_OK(texts.Append("a word of some length " + std::to_string(random() % words)));
  return arrow::RecordBatch::Make(arrow::schema({field("word", arrow::utf8())}), rows, {texts.Finish().ValueOrDie()});
}

// The head of the row groups has few words, the rest nearly as many as rows.
TEST(AdaptiveColumns, ADictionaryThatGivesWayIsLeftOutTwoRowGroupsLater) {
  std::vector<Batch> batches;
  for (uint64_t group = 0; group < 4; ++group) {
    batches.push_back(MakeWords(16384, 10 + group, 2000));
    batches.push_back(MakeWords(50000, 20 + group, 1000000));
  }
  const int64_t rows = 16384 + 50000;
  ASSERT_OK_AND_ASSIGN(const WrittenFile file,
                       WriteBatches(batches[0]->schema(), batches, {}, {rows, 2 * rows, 3 * rows}));
  const auto& groups = file.content.row_groups;
  ASSERT_EQ(groups.size(), 4u);
  for (int g = 0; g < 2; ++g) {
    EXPECT_EQ(groups[g].choices[0].encoding, ChunkEncoding::kDictionary);
    ASSERT_OK_AND_ASSIGN(const auto facts, ReadChunkFacts(groups[g]));
    EXPECT_TRUE(facts[0].dictionary_gave_way);
    EXPECT_FALSE(groups[g].choices[0].dictionary_gave_way);
  }
  for (int g = 2; g < 4; ++g) {
    EXPECT_EQ(groups[g].choices[0].encoding, ChunkEncoding::kPlain);
    EXPECT_TRUE(groups[g].choices[0].dictionary_gave_way);
  }
}

TEST(AdaptiveColumns, ColumnsThatShareAPathKeepTheDefaults) {
  const auto schema =
      arrow::schema({field("a.b", arrow::int64()), field("a", arrow::struct_({field("b", arrow::int64())})),
                     field("c", arrow::int64())});
  const auto ids = MakeRows(5000, 6)->column(kId);
  const auto inner = arrow::StructArray::Make({ids}, arrow::FieldVector{field("b", arrow::int64())}).ValueOrDie();
  const Batch rows = arrow::RecordBatch::Make(schema, 5000, {ids, inner, ids});
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(schema, {rows}, With(Encodings::kAll)));
  const auto& choices = file.content.row_groups[0].choices;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(choices[i].reason, ChoiceReason::kSharedPath);
    EXPECT_EQ(choices[i].encoding, ChunkEncoding::kDictionary);
    EXPECT_TRUE(choices[i].compressed);
  }
  EXPECT_EQ(choices[2].encoding, ChunkEncoding::kDelta);
  ASSERT_OK_AND_ASSIGN(const Batch read, ReadBack(file.bytes));
  EXPECT_TRUE(read->Equals(*rows));
}

TEST(AdaptiveColumns, CanBeDescribedWithTheirReasons) {
  const Batch rows = MakeRows(5000, 8);
  ParquetOptions options = With(Encodings::kAll);
  options.columns = {{.path = "key", .dictionary = true}};
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}, options, {4900}));
  ASSERT_OK_AND_ASSIGN(const auto last, DescribeChoices(file.content));
  ASSERT_EQ(last.size(), 6u);
  EXPECT_EQ(last[kId].why, "the default, with too few values to choose by");
  ParquetContent first = file.content;
  first.row_groups.pop_back();
  ASSERT_OK_AND_ASSIGN(const auto columns, DescribeChoices(first));
  EXPECT_EQ(columns[kId].path, "id");
  EXPECT_EQ(columns[kId].encoding, "delta binary packed");
  EXPECT_FALSE(columns[kId].compressed);
  EXPECT_THAT(columns[kId].why, testing::MatchesRegex("smallest in a sample: [0-9]+ bytes, plain [0-9]+"));
  EXPECT_EQ(columns[kKey].encoding, "dictionary");
  EXPECT_THAT(columns[kKey].why, testing::StartsWith("by an option: "));
  first.row_groups.pop_back();
  ASSERT_OK_AND_ASSIGN(const auto none, DescribeChoices(first));
  EXPECT_TRUE(none.empty());
}

TEST(AdaptiveColumns, FactsOfAnotherFileAreABadState) {
  const Batch rows = MakeRows(2000, 7);
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(rows->schema(), {rows}));
  RowGroupEntry entry = file.content.row_groups[0];
  entry.choices.pop_back();
  EXPECT_KIND(ErrorKind::kBadState, MakeChoiceBasis(*rows, 6, {}, &entry));
  entry = file.content.row_groups[0];
  entry.metadata = "no thrift";
  EXPECT_KIND(ErrorKind::kBadState, MakeChoiceBasis(*rows, 6, {}, &entry));
}

}  // namespace
}  // namespace tailrace
