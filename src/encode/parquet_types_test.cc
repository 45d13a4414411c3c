// Every type comes back as it was given, or is refused when the schema is prepared.
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/extension/bool8.h>
#include <arrow/extension/json.h>
#include <arrow/extension/uuid.h>
#include <arrow/extension_type.h>
#include <arrow/json/from_string.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encode/written_file_fixture.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using arrow::field;
using testing::HasSubstr;
using Type = std::shared_ptr<arrow::DataType>;
using Array = std::shared_ptr<arrow::Array>;

Array FromJson(const Type& type, const std::string& json) {
  return arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
}

void ExpectRoundTrip(const Array& array, const ParquetOptions& options = {}) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(array, options));
  ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
  EXPECT_TRUE(read->type()->Equals(array->type())) << read->type()->ToString() << " for " << array->type()->ToString();
  EXPECT_TRUE(read->Equals(*array, arrow::EqualOptions().nans_equal(true)))
      << read->ToString() << " for " << array->ToString();
}

TEST(ParquetTypes, EqualTypeAndValuesComeBack) {
  const std::vector<std::pair<Type, std::string>> cases = {
      {arrow::null(), "[null, null]"},
      {arrow::boolean(), "[true, null, false]"},
      {arrow::int8(), "[-128, null, 127]"},
      {arrow::uint8(), "[0, null, 255]"},
      {arrow::int16(), "[-32768, null, 32767]"},
      {arrow::uint16(), "[0, null, 65535]"},
      {arrow::int32(), "[-2147483648, null, 2147483647]"},
      {arrow::uint32(), "[0, null, 4294967295]"},
      {arrow::int64(), "[-9223372036854775808, null, 9223372036854775807]"},
      {arrow::uint64(), "[0, null, 18446744073709551615]"},
      {arrow::float32(), "[1.5, null, -0.0]"},
      {arrow::float64(), "[1.5, null, -0.0]"},
      {arrow::float16(), "[1.5, null, -0.0]"},
      {arrow::utf8(), R"(["short", null, ""])"},
      {arrow::large_utf8(), R"(["short", null, ""])"},
      {arrow::utf8_view(), R"(["short", null, "a text longer than twelve bytes"])"},
      {arrow::binary(), R"(["short", null, ""])"},
      {arrow::large_binary(), R"(["short", null, ""])"},
      {arrow::binary_view(), R"(["short", null, "bytes that are longer than twelve"])"},
      {arrow::fixed_size_binary(2), R"(["ab", null])"},
      {arrow::decimal32(3, 2), R"(["1.25", null, "-9.99"])"},
      {arrow::decimal64(13, 2), R"(["1.25", null, "-9.99"])"},
      {arrow::decimal128(38, 2), R"(["1.25", null, "-9.99"])"},
      {arrow::decimal256(76, 10), R"(["0.1250000000", null, "-9.9900000000"])"},
      {arrow::date32(), "[-719162, null, 2932896]"},
      {arrow::time32(arrow::TimeUnit::MILLI), "[0, 1, 86399999]"},
      {arrow::time64(arrow::TimeUnit::MICRO), "[0, 1, 86399999999]"},
      {arrow::time64(arrow::TimeUnit::NANO), "[0, 1, 86399999999999]"},
      {arrow::duration(arrow::TimeUnit::SECOND), "[0, -1, null]"},
      {arrow::duration(arrow::TimeUnit::NANO), "[0, -1, null]"},
      {arrow::list(arrow::int32()), "[[1, null], null, []]"},
      {arrow::list(field("odd name", arrow::int32(), false)), "[[1], null, []]"},
      {arrow::large_list(arrow::utf8()), R"([["a", null], null, []])"},
      {arrow::list(arrow::null()), "[[null, null], null, []]"},
      {arrow::fixed_size_list(arrow::int32(), 2), "[[1, 2], null, [3, null]]"},
      {arrow::fixed_size_list(arrow::fixed_size_list(arrow::int8(), 2), 2), "[[[1, 2], null], null]"},
      {arrow::list_view(arrow::int32()), "[[1, 2], null, []]"},
      {arrow::large_list_view(arrow::int32()), "[[1, 2], null, []]"},
      {arrow::list_view(arrow::list_view(arrow::int32())), "[[[1], null, [2]], null, []]"},
      {arrow::map(arrow::utf8(), arrow::int32()), R"([[["k", 1], ["l", null]], null, []])"},
      {arrow::map(arrow::utf8(), arrow::int32(), /*keys_sorted=*/true), R"([[["k", 1]]])"},
      {arrow::struct_({field("a", arrow::int32()), field("b", arrow::utf8(), false)}), R"([{"a": 1, "b": "x"}, null])"},
      {arrow::list(arrow::struct_({field("m", arrow::map(arrow::int8(), arrow::list(arrow::boolean())))})),
       R"([[{"m": [[1, [true, null]]]}, {"m": null}, null], null])"},
  };
  for (const auto& [type, json] : cases) {
    SCOPED_TRACE(type->ToString());
    ExpectRoundTrip(FromJson(type, json));
    for (const ParquetVersion version : {ParquetVersion::k1_0, ParquetVersion::k2_4}) {
      ParquetOptions options;
      options.version = version;
      options.data_page_version = DataPageVersion::kV2;
      if (PrepareSchema(arrow::schema({field("c", type)}), options).ok())
        ExpectRoundTrip(FromJson(type, json), options);
    }
  }
}

TEST(ParquetTypes, ExtensionsComeBack) {
  const auto fixed = FromJson(arrow::fixed_size_binary(16), R"(["0123456789abcdef", null])");
  ExpectRoundTrip(arrow::ExtensionType::WrapArray(arrow::extension::uuid(), fixed));
  const auto text = FromJson(arrow::utf8(), R"(["{}", null, "[1, 2]"])");
  ExpectRoundTrip(arrow::ExtensionType::WrapArray(arrow::extension::json(), text));
  const auto bytes = FromJson(arrow::int8(), "[0, null, 1]");
  ExpectRoundTrip(arrow::ExtensionType::WrapArray(arrow::extension::bool8(), bytes));
}

// An extension type over any storage.
class Tagged : public arrow::ExtensionType {
 public:
  explicit Tagged(Type storage) : ExtensionType(std::move(storage)) {}
  std::string extension_name() const override { return "tailrace.test.tagged"; }
  bool ExtensionEquals(const ExtensionType& other) const override {
    return other.extension_name() == extension_name() && other.storage_type()->Equals(*storage_type());
  }
  Array MakeArray(std::shared_ptr<arrow::ArrayData> data) const override {
    return std::make_shared<arrow::ExtensionArray>(std::move(data));
  }
  arrow::Result<Type> Deserialize(Type storage, const std::string&) const override {
    return std::make_shared<Tagged>(std::move(storage));
  }
  std::string Serialize() const override { return ""; }
};

TEST(ParquetTypes, ExtensionsOverWhatIsStoredOtherwiseComeBack) {
  ASSERT_OK(arrow::RegisterExtensionType(std::make_shared<Tagged>(arrow::null())));
  const Array texts = arrow::json::DictArrayFromJSONString(arrow::dictionary(arrow::int32(), arrow::utf8()),
                                                           "[1, null, 0, 1]", R"(["b", "a"])")
                          .ValueOrDie();
  const std::vector<Array> storages = {texts, FromJson(arrow::list_view(arrow::int32()), "[[1, 2], null, []]"),
                                       FromJson(arrow::large_list(arrow::int32()), "[[1, 2], null, []]"),
                                       FromJson(arrow::null(), "[null, null]")};
  for (const Array& storage : storages) {
    SCOPED_TRACE(storage->type()->ToString());
    const auto array = arrow::ExtensionType::WrapArray(std::make_shared<Tagged>(storage->type()), storage);
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(array));
    ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
    ASSERT_TRUE(read->type()->Equals(array->type())) << read->type()->ToString();
    const Array back = static_cast<const arrow::ExtensionArray&>(*read).storage();
    if (back->type_id() != arrow::Type::DICTIONARY) {
      EXPECT_TRUE(back->Equals(*storage)) << back->ToString();
      continue;
    }
    // Readers number the values anew.
    ASSERT_EQ(back->length(), storage->length());
    for (int64_t i = 0; i < back->length(); ++i) {
      const auto value_of = [i](const Array& array) {
        const auto scalar = array->GetScalar(i).ValueOrDie();
        return static_cast<const arrow::DictionaryScalar&>(*scalar).GetEncodedValue().ValueOrDie();
      };
      EXPECT_TRUE(value_of(back)->Equals(*value_of(storage))) << i;
    }
  }
  ASSERT_OK(arrow::UnregisterExtensionType("tailrace.test.tagged"));
}

TEST(ParquetTypes, DictionariesOfNestedValuesComeBackAsTheirValues) {
  const std::vector<std::pair<Type, std::string>> cases = {
      {arrow::null(), "[null, null]"},
      {arrow::list(arrow::utf8()), R"([["a", null], []])"},
      {arrow::list_view(arrow::int8()), "[[1, 2], null]"},
      {arrow::fixed_size_list(arrow::decimal128(5, 2), 1), R"([["1.00"], [null]])"},
      {arrow::struct_({field("a", arrow::int64()), field("b", arrow::utf8())}), R"([{"a": 1, "b": null}, null])"},
      {arrow::map(arrow::utf8(), arrow::float64()), R"([[["k", 1.5]], []])"},
  };
  for (const auto& [type, json] : cases) {
    SCOPED_TRACE(type->ToString());
    const Array values = FromJson(type, json);
    const auto array = std::make_shared<arrow::DictionaryArray>(arrow::dictionary(arrow::int8(), type),
                                                                FromJson(arrow::int8(), "[1, null, 0]"), values);
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(array));
    ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
    ASSERT_TRUE(read->type()->Equals(*type)) << read->type()->ToString();
    EXPECT_TRUE(read->Slice(0, 1)->Equals(values->Slice(1, 1))) << read->ToString();
    EXPECT_TRUE(read->IsNull(1));
    EXPECT_TRUE(read->Slice(2, 1)->Equals(values->Slice(0, 1))) << read->ToString();
  }
}

TEST(ParquetTypes, TextCanBeWrittenAsBytes) {
  ParquetOptions options;
  options.text_not_utf8 = TextNotUtf8::kBinary;
  const std::vector<std::pair<Type, Type>> kinds = {{arrow::utf8(), arrow::binary()},
                                                    {arrow::large_utf8(), arrow::large_binary()},
                                                    {arrow::utf8_view(), arrow::binary_view()}};
  for (const auto& [text, bytes] : kinds) {
    auto data = FromJson(bytes, R"(["good", null, "Z"])")->data()->Copy();
    data->type = text;
    const Array broken = arrow::MakeArray(data);
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(broken, options));
    ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
    EXPECT_TRUE(read->Equals(*FromJson(bytes, R"(["good", null, "Z"])"))) << read->type()->ToString();
  }
  const std::string cut = "\xc3\x28\xff\xe2\x82";
  arrow::StringBuilder builder;
  ASSERT_OK(builder.Append(cut));
  const Array text = builder.Finish().ValueOrDie();
  EXPECT_KIND(ErrorKind::kInvalid, WriteArray(text));
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(text, options));
  ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
  EXPECT_EQ(static_cast<const arrow::BinaryArray&>(*read).GetView(0), cut);
}

TEST(ParquetTypes, TextBelowOthersIsWrittenAsBytesToo) {
  ParquetOptions options;
  options.text_not_utf8 = TextNotUtf8::kBinary;
  const Type nested = arrow::struct_({field("l", arrow::list(arrow::utf8())),
                                      field("m", arrow::map(arrow::utf8(), arrow::large_utf8())),
                                      field("d", arrow::dictionary(arrow::int8(), arrow::utf8()))});
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(arrow::schema({field("c", nested)}), options));
  const Type expected = arrow::struct_({field("l", arrow::list(arrow::binary())),
                                        field("m", arrow::map(arrow::binary(), arrow::large_binary())),
                                        field("d", arrow::dictionary(arrow::int8(), arrow::binary()))});
  EXPECT_TRUE(prepared.input->field(0)->type()->Equals(*expected)) << prepared.input->ToString();
  ASSERT_OK_AND_ASSIGN(const PreparedSchema json,
                       PrepareSchema(arrow::schema({field("j", arrow::extension::json())}), options));
  EXPECT_TRUE(json.input->field(0)->type()->Equals(*arrow::extension::json()));
}

TEST(ParquetTypes, OlderVersionsRefuseWhatTheyWouldChange) {
  ParquetOptions options;
  const auto refusal_of = [&](const Type& type) {
    const auto prepared = PrepareSchema(arrow::schema({field("x", arrow::int8()), field("c", type)}), options);
    EXPECT_TRUE(prepared.ok() || KindOf(prepared.status()) == ErrorKind::kInvalid) << prepared.status();
    return prepared.ok() ? "" : prepared.status().message();
  };
  const Type nanos = arrow::list(arrow::timestamp(arrow::TimeUnit::NANO, "UTC"));
  options.version = ParquetVersion::k1_0;
  EXPECT_THAT(refusal_of(arrow::uint32()), HasSubstr("column c of type uint32: version"));
  EXPECT_THAT(refusal_of(nanos), HasSubstr("column c.element of type timestamp[ns, tz=UTC]: version"));
  options.version = ParquetVersion::k2_4;
  EXPECT_EQ(refusal_of(arrow::uint32()), "");
  EXPECT_THAT(refusal_of(nanos), HasSubstr("version"));
  options.version = ParquetVersion::k2_6;
  EXPECT_EQ(refusal_of(nanos), "");
}

TEST(ParquetTypes, TextDictionariesComeBackOthersAsTheirValues) {
  for (const Type& index : {arrow::int8(), arrow::uint8(), arrow::int16(), arrow::uint16(), arrow::int32(),
                            arrow::uint32(), arrow::int64(), arrow::uint64()}) {
    const auto array = arrow::json::DictArrayFromJSONString(arrow::dictionary(index, arrow::utf8()), "[1, null, 0, 2]",
                                                            R"(["a", "bb", null])")
                           .ValueOrDie();
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(array));
    ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
    ASSERT_TRUE(read->type()->Equals(array->type())) << read->type()->ToString();
    const auto& dictionary = static_cast<const arrow::DictionaryArray&>(*read);
    const auto& values = static_cast<const arrow::StringArray&>(*dictionary.dictionary());
    EXPECT_EQ(values.GetView(dictionary.GetValueIndex(0)), "bb");
    EXPECT_EQ(values.GetView(dictionary.GetValueIndex(2)), "a");
    EXPECT_TRUE(read->IsNull(1));
    EXPECT_TRUE(read->IsNull(3));
  }
  const std::vector<std::pair<Type, std::string>> cases = {
      {arrow::int64(), "[5, 6]"},       {arrow::boolean(), "[true, false]"},
      {arrow::float64(), "[1.5, 2.5]"}, {arrow::decimal128(5, 2), R"(["1.00", "2.00"])"},
      {arrow::date32(), "[1, 2]"},      {arrow::fixed_size_binary(2), R"(["ab", "cd"])"},
  };
  for (const auto& [type, json] : cases) {
    const auto array =
        arrow::json::DictArrayFromJSONString(arrow::dictionary(arrow::int8(), type), "[1, null, 0]", json).ValueOrDie();
    ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(array));
    ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
    const Array values = FromJson(type, json);
    ASSERT_TRUE(read->type()->Equals(type)) << read->type()->ToString();
    EXPECT_TRUE(read->Slice(0, 1)->Equals(values->Slice(1, 1)));
    EXPECT_TRUE(read->IsNull(1));
    EXPECT_TRUE(read->Slice(2, 1)->Equals(values->Slice(0, 1)));
  }
}

TEST(ParquetTypes, DictionariesBelowListsAndStructs) {
  const auto values = arrow::json::DictArrayFromJSONString(arrow::dictionary(arrow::int32(), arrow::utf8()),
                                                           "[1, null, 0, 1]", R"(["a", "bb"])")
                          .ValueOrDie();
  const auto offsets = FromJson(arrow::int32(), "[0, 2, 2, 4]");
  const auto lists = arrow::ListArray::FromArrays(*offsets, *values).ValueOrDie();
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(lists));
  ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
  EXPECT_TRUE(read->type()->Equals(lists->type())) << read->type()->ToString();
  EXPECT_EQ(read->length(), 3);
  const auto& list = static_cast<const arrow::ListArray&>(*read);
  EXPECT_EQ(list.value_length(0), 2);
  EXPECT_EQ(list.value_length(1), 0);
  EXPECT_TRUE(list.values()->IsNull(1));
}

struct Refusal {
  Type type;
  std::string named;
};

TEST(ParquetTypes, WhatParquetCannotHoldIsRefusedAtOpen) {
  const Type empty = arrow::struct_(arrow::FieldVector());
  const std::vector<Refusal> cases = {
      {empty, "column c "},
      {arrow::list(empty), "column c.element "},
      {arrow::struct_({field("inner", empty)}), "column c.inner "},
      {arrow::map(arrow::utf8(), empty), "column c.value "},
      {arrow::struct_({field("d", arrow::int8()), field("d", arrow::int8())}), "two columns named d"},
      {arrow::date64(), "date32"},
      {arrow::list(arrow::date64()), "column c.element "},
      {arrow::month_interval(), "interval"},
      {arrow::day_time_interval(), "interval"},
      {arrow::month_day_nano_interval(), "interval"},
      {arrow::sparse_union({field("a", arrow::int8())}), "union"},
      {arrow::dense_union({field("a", arrow::int8())}), "union"},
      {arrow::run_end_encoded(arrow::int32(), arrow::utf8()), "run_end"},
      {arrow::fixed_size_binary(0), "0 bytes"},
      {arrow::fixed_size_list(arrow::int8(), 0), "size 0"},
      {arrow::decimal128(5, -2), "scale"},
      {arrow::decimal128(2, 3), "scale"},
      {arrow::dictionary(arrow::int8(), arrow::date64()), "date32"},
      {arrow::dictionary(arrow::int8(), empty), "column c "},
      {arrow::list(std::make_shared<Tagged>(arrow::dictionary(arrow::int8(), arrow::int64()))), "column c.element "},
      {std::make_shared<Tagged>(arrow::dictionary(arrow::int8(), arrow::large_utf8())), "extension"},
  };
  for (const Refusal& refusal : cases) {
    const auto prepared = PrepareSchema(arrow::schema({field("x", arrow::int8()), field("c", refusal.type)}), {});
    EXPECT_KIND(ErrorKind::kInvalid, prepared);
    EXPECT_THAT(prepared.status().message(), HasSubstr(refusal.named)) << refusal.type->ToString();
    EXPECT_THAT(prepared.status().message(), HasSubstr("c"));
  }
}

TEST(ParquetTypes, NullColumnsMustBeNullable) {
  const auto prepared = PrepareSchema(arrow::schema({field("x", arrow::int8()), field("c", arrow::null(), false)}), {});
  EXPECT_KIND(ErrorKind::kInvalid, prepared);
  EXPECT_THAT(prepared.status().message(), HasSubstr("column c "));
}

// Instants and zones stay; only seconds become milliseconds.
TEST(ParquetTypes, TimestampsKeepInstantAndZone) {
  const std::vector<std::pair<arrow::TimeUnit::type, std::vector<int64_t>>> cases = {
      {arrow::TimeUnit::SECOND, {-62135596800, 0, 253402300799}},
      {arrow::TimeUnit::MILLI, {-62135596800000, -1, 253402300799999}},
      {arrow::TimeUnit::MICRO, {-62135596800000000, 1, 253402300799999999}},
      {arrow::TimeUnit::NANO, {-9223372036854775807, 1520751599999999999, 9223372036854775807}},
  };
  for (const auto& [unit, instants] : cases) {
    for (const std::string zone : {"", "UTC", "Europe/Berlin", "+05:30"}) {
      arrow::TimestampBuilder builder(arrow::timestamp(unit, zone), arrow::default_memory_pool());
      ASSERT_OK(builder.AppendValues(instants));
      const Array array = builder.Finish().ValueOrDie();
      if (unit != arrow::TimeUnit::SECOND) {
        ExpectRoundTrip(array);
        continue;
      }
      ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteArray(array));
      ASSERT_OK_AND_ASSIGN(const Array read, ReadBackArray(file.bytes));
      ASSERT_TRUE(read->type()->Equals(arrow::timestamp(arrow::TimeUnit::MILLI, zone))) << read->type()->ToString();
      for (size_t i = 0; i < instants.size(); ++i) {
        EXPECT_EQ(static_cast<const arrow::TimestampArray&>(*read).Value(static_cast<int64_t>(i)), instants[i] * 1000);
      }
    }
  }
}

double DoubleOf(const std::string& bytes) {
  double value = 0;
  EXPECT_EQ(bytes.size(), sizeof(value));
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

TEST(ParquetTypes, NanAndSignedZeroDoNotSpoilStatistics) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto bounds_of = [](const std::vector<double>& values) {
    arrow::DoubleBuilder builder;
    EXPECT_OK(builder.AppendValues(values));
    const auto file = WriteArray(builder.Finish().ValueOrDie()).ValueOrDie();
    return ReadChunkBounds(file.bytes, 0, 0).ValueOrDie();
  };
  ChunkBounds bounds = bounds_of({3, kNan, 3});
  EXPECT_EQ(DoubleOf(bounds.min), 3);
  EXPECT_EQ(DoubleOf(bounds.max), 3);
  EXPECT_FALSE(bounds_of({kNan, kNan}).has_min_max);
  for (const auto& zeros : {std::vector<double>{0.0}, {-0.0}, {0.0, -0.0}}) {
    bounds = bounds_of(zeros);
    EXPECT_TRUE(std::signbit(DoubleOf(bounds.min)));
    EXPECT_FALSE(std::signbit(DoubleOf(bounds.max)));
  }
  bounds = bounds_of({kNan, -INFINITY, 5});
  EXPECT_EQ(DoubleOf(bounds.min), -INFINITY);
  EXPECT_EQ(DoubleOf(bounds.max), 5);
}

TEST(ParquetTypes, OneColumnWithoutBoundsLeavesTheOthersTheirs) {
  const auto schema = arrow::schema({field("n", arrow::int64()), field("l", arrow::list(arrow::int32())),
                                     field("t", arrow::utf8()), field("f", arrow::float64())});
  const auto batch = arrow::RecordBatch::Make(
      schema, 2,
      {FromJson(arrow::int64(), "[1, 2]"), FromJson(schema->field(1)->type(), "[[3, null], null]"),
       FromJson(arrow::utf8(), "[null, null]"), FromJson(arrow::float64(), "[NaN, NaN]")});
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(schema, {batch}));
  ASSERT_OK_AND_ASSIGN(const ChunkBounds numbers, ReadChunkBounds(file.bytes, 0, 0));
  ASSERT_OK_AND_ASSIGN(const ChunkBounds lists, ReadChunkBounds(file.bytes, 0, 1));
  ASSERT_OK_AND_ASSIGN(const ChunkBounds texts, ReadChunkBounds(file.bytes, 0, 2));
  ASSERT_OK_AND_ASSIGN(const ChunkBounds floats, ReadChunkBounds(file.bytes, 0, 3));
  EXPECT_TRUE(numbers.has_min_max);
  EXPECT_TRUE(lists.has_min_max);
  EXPECT_FALSE(texts.has_min_max);
  EXPECT_EQ(texts.null_count, 2);
  EXPECT_FALSE(floats.has_min_max);
  EXPECT_EQ(floats.null_count, 0);
}

}  // namespace
}  // namespace tailrace
