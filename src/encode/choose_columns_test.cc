// Which encoding follows from which sizes.
#include "encode/choose_columns.h"

#include <optional>

#include <gtest/gtest.h>
#include <parquet/types.h>

namespace tailrace {
namespace {

const LeafColumn kLeaf{.path = "c", .physical_type = parquet::Type::INT64};
constexpr SampleScale kScale{.sample_rows = 10000, .group_rows = 1000000};

ColumnTrial Trial(TrialSize plain) {
  ColumnTrial trial;
  trial.slots = 10000;
  trial.plain = plain;
  return trial;
}

// A dictionary of 8-byte values.
TrialDictionary DictionaryOf(int64_t distinct, int64_t rest_bytes) {
  return {
      .values = 10000, .distinct = distinct, .page = {distinct * 8, distinct * 8}, .rest = {rest_bytes, rest_bytes}};
}

ColumnChoice Choose(const ColumnTrial& trial, const std::optional<ChunkFacts>& before = std::nullopt,
                    const ParquetOptions& options = {}, const SampleScale& scale = kScale) {
  return ChooseColumn(kLeaf, options, trial, scale, before);
}

TEST(ChooseColumn, ACodecMustSaveFivePerCent) {
  EXPECT_TRUE(Choose(Trial({80000, 76000})).compressed);
  EXPECT_EQ(Choose(Trial({80000, 76000})).chosen_bytes, 76000);
  EXPECT_FALSE(Choose(Trial({80000, 76001})).compressed);
  EXPECT_EQ(Choose(Trial({80000, 76001})).chosen_bytes, 80000);
  ParquetOptions options;
  options.codec = Codec::kNone;
  EXPECT_FALSE(Choose(Trial({80000, 80000}), std::nullopt, options).compressed);
}

TEST(ChooseColumn, WhatAnEncodingLeftIsNotCompressedForNothing) {
  ColumnTrial trial = Trial({80000, 50000});
  trial.delta = TrialSize{1600, 801};
  EXPECT_FALSE(Choose(trial).compressed);
  trial.delta = TrialSize{1600, 800};
  EXPECT_TRUE(Choose(trial).compressed);
}

TEST(ChooseColumn, ADearerEncodingMustSaveFivePerCent) {
  ColumnTrial trial = Trial({80000, 50000});
  trial.delta = TrialSize{47500, 47500};
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kDelta);
  EXPECT_FALSE(Choose(trial).compressed);
  trial.delta = TrialSize{47501, 47501};
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kPlain);
  EXPECT_TRUE(Choose(trial).compressed);
  trial.byte_stream_split = TrialSize{80000, 40000};
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kByteStreamSplit);
  trial.delta_length = TrialSize{38000, 38000};
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kDeltaLength);
  trial.delta_bytes = TrialSize{36000, 36000};
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kDeltaBytes);
}

TEST(ChooseColumn, DictionariesAreForValuesThatRepeat) {
  ColumnTrial trial = Trial({80000, 60000});
  trial.dictionary = DictionaryOf(100, 9000);
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kDictionary);
  // Nearly all differ: a million of them outgrow the page.
  trial.dictionary = DictionaryOf(9900, 18000);
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kPlain);
  // The same in a row group that is hardly larger than its sample.
  trial.dictionary = DictionaryOf(1000, 13000);
  EXPECT_EQ(Choose(trial, std::nullopt, {}, {10000, 10000}).encoding, ChunkEncoding::kDictionary);
  trial.dictionary->gave_way = true;
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kPlain);
}

// Half of the values are new ones: some 6,300 in all, of which the page is one for a hundred samples.
TEST(ChooseColumn, TheDictionaryPageIsSharedByTheRowGroup) {
  ColumnTrial trial = Trial({80000, 30000});
  trial.dictionary = DictionaryOf(5000, 16000);
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kDictionary);
  EXPECT_EQ(Choose(trial, std::nullopt, {}, {10000, 10000}).encoding, ChunkEncoding::kPlain);
}

ChunkFacts Before(ChunkEncoding encoding, bool compressed, int64_t raw_bytes, int64_t compressed_bytes) {
  ChunkFacts facts;
  facts.choice.encoding = encoding;
  facts.choice.compressed = compressed;
  facts.choice.reason = ChoiceReason::kSmallest;
  facts.raw_bytes = raw_bytes;
  facts.compressed_bytes = compressed_bytes;
  return facts;
}

TEST(ChooseColumn, ADictionaryThatGaveWayIsNotTriedAgain) {
  ColumnTrial trial = Trial({80000, 60000});
  trial.dictionary = DictionaryOf(2000, 14000);
  ChunkFacts before = Before(ChunkEncoding::kDictionary, true, 100, 50);
  EXPECT_EQ(Choose(trial, before).encoding, ChunkEncoding::kDictionary);
  before.dictionary_gave_way = true;
  const ColumnChoice plain = Choose(trial, before);
  EXPECT_EQ(plain.encoding, ChunkEncoding::kPlain);
  EXPECT_TRUE(plain.dictionary_gave_way);
  // Handed on by a row group that had none ...
  ChunkFacts later = Before(ChunkEncoding::kPlain, true, 100, 50);
  later.choice = plain;
  EXPECT_EQ(Choose(trial, later).encoding, ChunkEncoding::kPlain);
  EXPECT_TRUE(Choose(trial, later).dictionary_gave_way);
  // ... until values clearly repeat.
  trial.dictionary = DictionaryOf(10000 / 16, 12000);
  EXPECT_EQ(Choose(trial, later).encoding, ChunkEncoding::kDictionary);
  EXPECT_FALSE(Choose(trial, later).dictionary_gave_way);
}

TEST(ChooseColumn, ACodecThatSavedLittleIsNotTriedAgain) {
  const ColumnTrial trial = Trial({80000, 74000});
  EXPECT_TRUE(Choose(trial, Before(ChunkEncoding::kPlain, true, 1000, 950)).compressed);
  const ColumnChoice without = Choose(trial, Before(ChunkEncoding::kPlain, true, 1000, 951));
  EXPECT_FALSE(without.compressed);
  EXPECT_TRUE(without.codec_saved_little);
  ChunkFacts later = Before(ChunkEncoding::kPlain, false, 1000, 1000);
  later.choice = without;
  EXPECT_FALSE(Choose(trial, later).compressed);
  // Another encoding tells nothing, a clear saving more than the past.
  EXPECT_TRUE(Choose(trial, Before(ChunkEncoding::kDictionary, true, 1000, 999)).compressed);
  EXPECT_TRUE(Choose(Trial({80000, 72000}), later).compressed);
}

TEST(ChooseColumn, WithoutEnoughValuesItIsAsBeforeOrTheDefault) {
  ColumnTrial trial = Trial({800, 100});
  trial.slots = 255;
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kDictionary);
  EXPECT_EQ(Choose(trial).reason, ChoiceReason::kTooFewValues);
  ChunkFacts before = Before(ChunkEncoding::kDelta, false, 1000, 1000);
  before.choice.codec_saved_little = true;
  const ColumnChoice choice = Choose(trial, before);
  EXPECT_EQ(choice.encoding, ChunkEncoding::kDelta);
  EXPECT_EQ(choice.reason, ChoiceReason::kAsBefore);
  EXPECT_TRUE(choice.codec_saved_little);
  trial.slots = 256;
  EXPECT_EQ(Choose(trial).encoding, ChunkEncoding::kPlain);
}

TEST(ChooseColumn, OptionsAndPathsComeFirst) {
  ColumnTrial trial = Trial({80000, 60000});
  trial.dictionary = DictionaryOf(9990, 18000);
  ParquetOptions options;
  options.columns = {{.path = "c", .dictionary = true}};
  EXPECT_EQ(Choose(trial, std::nullopt, options).encoding, ChunkEncoding::kDictionary);
  EXPECT_EQ(Choose(trial, std::nullopt, options).reason, ChoiceReason::kByOption);
  LeafColumn shared = kLeaf;
  shared.ambiguous = true;
  const ColumnChoice choice = ChooseColumn(shared, {}, {}, kScale, std::nullopt);
  EXPECT_EQ(choice.reason, ChoiceReason::kSharedPath);
  EXPECT_EQ(choice.encoding, ChunkEncoding::kDictionary);
  EXPECT_TRUE(choice.compressed);
}

TEST(MayGet, FollowsTypeAndReaders) {
  const LeafColumn integers{.path = "i", .physical_type = parquet::Type::INT32};
  const LeafColumn doubles{.path = "d", .physical_type = parquet::Type::DOUBLE};
  const LeafColumn texts{.path = "t", .physical_type = parquet::Type::BYTE_ARRAY};
  const LeafColumn flags{.path = "b", .physical_type = parquet::Type::BOOLEAN};
  ParquetOptions options;
  for (const LeafColumn& leaf : {integers, doubles, texts, flags}) {
    EXPECT_TRUE(MayGet(leaf, ChunkEncoding::kPlain, options));
    EXPECT_FALSE(MayGet(leaf, ChunkEncoding::kDelta, options));
    EXPECT_FALSE(MayGet(leaf, ChunkEncoding::kDeltaLength, options));
    EXPECT_FALSE(MayGet(leaf, ChunkEncoding::kByteStreamSplit, options));
  }
  EXPECT_FALSE(MayGet(flags, ChunkEncoding::kDictionary, options));
  EXPECT_TRUE(MayGet(texts, ChunkEncoding::kDictionary, options));
  options.encodings = Encodings::kSpark;
  EXPECT_TRUE(MayGet(integers, ChunkEncoding::kDelta, options));
  EXPECT_TRUE(MayGet(texts, ChunkEncoding::kDeltaLength, options));
  EXPECT_TRUE(MayGet(texts, ChunkEncoding::kDeltaBytes, options));
  EXPECT_FALSE(MayGet(doubles, ChunkEncoding::kByteStreamSplit, options));
  options.encodings = Encodings::kAll;
  EXPECT_TRUE(MayGet(doubles, ChunkEncoding::kByteStreamSplit, options));
  EXPECT_FALSE(MayGet(texts, ChunkEncoding::kByteStreamSplit, options));
  options.dictionary = false;
  EXPECT_FALSE(MayGet(texts, ChunkEncoding::kDictionary, options));
  options.columns = {{.path = "t", .dictionary = true}};
  EXPECT_TRUE(MayGet(texts, ChunkEncoding::kDictionary, options));
}

TEST(EstimateDistinct, FollowsTheOddsOfDrawingAnew) {
  EXPECT_EQ(EstimateDistinct(1, 10000), 1);
  EXPECT_EQ(EstimateDistinct(100, 10000), 100);
  EXPECT_NEAR(EstimateDistinct(5000, 10000), 6280, 10);
  EXPECT_NEAR(EstimateDistinct(9375 - 1, 10000), 76000, 2000);
  EXPECT_EQ(EstimateDistinct(9999, 10000), kManyValues);
  int64_t before = 0;
  for (int64_t distinct = 1; distinct <= 1000; ++distinct) {
    const int64_t total = EstimateDistinct(distinct, 1000);
    EXPECT_GE(total, distinct);
    EXPECT_GE(total, before);
    before = total;
  }
}

}  // namespace
}  // namespace tailrace
