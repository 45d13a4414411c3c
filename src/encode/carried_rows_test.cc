#include "encode/carried_rows.h"

#include <random>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/compare.h>
#include <arrow/extension/uuid.h>
#include <arrow/extension_type.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/writer.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encode/batch_adapter.h"
#include "state/packed_bytes.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using ::testing::HasSubstr;
using Batch = std::shared_ptr<arrow::RecordBatch>;

// A batch as the re-cutter gives it out.
struct Adapted {
  explicit Adapted(const Batch& batch)
      : schema(PrepareSchema(batch->schema(), {}).ValueOrDie()),
        rows(AdaptBatch(*batch, schema, 0).ValueOrDie()),
        codec(schema.encoded) {}

  CarriedChunk Pack(const arrow::RecordBatch& of) const {
    return {of.num_rows(), codec.Pack(of, arrow::default_memory_pool()).ValueOrDie()};
  }

  PreparedSchema schema;
  Batch rows;
  CarriedCodec codec;
};

bool SameRows(const arrow::RecordBatch& a, const arrow::RecordBatch& b) {
  return a.Equals(b, /*check_metadata=*/false, arrow::EqualOptions::Defaults().nans_equal(true));
}

// Columns of types that MakeBatch cannot fill are made of its columns: see WithOddColumns.
std::shared_ptr<arrow::Schema> OddSchema() {
  return arrow::schema({arrow::field("id", arrow::fixed_size_binary(16)), arrow::field("view", arrow::utf8_view()),
                        arrow::field("bytes", arrow::binary_view(), false),
                        arrow::field("word", arrow::dictionary(arrow::int32(), arrow::utf8())),
                        arrow::field("lists", arrow::list(arrow::utf8_view())),
                        arrow::field("map", arrow::map(arrow::utf8(), arrow::large_list(arrow::float32()))),
                        arrow::field("odd_pairs", arrow::fixed_size_list(arrow::decimal256(50, 3), 2))});
}

// Adds an extension type, nulls without a type, lists of a dictionary, list views.
Batch WithOddColumns(const Batch& batch) {
  const auto add = [](const Batch& to, const std::string& name, const std::shared_ptr<arrow::Array>& array) {
    return to->AddColumn(to->num_columns(), name, array).ValueOrDie();
  };
  const auto column = [&](const char* name) { return batch->GetColumnByName(name); };
  if (column("odd_pairs") == nullptr) return batch;
  arrow::Int32Builder ends;
  for (int32_t i = 0; i <= batch->num_rows(); ++i) EXPECT_OK(ends.Append(i / 3 * 3));
  const auto words = arrow::ListArray::FromArrays(*ends.Finish().ValueOrDie(), *column("word")).ValueOrDie();
  const auto views = arrow::ListViewArray::FromList(static_cast<const arrow::ListArray&>(*column("lists")),
                                                    arrow::default_memory_pool());
  Batch odd = add(batch, "uuid", arrow::ExtensionType::WrapArray(arrow::extension::uuid(), column("id")));
  odd = add(odd, "none", std::make_shared<arrow::NullArray>(batch->num_rows()));
  odd = add(odd, "words", words);
  return add(odd, "list_views", views.ValueOrDie());
}

TEST(CarriedCodec, RowsOfAnyTypeComeBack) {
  uint64_t seed = 1;
  for (const auto& schema : {FlatSchema(), NestedSchema(), DictionarySchema(), OddSchema()}) {
    const Adapted all(WithOddColumns(MakeBatch(schema, 3000, seed++)));
    // Slices too: what a chunk is cut from begins at any bit.
    for (const auto& [offset, rows] :
         std::vector<std::pair<int64_t, int64_t>>{{0, 3000}, {0, 1}, {13, 517}, {2999, 1}}) {
      const Batch part = all.rows->Slice(offset, rows);
      ASSERT_OK_AND_ASSIGN(const Batch back, all.codec.Unpack(all.Pack(*part)));
      EXPECT_TRUE(back->schema()->Equals(*all.schema.encoded));
      EXPECT_TRUE(SameRows(*back, *part)) << schema->ToString() << " from row " << offset;
    }
  }
}

TEST(CarriedCodec, EqualRowsTakeTheSameBytesHoweverTheyLieInMemory) {
  RandomShape shape;
  shape.null_share = 0;
  for (const auto& schema : {FlatSchema(), NestedSchema(), DictionarySchema()}) {
    const Batch batch = MakeBatch(schema, 2000, 5, shape);
    const auto packed = [&](RowStorage storage) {
      const Adapted rows(StoreRows(*batch, 100, 900, storage));
      return rows.Pack(*rows.rows).bytes;
    };
    EXPECT_TRUE(packed(RowStorage::kSlice) == packed(RowStorage::kAmid));
    EXPECT_TRUE(packed(RowStorage::kSlice) == packed(RowStorage::kRebuilt));
  }
}

TEST(CarriedCodec, OnlyWhatTheRowsReferToIsStored) {
  arrow::StringDictionary32Builder words;
  std::mt19937_64 random(3);
  for (int64_t i = 0; i < 20000; ++i) {
    std::string word(40, ' ');
    for (char& c : word) c = static_cast<char>('a' + random() % 26);
    ASSERT_OK(words.Append(word));
  }
  const auto array = words.Finish().ValueOrDie();
  const Adapted all(arrow::RecordBatch::Make(arrow::schema({arrow::field("w", array->type())}), 20000, {array}));
  EXPECT_GT(all.Pack(*all.rows).bytes.size(), 300'000u);
  EXPECT_LT(all.Pack(*all.rows->Slice(500, 10)).bytes.size(), 1000u);
}

TEST(CarriedCodec, OtherRowsThanNamedAreRefused) {
  const Adapted numbers(MakeBatch(FlatSchema(), 100, 1));
  CarriedChunk chunk = numbers.Pack(*numbers.rows);
  chunk.rows = 99;
  EXPECT_THAT(numbers.codec.Unpack(chunk).status().message(), HasSubstr("a chunk of 99 rows holds 100"));
  const Adapted other(MakeBatch(NestedSchema(), 100, 1));
  EXPECT_KIND(ErrorKind::kBadState, numbers.codec.Unpack(other.Pack(*other.rows)));
  EXPECT_KIND(ErrorKind::kStateTooNew, numbers.codec.Unpack({100, "packed by a later version"}));
  EXPECT_KIND(ErrorKind::kBadState, numbers.codec.Unpack({100, PackBytes("no message at all, but long enough")}));
}

TEST(CarriedCodec, ABodyThatAsksForMemoryIsRefused) {
  const Adapted numbers(MakeBatch(arrow::schema({arrow::field("n", arrow::int64())}), 100'000, 1));
  arrow::ipc::IpcWriteOptions options;
  options.codec = arrow::util::Codec::Create(arrow::Compression::ZSTD).ValueOrDie();
  const auto message = arrow::ipc::SerializeRecordBatch(*numbers.rows, options).ValueOrDie();
  const Status refused = numbers.codec.Unpack({100'000, PackBytes(message->ToString())}).status();
  EXPECT_KIND(ErrorKind::kBadState, refused);
}

// Nothing crashes, and what passes is a sound batch of the schema.
TEST(CarriedCodec, DamagedMessagesAreRefusedOrSound) {
  std::mt19937 random(20240611);
  int refused = 0;
  constexpr int kRounds = 4000;
  for (const auto& schema : {FlatSchema(), NestedSchema(), OddSchema()}) {
    const Adapted whole(WithOddColumns(MakeBatch(schema, 50, 9)));
    const CarriedChunk chunk = whole.Pack(*whole.rows);
    const std::string message = UnpackBytes(chunk.bytes, "").ValueOrDie();
    for (int round = 0; round < kRounds; ++round) {
      std::string altered = message.substr(0, round % 10 == 0 ? random() % message.size() : message.size());
      for (uint32_t left = 1 + random() % 3; left > 0 && !altered.empty(); --left) {
        altered[random() % altered.size()] = static_cast<char>(random());
      }
      const auto back = whole.codec.Unpack({chunk.rows, PackBytes(altered)});
      if (back.ok()) {
        ASSERT_OK((*back)->ValidateFull());
        ASSERT_EQ((*back)->num_rows(), chunk.rows);
        continue;
      }
      ++refused;
      ASSERT_EQ(KindOf(back.status()), ErrorKind::kBadState) << back.status();
      ASSERT_THAT(back.status().message(), ::testing::StartsWith("carried: "));
    }
  }
  EXPECT_GT(refused, kRounds / 4);
}

TEST(CheckCarriedRows, RefusesWhatWouldEndTheRowGroup) {
  const Adapted numbers(MakeBatch(arrow::schema({arrow::field("n", arrow::int64(), false)}), 1000, 1));
  const CarriedRows carried{{numbers.Pack(*numbers.rows->Slice(0, 600)), numbers.Pack(*numbers.rows->Slice(600))}};
  ParquetOptions options;
  EXPECT_OK(CheckCarriedRows(carried, numbers.schema, options));
  EXPECT_OK(CheckCarriedRows({}, numbers.schema, options));
  options.row_group_rows = 1001;
  EXPECT_OK(CheckCarriedRows(carried, numbers.schema, options));
  options.row_group_rows = 1000;
  EXPECT_KIND(ErrorKind::kBadState, CheckCarriedRows(carried, numbers.schema, options));
  options.row_group_rows = 1 << 20;
  // A bit of validity and eight bytes each.
  options.row_group_bytes = 1000 * 65 / 8 + 1;
  EXPECT_OK(CheckCarriedRows(carried, numbers.schema, options));
  options.row_group_bytes = 1000 * 65 / 8;
  EXPECT_KIND(ErrorKind::kBadState, CheckCarriedRows(carried, numbers.schema, options));
}

}  // namespace
}  // namespace tailrace
