#include "encode/prepared_schema.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encode/encoded_type.h"
#include "encode/footer_key_values.h"
#include "encode/parquet_fields.h"
#include "encode/thrift_compact.h"
#include "encode/written_file_fixture.h"
#include "tailrace/inspect.h"
#include "tailrace/version.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using arrow::field;
using testing::HasSubstr;

void ExpectRefused(const arrow::FieldVector& fields, const std::string& message) {
  const auto prepared = PrepareSchema(arrow::schema(fields), {});
  EXPECT_KIND(ErrorKind::kInvalid, prepared);
  EXPECT_THAT(prepared.status().message(), HasSubstr(message));
}

TEST(PreparedSchema, DictionariesBecomeTheirValues) {
  const auto schema = arrow::schema({
      field("text", arrow::dictionary(arrow::int8(), arrow::utf8()), false),
      field("large", arrow::dictionary(arrow::int64(), arrow::large_utf8())),
      field("bytes", arrow::dictionary(arrow::int8(), arrow::binary())),
      field("number", arrow::dictionary(arrow::int8(), arrow::int64())),
      field("list", arrow::list(arrow::dictionary(arrow::int8(), arrow::utf8()))),
      field("views", arrow::list_view(arrow::int8())),
  });
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(schema, {}));
  EXPECT_TRUE(prepared.encoded->Equals(*arrow::schema({
      field("text", arrow::utf8_view(), false),
      field("large", arrow::utf8_view()),
      field("bytes", arrow::binary_view()),
      field("number", arrow::int64()),
      field("list", arrow::list(arrow::utf8_view())),
      field("views", arrow::list(arrow::int8())),
  })));
  EXPECT_TRUE(prepared.input->Equals(*schema));
}

TEST(PreparedSchema, RestoredIsTheSame) {
  for (const auto& schema : {FlatSchema(), NestedSchema(), DictionarySchema()}) {
    ParquetOptions options;
    options.key_value_metadata = {{"k", "v"}};
    ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(schema, options));
    ParquetContent content;
    content.schema = prepared.schema_ipc;
    content.footer_template = prepared.footer_template;
    ASSERT_OK_AND_ASSIGN(const PreparedSchema restored, RestoreSchema(content));
    EXPECT_TRUE(restored.input->Equals(*schema, /*check_metadata=*/true));
    EXPECT_TRUE(restored.encoded->Equals(*prepared.encoded, /*check_metadata=*/true));
    EXPECT_EQ(restored.schema_ipc, prepared.schema_ipc);
    EXPECT_EQ(restored.footer_template, prepared.footer_template);
    ASSERT_OK_AND_ASSIGN(const std::string text, DescribeSchema(content));
    EXPECT_EQ(text, schema->ToString());
  }
}

TEST(PreparedSchema, DamagedContentIsNotRestored) {
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(DictionarySchema(), {}));
  ParquetContent good;
  good.schema = prepared.schema_ipc;
  good.footer_template = prepared.footer_template;
  ASSERT_OK(RestoreSchema(good));
  for (size_t size = 0; size < good.schema.size(); size += 7) {
    ParquetContent content = good;
    content.schema.resize(size);
    EXPECT_KIND(ErrorKind::kBadState, RestoreSchema(content));
  }
  for (size_t at = 0; at < good.schema.size(); ++at) {
    ParquetContent content = good;
    content.schema[at] = static_cast<char>(content.schema[at] ^ 0x41);
    const auto restored = RestoreSchema(content);
    // A byte of padding says nothing.
    if (restored.ok() && restored->input->Equals(*prepared.input, /*check_metadata=*/true)) continue;
    EXPECT_KIND(ErrorKind::kBadState, restored);
  }
  for (size_t size = 0; size < good.footer_template.size(); size += 7) {
    ParquetContent content = good;
    content.footer_template.resize(size);
    EXPECT_KIND(ErrorKind::kBadState, RestoreSchema(content));
  }
  ASSERT_OK_AND_ASSIGN(const PreparedSchema other, PrepareSchema(FlatSchema(), {}));
  ParquetContent content = good;
  content.footer_template = other.footer_template;
  EXPECT_KIND(ErrorKind::kBadState, RestoreSchema(content));
}

TEST(PreparedSchema, NamesMustBeDistinctAmongSiblings) {
  ExpectRefused({field("id", arrow::int8()), field("value", arrow::int8()), field("value", arrow::utf8())},
                "the schema has two columns named value");
  ExpectRefused({field("s", arrow::list(arrow::struct_({field("x", arrow::int8()), field("x", arrow::int8())})))},
                "struct s.element has two columns named x");
  EXPECT_OK(PrepareSchema(arrow::schema({field("x", arrow::struct_({field("x", arrow::int8())}))}), {}));
}

TEST(PreparedSchema, ASchemaNeedsColumns) { ExpectRefused({}, "without columns"); }

TEST(PreparedSchema, NamesAndMetadataMustBeUtf8) {
  ExpectRefused({field("bad\xff", arrow::int8())}, "the column name bad\\xff is not UTF-8");
  ExpectRefused({field("s", arrow::struct_({field("\xc3(", arrow::int8())}))}, "the column name s.\\xc3( is not UTF-8");
  ExpectRefused({field("a", arrow::int8(), arrow::key_value_metadata({"k"}, {"\xff"}))}, "column a");
  const auto schema = arrow::schema({field("\xc3\xa9", arrow::int8())});
  EXPECT_OK(PrepareSchema(schema, {}));
  EXPECT_KIND(ErrorKind::kInvalid, PrepareSchema(schema->WithMetadata(arrow::key_value_metadata({"\xff"}, {"v"})), {}));
}

TEST(PreparedSchema, DeepNestingIsRefused) {
  std::shared_ptr<arrow::DataType> type = arrow::int8();
  for (int i = 0; i < 48; ++i) type = arrow::list(type);
  EXPECT_OK(PrepareSchema(arrow::schema({field("deep", type)}), {}));
  for (int i = 0; i < 10; ++i) type = arrow::list(type);
  ExpectRefused({field("deep", type)}, "nested more than 48 levels");
}

TEST(PreparedSchema, UserMetadataIsKeptAndChecked) {
  const auto schema = arrow::schema({field("a", arrow::int8())}, arrow::key_value_metadata({"origin"}, {"here"}));
  const auto refusal = [&](std::vector<std::pair<std::string, std::string>> entries) {
    ParquetOptions options;
    options.key_value_metadata = std::move(entries);
    const auto prepared = PrepareSchema(schema, options);
    EXPECT_EQ(prepared.ok() ? ErrorKind::kInternal : KindOf(prepared.status()), ErrorKind::kInvalid);
    return prepared.status().message();
  };
  EXPECT_THAT(refusal({{"tailrace.digest", "1"}}), HasSubstr("tailrace.digest is reserved"));
  EXPECT_THAT(refusal({{"ARROW:schema", "1"}}), HasSubstr("ARROW:schema is reserved"));
  EXPECT_THAT(refusal({{"k", "1"}, {"k", "2"}}), HasSubstr("key k is given twice"));
  EXPECT_THAT(refusal({{"origin", "there"}}), HasSubstr("key origin is given twice"));
  EXPECT_THAT(refusal({{"k", "\xff"}}), HasSubstr("entry k is not UTF-8"));

  ParquetOptions options;
  options.key_value_metadata = {{"k", "v"}};
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(schema, options));
  ASSERT_OK_AND_ASSIGN(const ThriftStruct footer, DecodeThrift(prepared.footer_template));
  const KeyValues entries = ReadKeyValues(footer);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0], std::pair(std::string("origin"), std::string("here")));
  EXPECT_EQ(entries[1], std::pair(std::string("k"), std::string("v")));
  EXPECT_EQ(entries[2].first, "ARROW:schema");
}

TEST(PreparedSchema, WhatAnotherFileSaidAboutItselfIsDropped) {
  const auto batch = MakeBatch(DictionarySchema(), 10, 1);
  ASSERT_OK_AND_ASSIGN(const WrittenFile first, WriteBatches(batch->schema(), {batch}));
  const auto said = arrow::key_value_metadata({"tailrace.digest", "own", "tailrace.end", "ARROW:schema"},
                                              {"0123456789abcdef", "kept", "finish", "x"});
  const auto schema = batch->schema()->WithMetadata(said);
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(schema, {}));
  EXPECT_EQ(prepared.input->metadata()->keys(), std::vector<std::string>{"own"});
  ASSERT_OK_AND_ASSIGN(const WrittenFile second, WriteBatches(schema, {batch}));
  ASSERT_OK_AND_ASSIGN(const ThriftStruct footer, DecodeThrift(second.footer));
  int digests = 0;
  for (const auto& [key, value] : ReadKeyValues(footer)) digests += key == "tailrace.digest" ? 1 : 0;
  EXPECT_EQ(digests, 1);
  ASSERT_OK_AND_ASSIGN(const ThriftStruct before, DecodeThrift(first.footer));
  EXPECT_EQ(FindKeyValue(ReadKeyValues(footer), "tailrace.digest"),
            FindKeyValue(ReadKeyValues(before), "tailrace.digest"));
}

TEST(PreparedSchema, CreatedByNamesBothLibraries) {
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(FlatSchema(), {}));
  ASSERT_OK_AND_ASSIGN(const ThriftStruct footer, DecodeThrift(prepared.footer_template));
  EXPECT_EQ(*footer.FindBinary(file_metadata::kCreatedBy),
            "tailrace version " + std::string(LibraryVersion()) + " (build " + EncoderVersion() + ")");
  EXPECT_THAT(EncoderVersion(), HasSubstr("parquet-cpp-arrow version 26"));
}

TEST(PreparedSchema, FieldIdsReachTheFile) {
  const auto numbered = field("a", arrow::int8(), arrow::key_value_metadata({"PARQUET:field_id"}, {"17"}));
  ASSERT_OK_AND_ASSIGN(const PreparedSchema prepared, PrepareSchema(arrow::schema({numbered}), {}));
  ASSERT_OK_AND_ASSIGN(const ThriftStruct footer, DecodeThrift(prepared.footer_template));
  constexpr int16_t kFieldId = 9;  // of a SchemaElement
  const auto& elements = footer.FindList(file_metadata::kSchema)->values;
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_EQ(*std::get<ThriftStruct>(elements[1].data).FindInt(kFieldId), 17);
}

TEST(PreparedSchema, FiveThousandColumns) {
  arrow::FieldVector fields;
  for (int i = 0; i < 5000; ++i) fields.push_back(field("column_number_" + std::to_string(i), arrow::int32()));
  const auto schema = arrow::schema(fields);
  ParquetOptions options;
  options.row_group_rows = 5;
  const auto batch = MakeBatch(schema, 10, 1);
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(schema, {batch}, options));
  EXPECT_EQ(file.content.row_groups.size(), 2u);
  ASSERT_OK_AND_ASSIGN(const auto read, ReadBack(file.bytes));
  EXPECT_TRUE(read->Equals(*batch));
}

TEST(PrepareSchema, OnlyDictionariesThatReadersRestoreAreToldToThem) {
  const auto of = [](std::shared_ptr<arrow::DataType> value) {
    return arrow::dictionary(arrow::int32(), std::move(value));
  };
  const auto schema = arrow::schema({field("text", of(arrow::utf8())), field("flag", of(arrow::boolean())),
                                     field("list", arrow::list(of(arrow::decimal128(9, 2))))});
  const auto written = WrittenSchema(*schema);
  EXPECT_TRUE(written->field(0)->type()->Equals(*of(arrow::utf8())));
  EXPECT_TRUE(written->field(1)->type()->Equals(*arrow::boolean()));
  EXPECT_TRUE(written->field(2)->type()->Equals(*arrow::list(arrow::decimal128(9, 2))));
  // The state keeps what was given, so that a resumed writer takes the same batches.
  ASSERT_OK_AND_ASSIGN(PreparedSchema prepared, PrepareSchema(schema, {}));
  ParquetContent content;
  content.schema = prepared.schema_ipc;
  content.footer_template = prepared.footer_template;
  ASSERT_OK_AND_ASSIGN(PreparedSchema restored, RestoreSchema(content));
  EXPECT_TRUE(restored.input->Equals(*schema));
}

}  // namespace
}  // namespace tailrace
