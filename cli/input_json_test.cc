#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "cli/input_fixture.h"

namespace tailrace::cli {
namespace {

using testing::HasSubstr;

class JsonInputTest : public InputTest {
 protected:
  Result<int64_t> Rows(const std::string& json, InputSettings settings = {}) {
    return CountRows({File("x.jsonl", json)}, std::move(settings));
  }
  std::string Schema() const { return last_->schema()->ToString(); }
};

TEST_F(JsonInputTest, FormatIsToldByBytesAndSuffix) {
  const std::string row = "{\"a\":1}\n";
  for (const char* name : {"x.jsonl", "x.ndjson", "x.JSON", "any", "any.txt"}) {
    EXPECT_EQ(CountRows({File(name, row)}).ValueOrDie(), 1) << name;
  }
  EXPECT_EQ(CountRows({File("any", "\n  " + row)}).ValueOrDie(), 1);
  EXPECT_EQ(CountRows({File("x.csv", row)}, {.format = InputFormat::kJsonLines}).ValueOrDie(), 1);
}

TEST_F(JsonInputTest, TypesAreInferredFromTheFirstBlock) {
  EXPECT_EQ(Rows(R"({"i":1,"f":1.5,"s":"a","b":true,"l":[1,null],"o":{"x":"y"}})"
                 "\n{\"f\":2}\n")
                .ValueOrDie(),
            2);
  EXPECT_EQ(Schema(), "i: int64\nf: double\ns: string\nb: bool\nl: list<item: int64>\no: struct<x: string>");
  EXPECT_TRUE(last_->column(0)->IsNull(1));
}

TEST_F(JsonInputTest, TextStaysTextWhateverItLooksLike) {
  EXPECT_EQ(Rows(R"({"t":"2026-01-01","n":{"t":["2026-01-01T00:00:00Z"]}})"
                 "\n")
                .ValueOrDie(),
            1);
  EXPECT_EQ(Schema(), "t: string\nn: struct<t: list<item: string>>");
  EXPECT_THAT(last_->column(1)->ToString(), HasSubstr("2026-01-01T00:00:00Z"));
}

TEST_F(JsonInputTest, BlocksOfAnySizeGiveTheSameRows) {
  std::string json = "\xef\xbb\xbf\n";
  for (int i = 0; i < 2000; ++i) {
    json += "{\"id\":" + std::to_string(i) + ",\"text\":\"row\\r\\n" + std::string(i % 50, 'x') + "\"}\r\n\r\n";
  }
  for (const int64_t block : {1, 7, 100, 4096, 1 << 20}) {
    EXPECT_EQ(Rows(json, {.json_block_bytes = block}).ValueOrDie(), 2000) << block;
  }
}

TEST_F(JsonInputTest, WhatWasCutShortIsAnError) {
  ExpectInvalid(Rows("{\"a\":1}\n{\"a\":2}"), "its last line, number 2 without blank ones, has no line end");
  EXPECT_EQ(Rows("{\"a\":1}\n{\"a\":2}", {.allow_cut = true}).ValueOrDie(), 2);
  ExpectInvalid(Rows("{\"a\":1}\n{\"a\":2", {.allow_cut = true}), "row 2");
  ExpectInvalid(Rows("{\"a\":1}\n{\"a\":{\"b\":2}", {.allow_cut = true}), "x.jsonl");
}

TEST_F(JsonInputTest, LinesThatAreNoObjectsAreRefused) {
  for (const char* text : {"null\n", "[{\"a\":1}]\n", "{\n\"a\":1\n}\n", "{\"a\":1}\n5\n"}) {
    ExpectInvalid(Rows(text), "JSON lines have one object on each line");
  }
  ExpectInvalid(Rows("{\"a\":1}{\"a\":2}\n"), "more than one object");
  ExpectInvalid(Rows("{\"a\":1 2}\n"), "JSON parse error");
  ExpectInvalid(Rows("{\"a\":1,\"a\":2}\n"), "twice");
  ExpectInvalid(Rows("{\"a\":\"\\ud83d\"}\n"), "surrogate");
}

TEST_F(JsonInputTest, InputsWithoutRowsNeedGivenColumns) {
  ExpectInvalid(Rows(""), "--schema-of");
  ExpectInvalid(Rows("\n \n"), "--schema-of");
  const auto schema = arrow::schema({arrow::field("a", arrow::int64())});
  EXPECT_EQ(Rows("\n \n", {.schema = schema, .schema_of = "s"}).ValueOrDie(), 0);
}

TEST_F(JsonInputTest, UnicodeComesThrough) {
  EXPECT_EQ(Rows("{\"\xc3\xa4\":\"\\ud83d\\ude00 \xe2\x82\xac \\u0000\"}\n").ValueOrDie(), 1);
  EXPECT_EQ(last_->schema()->field(0)->name(), "\xc3\xa4");
  const auto& text = static_cast<const arrow::StringArray&>(*last_->column(0));
  EXPECT_EQ(text.GetString(0), std::string("\xf0\x9f\x98\x80 \xe2\x82\xac \0", 10));
}

TEST_F(JsonInputTest, NumbersThatDoNotFitAreRefused) {
  ExpectInvalid(Rows("{\"a\":1}\n{\"a\":9223372036854775808}\n"), "row 2: 9223372036854775808 is no int64");
  ExpectInvalid(Rows("{\"a\":1e999}\n"), "too big");
  const auto with = [&](std::shared_ptr<arrow::DataType> type) {
    return Rows("{\"a\":1}\n{\"a\":9223372036854775808}\n",
                {.schema = arrow::schema({arrow::field("a", std::move(type))}), .schema_of = "s"});
  };
  ExpectInvalid(with(arrow::int64()), "9223372036854775808; the columns and types are those of s");
  EXPECT_EQ(with(arrow::uint64()).ValueOrDie(), 2);
  EXPECT_EQ(with(arrow::decimal128(38, 0)).ValueOrDie(), 2);
}

TEST_F(JsonInputTest, WhatOutgrowsItsTypesSaysHowToHelp) {
  std::string json;
  for (int i = 0; i < 100; ++i) json += "{\"n\":1}\n";
  for (const char* later : {"{\"n\":\"text\"}\n", "{\"m\":1}\n", "{\"n\":1.5}\n"}) {
    const auto rows = Rows(json + later, {.json_block_bytes = 64});
    ExpectInvalid(rows, "--json-block-size");
    EXPECT_THAT(rows.status().message(), HasSubstr("counted after its first "));
  }
}

TEST_F(JsonInputTest, GivenTypesDecide) {
  const auto schema =
      arrow::schema({arrow::field("a", arrow::int16()), arrow::field("t", arrow::timestamp(arrow::TimeUnit::SECOND))});
  EXPECT_EQ(Rows("{\"t\":\"2026-01-01T00:00:00\",\"a\":1}\n{}\n", {.schema = schema, .schema_of = "s"}).ValueOrDie(),
            2);
  EXPECT_TRUE(last_->schema()->Equals(*schema));
  ExpectInvalid(Rows("{\"a\":40000}\n", {.schema = schema, .schema_of = "s"}), "40000");
  ExpectInvalid(Rows("{\"b\":1}\n", {.schema = schema, .schema_of = "s"}), "unexpected field");
}

TEST_F(JsonInputTest, LaterInputsAreReadWithTheTypesOfTheFirst) {
  const std::string first = File("1.jsonl", "{\"a\":1.5,\"b\":\"x\"}\n");
  EXPECT_EQ(CountRows({first, File("2.jsonl", "{\"b\":\"y\"}\n{\"a\":2}\n")}).ValueOrDie(), 3);
  EXPECT_EQ(Schema(), "a: double\nb: string");
  const auto other = CountRows({first, File("2.jsonl", "{\"c\":1}\n")});
  ExpectInvalid(other, "2.jsonl");
  EXPECT_THAT(other.status().message(), HasSubstr("1.jsonl"));
}

TEST_F(JsonInputTest, RowsAreHandedOnWhenTheSourceGoesSilent) {
  const std::string path = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  // Not before the first batch was seen does the source end.
  std::ofstream pipe;
  std::thread opener([&] {
    pipe.open(path, std::ios::binary);
    pipe << "{\"a\":1}\n{\"a\":2}\n{\"a\"" << std::flush;
  });
  const auto schema = arrow::schema({arrow::field("a", arrow::int64())});
  auto input =
      OpenInput(path, {.format = InputFormat::kJsonLines, .schema = schema, .schema_of = "s"}, &watch_).ValueOrDie();
  EXPECT_EQ(input->Next().ValueOrDie()->num_rows(), 2);
  opener.join();
  pipe.close();
  const auto rest = input->Next();
  EXPECT_EQ(KindOf(rest.status()), ErrorKind::kInvalid);
  EXPECT_THAT(rest.status().message(), HasSubstr("cut short"));
}

}  // namespace
}  // namespace tailrace::cli
