#include "encode/batch_adapter.h"

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/builder.h>
#include <arrow/json/from_string.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>
#include <arrow/util/key_value_metadata.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using arrow::field;
using testing::HasSubstr;
using Type = std::shared_ptr<arrow::DataType>;
using Array = std::shared_ptr<arrow::Array>;
using Batch = std::shared_ptr<arrow::RecordBatch>;

constexpr int64_t kFirstRow = 1000;

Array FromJson(const Type& type, const std::string& json) {
  return arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
}

Batch OneColumn(const std::shared_ptr<arrow::Field>& of, const Array& array) {
  return arrow::RecordBatch::Make(arrow::schema({of}), array->length(), {array});
}

// A column "c" of `from` offered to a file whose column "c" is `to`.
Result<Array> Adapt(const std::shared_ptr<arrow::Field>& to, const Array& from) {
  ARROW_ASSIGN_OR_RAISE(const PreparedSchema schema, PrepareSchema(arrow::schema({to}), {}));
  const Batch batch = OneColumn(field("c", from->type()), from);
  ARROW_ASSIGN_OR_RAISE(const Batch adapted, AdaptBatch(*batch, schema, kFirstRow));
  ARROW_RETURN_NOT_OK(adapted->ValidateFull());
  EXPECT_TRUE(adapted->schema()->Equals(*schema.encoded));
  EXPECT_EQ(adapted->num_rows(), batch->num_rows());
  return adapted->column(0);
}
Result<Array> Adapt(const Type& to, const Array& from) { return Adapt(field("c", to), from); }

void ExpectRefused(const Result<Array>& result, const std::string& column_and_row) {
  EXPECT_KIND(ErrorKind::kInvalid, result);
  EXPECT_THAT(result.status().message(), HasSubstr(column_and_row));
}

TEST(BatchAdapter, FlatColumnsAreShared) {
  const Batch batch = MakeBatch(FlatSchema(), 100, 1);
  ASSERT_OK_AND_ASSIGN(const PreparedSchema schema, PrepareSchema(FlatSchema(), {}));
  ASSERT_OK_AND_ASSIGN(const Batch adapted, AdaptBatch(*batch, schema, 0));
  for (int i = 0; i < batch->num_columns(); ++i) {
    EXPECT_EQ(adapted->column_data(i)->buffers[1], batch->column_data(i)->buffers[1]) << batch->column_name(i);
    EXPECT_TRUE(adapted->column(i)->Equals(*batch->column(i), arrow::EqualOptions().nans_equal(true)));
  }
}

TEST(BatchAdapter, NestedValuesStay) {
  const Batch batch = MakeBatch(NestedSchema(), 500, 1);
  ASSERT_OK_AND_ASSIGN(const PreparedSchema schema, PrepareSchema(NestedSchema(), {}));
  for (const auto storage : {RowStorage::kSlice, RowStorage::kAmid, RowStorage::kRebuilt}) {
    const Batch stored = StoreRows(*batch, 3, 401, storage);
    ASSERT_OK_AND_ASSIGN(const Batch adapted, AdaptBatch(*stored, schema, 0));
    ASSERT_OK(adapted->ValidateFull());
    for (int i = 0; i < batch->num_columns(); ++i) {
      EXPECT_TRUE(adapted->column(i)->Equals(*stored->column(i), arrow::EqualOptions().nans_equal(true)))
          << batch->column_name(i);
    }
  }
}

TEST(BatchAdapter, NoRows) {
  for (const auto& made : {FlatSchema(), NestedSchema(), DictionarySchema()}) {
    ASSERT_OK_AND_ASSIGN(const PreparedSchema schema, PrepareSchema(made, {}));
    ASSERT_OK_AND_ASSIGN(const Batch adapted, AdaptBatch(*MakeBatch(made, 0, 1), schema, 0));
    EXPECT_EQ(adapted->num_rows(), 0);
  }
}

TEST(BatchAdapter, NullabilityAndMetadataMayDiffer) {
  const auto metadata = arrow::key_value_metadata({"k"}, {"1"});
  const Array numbers = FromJson(arrow::int64(), "[1, 2]");
  ASSERT_OK_AND_ASSIGN(const Array required, Adapt(field("c", arrow::int64(), false), numbers));
  EXPECT_TRUE(required->Equals(*numbers));
  ASSERT_OK_AND_ASSIGN(const Array described, Adapt(field("c", arrow::int64(), metadata), numbers));
  EXPECT_TRUE(described->Equals(*numbers));
  const Type given = arrow::list(field("element", arrow::int64(), false, metadata));
  const Type wanted = arrow::list(field("item", arrow::int64()));
  ASSERT_OK_AND_ASSIGN(const Array lists, Adapt(wanted, FromJson(given, "[[1, 2], []]")));
  EXPECT_TRUE(lists->Equals(*FromJson(wanted, "[[1, 2], []]")));
}

TEST(BatchAdapter, TextKindsBecomeTheFilesKind) {
  const std::string json = R"(["short", null, "", "a text that is longer than a view"])";
  const std::vector<Type> texts = {arrow::utf8(), arrow::large_utf8(), arrow::utf8_view()};
  const std::vector<Type> bytes = {arrow::binary(), arrow::large_binary(), arrow::binary_view()};
  for (const auto& kinds : {texts, bytes}) {
    for (const Type& from : kinds) {
      for (const Type& to : kinds) {
        ASSERT_OK_AND_ASSIGN(const Array all, Adapt(to, FromJson(from, json)));
        EXPECT_TRUE(all->Equals(*FromJson(to, json))) << from->ToString() << " to " << to->ToString();
        ASSERT_OK_AND_ASSIGN(const Array slice, Adapt(to, FromJson(from, json)->Slice(1, 3)));
        EXPECT_TRUE(slice->Equals(*FromJson(to, json)->Slice(1, 3)));
      }
    }
  }
  ExpectRefused(Adapt(arrow::utf8(), FromJson(arrow::binary(), R"(["x"])")), "column c: the batch has binary");
}

TEST(BatchAdapter, DictionariesAreDecoded) {
  const auto dictionary = arrow::dictionary(arrow::int8(), arrow::utf8());
  const Array coded =
      arrow::json::DictArrayFromJSONString(dictionary, "[1, null, 0, 2]", R"(["a", "bb", null])").ValueOrDie();
  const std::string json = R"(["bb", null, "a", null])";
  ASSERT_OK_AND_ASSIGN(const Array views, Adapt(dictionary, coded));
  EXPECT_TRUE(views->Equals(*FromJson(arrow::utf8_view(), json)));
  ASSERT_OK_AND_ASSIGN(const Array plain, Adapt(arrow::utf8(), coded));
  EXPECT_TRUE(plain->Equals(*FromJson(arrow::utf8(), json)));
  ASSERT_OK_AND_ASSIGN(const Array from_plain, Adapt(dictionary, FromJson(arrow::large_utf8(), json)));
  EXPECT_TRUE(from_plain->Equals(*FromJson(arrow::utf8_view(), json)));
  ASSERT_OK_AND_ASSIGN(const Array slice, Adapt(dictionary, coded->Slice(2, 1)));
  EXPECT_TRUE(slice->Equals(*FromJson(arrow::utf8_view(), R"(["a"])")));
}

TEST(BatchAdapter, DictionaryIndicesAreChecked) {
  for (const Type& index : {arrow::int8(), arrow::uint8(), arrow::int32(), arrow::uint64()}) {
    auto data = arrow::json::DictArrayFromJSONString(arrow::dictionary(index, arrow::int16()), "[0, 1, 1]", "[7, 8]")
                    .ValueOrDie()
                    ->data()
                    ->Copy();
    data->dictionary = FromJson(arrow::int16(), "[7]")->data();
    ExpectRefused(Adapt(arrow::int16(), arrow::MakeArray(data)), "column c, row 1001: the index 1");
  }
}

TEST(BatchAdapter, NullColumnsBecomeNulls) {
  for (const Type& to :
       {arrow::utf8(), arrow::int64(), arrow::list(arrow::utf8()), arrow::struct_({field("a", arrow::int8(), false)}),
        arrow::fixed_size_list(arrow::int8(), 2)}) {
    ASSERT_OK_AND_ASSIGN(const Array nulls, Adapt(to, FromJson(arrow::null(), "[null, null]")));
    EXPECT_EQ(nulls->null_count(), 2) << to->ToString();
  }
  const Type from = arrow::struct_({field("a", arrow::null()), field("b", arrow::int8())});
  const Type to = arrow::struct_({field("a", arrow::utf8()), field("b", arrow::int8())});
  ASSERT_OK_AND_ASSIGN(const Array nested, Adapt(to, FromJson(from, R"([{"a": null, "b": 1}])")));
  EXPECT_TRUE(nested->Equals(*FromJson(to, R"([{"a": null, "b": 1}])")));
  ExpectRefused(Adapt(field("c", arrow::int8(), false), FromJson(arrow::null(), "[null]")), "column c, row 1000");
}

TEST(BatchAdapter, ColumnsMustBeThoseOfTheFile) {
  ASSERT_OK_AND_ASSIGN(const PreparedSchema schema,
                       PrepareSchema(arrow::schema({field("a", arrow::int8()), field("b", arrow::int8())}), {}));
  const auto refusal = [&](const std::vector<std::string>& names) {
    arrow::FieldVector fields;
    std::vector<Array> columns;
    for (const std::string& name : names) {
      fields.push_back(field(name, arrow::int8()));
      columns.push_back(FromJson(arrow::int8(), "[1]"));
    }
    const auto result = AdaptBatch(*arrow::RecordBatch::Make(arrow::schema(fields), 1, columns), schema, 0);
    EXPECT_EQ(result.ok() ? ErrorKind::kInternal : KindOf(result.status()), ErrorKind::kInvalid);
    return result.ok() ? "" : result.status().message();
  };
  EXPECT_THAT(refusal({"a"}), HasSubstr("column b is missing"));
  EXPECT_THAT(refusal({}), HasSubstr("column a is missing"));
  EXPECT_THAT(refusal({"a", "b", "new"}), HasSubstr("column new of the batch does not exist"));
  EXPECT_THAT(refusal({"a", "B"}), HasSubstr("column b is missing"));
  EXPECT_THAT(refusal({"b", "a"}), HasSubstr("column b is at another position"));
  EXPECT_THAT(refusal({"a", "b", "a"}), HasSubstr("column a is at another position"));
}

TEST(BatchAdapter, NestedColumnsMustBeThoseOfTheFile) {
  const Type to = arrow::struct_({field("a", arrow::int64())});
  const auto made = [](const arrow::FieldVector& fields, const std::string& json) {
    return FromJson(arrow::struct_(fields), json);
  };
  ExpectRefused(Adapt(to, made({field("a", arrow::int64()), field("b", arrow::utf8())}, R"([{"a": 2, "b": "new"}])")),
                "column c.b of the batch does not exist");
  ExpectRefused(Adapt(to, made({field("z", arrow::int64())}, R"([{"z": 2}])")), "column c.a is missing");
  ExpectRefused(Adapt(to, made({field("a", arrow::utf8())}, R"([{"a": "x"}])")),
                "column c.a: the batch has string, the file has int64");
  ExpectRefused(Adapt(arrow::list(to), FromJson(arrow::list(arrow::int64()), "[[1]]")), "column c.element: ");
  ExpectRefused(Adapt(arrow::map(arrow::utf8(), arrow::int8()),
                      FromJson(arrow::map(arrow::utf8(), arrow::utf8()), R"([[["k", "v"]]])")),
                "column c.value: ");
}

TEST(BatchAdapter, OtherTypesAreRefused) {
  const std::vector<std::pair<Type, Type>> cases = {
      {arrow::int64(), arrow::int32()},
      {arrow::int64(), arrow::utf8()},
      {arrow::null(), arrow::int8()},
      {arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"), arrow::timestamp(arrow::TimeUnit::MICRO)},
      {arrow::timestamp(arrow::TimeUnit::MICRO), arrow::timestamp(arrow::TimeUnit::MILLI)},
      {arrow::decimal128(5, 2), arrow::decimal128(5, 3)},
      {arrow::list(arrow::int8()), arrow::large_list(arrow::int8())},
      {arrow::fixed_size_list(arrow::int8(), 2), arrow::fixed_size_list(arrow::int8(), 3)},
      {arrow::int8(), arrow::dictionary(arrow::int8(), arrow::utf8())},
  };
  for (const auto& [to, from] : cases) {
    ExpectRefused(Adapt(to, arrow::MakeEmptyArray(from).ValueOrDie()), "column c: the batch has");
  }
  ExpectRefused(Adapt(arrow::utf8(), FromJson(arrow::binary(), R"(["a"])")), "column c: the batch has");
}

TEST(BatchAdapter, BytesTakeText) {
  for (const Type& from : {arrow::utf8(), arrow::large_utf8(), arrow::utf8_view()}) {
    ASSERT_OK_AND_ASSIGN(const Array adapted,
                         Adapt(arrow::binary(), FromJson(from, R"(["a", null, "longer than twelve bytes"])")));
    EXPECT_TRUE(adapted->Equals(*FromJson(arrow::binary(), R"(["a", null, "longer than twelve bytes"])")));
  }
}

// Of structs, lists, maps, dictionaries, extensions: the values, with nulls of index and value, in the file's layout.
TEST(BatchAdapter, DictionariesOfAnyValuesAreDecoded) {
  const Type rich = arrow::struct_({field("t", arrow::utf8()), field("l", arrow::list(arrow::int32())),
                                    field("f", arrow::fixed_size_list(arrow::boolean(), 2)),
                                    field("m", arrow::map(arrow::int8(), arrow::utf8_view()))});
  const std::string one = R"({"t": "x", "l": [1, null], "f": [true, null], "m": [[1, "a value of more than 12"]]})";
  const std::string two = R"({"t": null, "l": [], "f": null, "m": null})";
  const Array values = FromJson(rich, "[" + one + ", null, " + two + "]")->Slice(0);
  const Array indices = FromJson(arrow::int16(), "[2, 0, null, 1, 0]");
  const Array expected = FromJson(rich, "[" + two + ", " + one + ", null, null, " + one + "]");
  const Array coded =
      std::make_shared<arrow::DictionaryArray>(arrow::dictionary(arrow::int16(), rich), indices, values);
  ASSERT_OK_AND_ASSIGN(const Array adapted, Adapt(rich, coded));
  ASSERT_OK(adapted->ValidateFull());
  EXPECT_TRUE(adapted->Equals(*expected)) << adapted->ToString();
  ASSERT_OK_AND_ASSIGN(const Array sliced, Adapt(rich, coded->Slice(1, 3)));
  EXPECT_TRUE(sliced->Equals(*expected->Slice(1, 3))) << sliced->ToString();
  const Array twice = std::make_shared<arrow::DictionaryArray>(arrow::dictionary(arrow::int8(), coded->type()),
                                                               FromJson(arrow::int8(), "[4, 0]"), coded);
  ASSERT_OK_AND_ASSIGN(const Array decoded, Adapt(rich, twice));
  EXPECT_TRUE(decoded->Equals(*FromJson(rich, "[" + one + ", " + two + "]"))) << decoded->ToString();
}

TEST(BatchAdapter, NestedDictionariesNameTheRowThatUsesABadValue) {
  const Type values = arrow::list(field("item", arrow::utf8()));
  const Array lists = FromJson(values, R"([["a"], ["b"]])");
  const auto damaged = std::make_shared<arrow::StringArray>(
      2, FromJson(arrow::int32(), "[0, 1, 2]")->data()->buffers[1], arrow::Buffer::FromString("a\xff"));
  const Array bad = arrow::ListArray::FromArrays(*FromJson(arrow::int32(), "[0, 1, 2]"), *damaged).ValueOrDie();
  const auto coded = [&](const std::string& indices) {
    return std::make_shared<arrow::DictionaryArray>(arrow::dictionary(arrow::int8(), values),
                                                    FromJson(arrow::int8(), indices), bad);
  };
  ASSERT_OK_AND_ASSIGN(const Array unused, Adapt(values, coded("[0, 0, null]")));
  EXPECT_EQ(unused->null_count(), 1);
  ExpectRefused(Adapt(values, coded("[0, 0, 1, 1]")), "column c.element, row 1002: the text is not UTF-8");
  ExpectRefused(Adapt(field("c", values, false), coded("[0, null]")), "column c, row 1001: a null");
}

TEST(BatchAdapter, NullsInNonNullColumnsNameTheRow) {
  ExpectRefused(Adapt(field("c", arrow::int64(), false), FromJson(arrow::int64(), "[1, null, 3]")),
                "column c, row 1001: a null");
  const Type in_struct = arrow::struct_({field("x", arrow::utf8(), false)});
  const Type loose_struct = arrow::struct_({field("x", arrow::utf8())});
  ExpectRefused(Adapt(in_struct, FromJson(loose_struct, R"([null, {"x": "a"}, {"x": null}])")),
                "column c.x, row 1002: a null");
  const Type in_list = arrow::list(field("item", arrow::int8(), false));
  ExpectRefused(Adapt(in_list, FromJson(arrow::list(arrow::int8()), "[[1, 2], null, [], [3, null]]")),
                "column c.element, row 1003: a null");
  const Type in_fixed = arrow::fixed_size_list(field("item", arrow::int8(), false), 2);
  ExpectRefused(Adapt(in_fixed, FromJson(arrow::fixed_size_list(arrow::int8(), 2), "[[1, 2], null, [3, null]]")),
                "column c.element, row 1002: a null");
  const Type deep = arrow::list(arrow::struct_({field("l", arrow::list(field("item", arrow::int8(), false)))}));
  const Type loose = arrow::list(arrow::struct_({field("l", arrow::list(arrow::int8()))}));
  ExpectRefused(Adapt(deep, FromJson(loose, R"([[{"l": [1]}], [{"l": [2]}, {"l": [3, null]}]])")),
                "column c.element.l.element, row 1001: a null");
}

TEST(BatchAdapter, NullsThatANullParentHidesAreFine) {
  const Type strict = arrow::struct_({field("x", arrow::utf8(), false), field("y", arrow::list(arrow::int8()), false)});
  const Type loose = arrow::struct_({field("x", arrow::utf8()), field("y", arrow::list(arrow::int8()))});
  const std::string json = R"([{"x": "a", "y": [1]}, null, {"x": "c", "y": []}])";
  ASSERT_OK_AND_ASSIGN(const Array adapted, Adapt(strict, FromJson(loose, json)));
  EXPECT_TRUE(adapted->Equals(*FromJson(strict, json)));
  // libparquet refuses non-null columns with any null.
  EXPECT_EQ(static_cast<const arrow::StructArray&>(*adapted).field(0)->null_count(), 0);
}

TEST(BatchAdapter, TextMustBeUtf8) {
  const std::vector<std::string> bad = {"\xc3\x28", "\xff", "abc\xe2\x82", "\xed\xa0\x80"};
  for (const std::string& value : bad) {
    arrow::BinaryBuilder builder;
    ASSERT_OK(builder.AppendValues({"ok", "\xc3\xa9", value, ""}));
    auto data = builder.Finish().ValueOrDie()->data()->Copy();
    data->type = arrow::utf8();
    const Array text = arrow::MakeArray(data);
    for (const Type& to : {arrow::utf8(), arrow::large_utf8(), arrow::utf8_view()}) {
      ExpectRefused(Adapt(to, text), "column c, row 1002: the text is not UTF-8");
    }
    ExpectRefused(Adapt(arrow::utf8(), text->Slice(1)), "row 1001");
    EXPECT_OK(Adapt(arrow::utf8(), text->Slice(0, 2)));
    EXPECT_OK(Adapt(arrow::utf8(), text->Slice(3, 1)));
    data->type = arrow::binary();
    EXPECT_OK(Adapt(arrow::binary(), arrow::MakeArray(data)));
  }
}

// Each slot has to be UTF-8, not only all of them in a row.
TEST(BatchAdapter, CharactersMustNotSpanSlots) {
  arrow::BinaryBuilder builder;
  ASSERT_OK(builder.AppendValues({"a\xc3", "\xa9"}));
  auto data = builder.Finish().ValueOrDie()->data()->Copy();
  data->type = arrow::utf8();
  ExpectRefused(Adapt(arrow::utf8(), arrow::MakeArray(data)), "column c, row 1000: the text is not UTF-8: a\\xc3");
}

TEST(BatchAdapter, DictionaryValuesMustBeUtf8WhereTheyAreUsed) {
  arrow::BinaryBuilder builder;
  ASSERT_OK(builder.AppendValues({"good", "\xff"}));
  auto values = builder.Finish().ValueOrDie()->data()->Copy();
  values->type = arrow::utf8();
  const auto coded = [&](const std::string& indices) -> Array {
    return arrow::DictionaryArray::FromArrays(FromJson(arrow::int8(), indices), arrow::MakeArray(values)).ValueOrDie();
  };
  const Type to = arrow::dictionary(arrow::int8(), arrow::utf8());
  EXPECT_OK(Adapt(to, coded("[0, 0, 0]")));
  EXPECT_OK(Adapt(to, coded("[0]")));
  ExpectRefused(Adapt(to, coded("[0, 0, 1, 0]")), "column c, row 1002: the text is not UTF-8");
  ExpectRefused(Adapt(to, coded("[1]")), "column c, row 1000: the text is not UTF-8");
}

TEST(BatchAdapter, DamagedOffsetsAreRefused) {
  const auto damaged = [](const Type& type, const std::string& json, int64_t index, int32_t value) {
    auto data = FromJson(type, json)->data()->Copy();
    std::vector<int32_t> offsets(data->GetValues<int32_t>(1), data->GetValues<int32_t>(1) + data->length + 1);
    offsets[index] = value;
    data->buffers[1] = arrow::Buffer::FromVector(std::move(offsets));
    return arrow::MakeArray(data);
  };
  for (const int32_t value : {-1, 1000, std::numeric_limits<int32_t>::max()}) {
    ExpectRefused(Adapt(arrow::utf8(), damaged(arrow::utf8(), R"(["ab", "cd", "ef"])", 1, value)), "column c");
    ExpectRefused(Adapt(arrow::list(arrow::int8()), damaged(arrow::list(arrow::int8()), "[[1], [2], [3]]", 1, value)),
                  "column c");
  }
}

TEST(BatchAdapter, NullsAreCountedWhateverAnArraySaysOfItself) {
  for (const char* json : {"[1, null, 3]", "[1, 2, 3]"}) {
    const Array sound = FromJson(arrow::int64(), json);
    for (const int64_t claimed : {0, 1, 3}) {
      const auto data = sound->data()->Copy();
      ASSERT_OK_AND_ASSIGN(const std::shared_ptr<arrow::Buffer> bitmap, arrow::AllocateEmptyBitmap(3));
      for (int64_t i = 0; i < 3; ++i) arrow::bit_util::SetBitTo(bitmap->mutable_data(), i, sound->IsValid(i));
      data->buffers[0] = bitmap;
      data->SetNullCount(claimed);
      ASSERT_OK_AND_ASSIGN(const Array adapted, Adapt(arrow::int64(), arrow::MakeArray(data)));
      EXPECT_EQ(adapted->null_count(), sound->null_count()) << json << " said to have " << claimed;
      EXPECT_TRUE(adapted->Equals(*sound));
      const auto required = Adapt(field("c", arrow::int64(), false), arrow::MakeArray(data));
      EXPECT_EQ(required.ok(), sound->null_count() == 0) << json << " said to have " << claimed;
    }
  }
}

TEST(BatchAdapter, BuffersAtOddAddressesAreCopied) {
  const Array sound = FromJson(arrow::utf8(), R"(["a", null, "bcd"])");
  const auto data = sound->data()->Copy();
  ASSERT_OK_AND_ASSIGN(std::shared_ptr<arrow::Buffer> room, arrow::AllocateBuffer(data->buffers[1]->size() + 1));
  std::memcpy(room->mutable_data() + 1, data->buffers[1]->data(), static_cast<size_t>(data->buffers[1]->size()));
  data->buffers[1] = arrow::SliceBuffer(room, 1);
  ASSERT_OK_AND_ASSIGN(const Array adapted, Adapt(arrow::utf8(), arrow::MakeArray(data)));
  EXPECT_EQ(adapted->data()->buffers[1]->address() % sizeof(int32_t), 0u);
  EXPECT_TRUE(adapted->Equals(*sound));
}

TEST(BatchAdapter, ListsDropWhatNullsHide) {
  const Type type = arrow::list(arrow::utf8());
  const Array full = FromJson(type, R"([["a"], ["b", "hidden"], ["c", null], []])");
  auto data = full->data()->Copy();
  data->buffers[0] = arrow::Buffer::FromString(std::string("\x0d", 1));  // slot 1 is null
  data->SetNullCount(1);
  ASSERT_OK_AND_ASSIGN(const Array adapted, Adapt(type, arrow::MakeArray(data)));
  EXPECT_TRUE(adapted->Equals(*FromJson(type, R"([["a"], null, ["c", null], []])")));
  EXPECT_EQ(static_cast<const arrow::ListArray&>(*adapted).values()->length(), 3);
}

TEST(BatchAdapter, ListViewsBecomeLists) {
  const auto values = FromJson(arrow::int32(), "[1, 2, 3, 4]");
  const auto views = arrow::ListViewArray::FromArrays(*FromJson(arrow::int32(), "[2, 0, 1, 0]"),
                                                      *FromJson(arrow::int32(), "[2, 2, 2, 0]"), *values)
                         .ValueOrDie();
  ASSERT_OK_AND_ASSIGN(const Array lists, Adapt(views->type(), views));
  EXPECT_TRUE(lists->Equals(*FromJson(arrow::list(arrow::int32()), "[[3, 4], [1, 2], [2, 3], []]")));
}

TEST(BatchAdapter, ValuesThatParquetWouldChangeAreRefused) {
  const auto seconds = arrow::timestamp(arrow::TimeUnit::SECOND);
  ExpectRefused(Adapt(seconds, FromJson(arrow::int64(), "[0, 9223372036854776]")->View(seconds).ValueOrDie()),
                "column c, row 1001");
  EXPECT_OK(Adapt(seconds, FromJson(arrow::int64(), "[0, -9223372036854775]")->View(seconds).ValueOrDie()));
  const auto clock = arrow::time32(arrow::TimeUnit::SECOND);
  ExpectRefused(Adapt(clock, FromJson(arrow::int32(), "[2147484]")->View(clock).ValueOrDie()), "column c, row 1000");
  arrow::Decimal128Builder builder(arrow::decimal128(3, 2));
  ASSERT_OK(builder.Append(arrow::Decimal128(999)));
  ASSERT_OK(builder.Append(arrow::Decimal128(1000)));
  ExpectRefused(Adapt(arrow::decimal128(3, 2), builder.Finish().ValueOrDie()),
                "column c, row 1001: the value has more");
}

TEST(BatchAdapter, SchemaAloneCanBeChecked) {
  ASSERT_OK_AND_ASSIGN(const PreparedSchema schema, PrepareSchema(NestedSchema(), {}));
  EXPECT_OK(CheckSchemaFits(*NestedSchema(), schema));
  EXPECT_OK(CheckSchemaFits(*schema.input, schema));
  EXPECT_KIND(ErrorKind::kInvalid, CheckSchemaFits(*FlatSchema(), schema));
}

}  // namespace
}  // namespace tailrace
