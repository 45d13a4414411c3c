// Carried rows of every kind of column: what a state holds of an open row group is encoded into the very bytes that the
// rows themselves had given, however they were batched and stored.
#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/extension/uuid.h>
#include <arrow/extension_type.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "testing/batch_makers.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

using Batch = std::shared_ptr<arrow::RecordBatch>;

struct Case {
  const char* name;
  std::shared_ptr<arrow::Schema> schema;
  TextNotUtf8 text = TextNotUtf8::kRefuse;
};

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

std::vector<Case> Cases() {
  return {{"Flat", FlatSchema()},
          {"Nested", NestedSchema()},
          {"Dictionaries", DictionarySchema()},
          {"Odd", OddSchema()},
          {"TextAsBytes", OddSchema(), TextNotUtf8::kBinary}};
}

// Of the odd types only slices: new arrays cannot be made of them.
std::vector<Batch> Batches(const Batch& rows, uint64_t seed) {
  if (rows->GetColumnByName("list_views") == nullptr) return Rebatch(*rows, 4000, seed);
  std::vector<Batch> batches;
  for (int64_t at = 0; at < rows->num_rows(); at += batches.back()->num_rows()) {
    batches.push_back(rows->Slice(at, static_cast<int64_t>(700 * seed + batches.size() % 5 * 301)));
  }
  return batches;
}

class CarriedTypes : public ::testing::TestWithParam<Case> {
 protected:
  FileOptions Options(CheckpointMode mode) const {
    FileOptions options = SmallFile();
    options.parquet.row_group_bytes = 512 << 10;
    options.parquet.text_not_utf8 = GetParam().text;
    options.checkpoint_mode = mode;
    options.carry_max_bytes = 1 << 20;
    return options;
  }
  static RuntimeOptions Runtime() {
    RuntimeOptions runtime = Inline();
    runtime.memory_budget_bytes = 4 << 20;
    return runtime;
  }

  // Written in one go, or by a new process after each `every` batches.
  Result<std::string> Bytes(const std::vector<Batch>& batches, CheckpointMode mode, size_t every, int* carried) {
    auto store = MemoryStore::Make();
    ARROW_ASSIGN_OR_RAISE(auto writer,
                          ParquetStreamWriter::Open(store, "k", batches[0]->schema(), Options(mode), Runtime()));
    for (size_t i = 0; i < batches.size(); ++i) {
      ARROW_RETURN_NOT_OK(writer->Write(*batches[i]));
      if (mode == CheckpointMode::kFlush || i % every != 0) continue;
      ARROW_ASSIGN_OR_RAISE(WriterState state, writer->Checkpoint());
      *carried += !state.carried.empty();
      ARROW_ASSIGN_OR_RAISE(state, WriterState::FromBytes(state.ToBytes()));
      ARROW_ASSIGN_OR_RAISE(writer, ParquetStreamWriter::Resume(state, {.runtime = Runtime(), .store = store}));
    }
    ARROW_ASSIGN_OR_RAISE(PendingCommit pending, writer->Close());
    ARROW_RETURN_NOT_OK(Commit(pending, {.store = store}));
    return store->Content("k").value();
  }
};

TEST_P(CarriedTypes, GiveTheUninterruptedBytes) {
  const Batch rows = WithOddColumns(MakeBatch(GetParam().schema, 20000, 11));
  int carried = 0;
  ASSERT_OK_AND_ASSIGN(const std::string expected, Bytes({rows}, CheckpointMode::kFlush, 1, &carried));
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto batches = Batches(rows, seed);
    ASSERT_OK_AND_ASSIGN(const std::string actual, Bytes(batches, CheckpointMode::kCarry, seed, &carried));
    EXPECT_TRUE(actual == expected) << "seed " << seed;
  }
  EXPECT_GT(carried, 5);
}

INSTANTIATE_TEST_SUITE_P(All, CarriedTypes, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
