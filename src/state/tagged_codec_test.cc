#include "state/tagged_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace {
namespace {

using std::string_view_literals::operator""sv;
using testing::HasSubstr;

enum class Fruit { kApple, kPear };
constexpr Fruit kFruits[] = {Fruit::kPear, Fruit::kApple};  // numbered apart from the C++ type

constexpr Field kCount{1, WireType::kVarint, true, "count"};
constexpr Field kSum{3, WireType::kFixed64, true, "sum"};
constexpr Field kName{4, WireType::kBytes, false, "name"};
constexpr Field kLater{9, WireType::kBytes, false, "later"};
constexpr Field kLaterMust{10, WireType::kVarint, true, "later_must"};
constexpr Field kFields[] = {kCount, kSum, kName};

Result<MessageReader> Parse(std::string_view bytes) { return MessageReader::Parse(bytes, "thing: ", kFields); }

void ExpectRefused(std::string_view bytes, ErrorKind kind, const std::string& text) {
  const Status status = Parse(bytes).status();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(KindOf(status), kind) << status.ToString();
  EXPECT_THAT(status.ToString(), HasSubstr(text));
}

TEST(TaggedCodec, FieldsComeBack) {
  MessageWriter out;
  out.PutInt(kCount, 300);
  out.PutFixed64(kSum, 7);
  out.PutBytes(kName, "abc");
  const std::string bytes = out.Take();
  EXPECT_EQ(bytes,
            "\x0c\xac\x02\x1d\x07\0\0\0\0\0\0\0\x22\x03"
            "abc"sv);
  auto in = Parse(bytes);
  ASSERT_TRUE(in.ok()) << in.status();
  EXPECT_EQ(*in->Int(kCount), 300);
  EXPECT_EQ(*in->Fixed64(kSum), 7u);
  EXPECT_EQ(*in->String(kName), "abc");
}

TEST(TaggedCodec, MissingFieldIsNamed) {
  auto in = Parse("");
  ASSERT_TRUE(in.ok());
  EXPECT_THAT(in->Int(kCount).status().ToString(), HasSubstr("thing: count: missing"));
  EXPECT_EQ(KindOf(in->Fixed64(kSum).status()), ErrorKind::kBadState);
  EXPECT_EQ(in->BytesOrEmpty(kName), "");
  EXPECT_EQ(*in->IntOr(kCount, 5), 5);
}

TEST(TaggedCodec, UnknownFieldIsSkipped) {
  MessageWriter out;
  out.PutInt(kCount, 1);
  out.PutBytes(kLater, "from the future");
  auto in = Parse(out.Take());
  ASSERT_TRUE(in.ok()) << in.status();
  EXPECT_EQ(*in->Int(kCount), 1);
}

TEST(TaggedCodec, UnknownFieldThatMustBeUnderstoodStops) {
  MessageWriter out;
  out.PutInt(kLaterMust, 1);
  ExpectRefused(out.Take(), ErrorKind::kStateTooNew, "thing: tag 10");
}

TEST(TaggedCodec, MustUnderstandBitOfKnownFieldIsNotLookedAt) {
  EXPECT_EQ(*Parse("\x08\x01")->Int(kCount), 1);
  EXPECT_EQ(*Parse("\x0c\x01")->Int(kCount), 1);
}

TEST(TaggedCodec, MalformedMessagesAreRefused) {
  ExpectRefused("\x0c\x01\x0c\x01", ErrorKind::kBadState, "count: repeated or out of order");
  ExpectRefused("\x1d\0\0\0\0\0\0\0\0\x0c\x01"sv, ErrorKind::kBadState, "count: repeated or out of order");
  ExpectRefused("\x0d\0\0\0\0\0\0\0\0"sv, ErrorKind::kBadState, "count: wrong wire type");
  ExpectRefused("\x4b", ErrorKind::kBadState, "tag 9: wire type 3");
  ExpectRefused("\x0c", ErrorKind::kBadState, "count: cut short");
  ExpectRefused("\x1d\0\0\0"sv, ErrorKind::kBadState, "sum: cut short");
  ExpectRefused(
      "\x22\x05"
      "abc",
      ErrorKind::kBadState, "name: cut short");
  ExpectRefused("\x80", ErrorKind::kBadState, "byte 0: no field key");
  ExpectRefused("\x04\x00"sv, ErrorKind::kBadState, "tag 0: repeated or out of order");
  ExpectRefused("\xfc\xff\xff\xff\xff\xff\x01", ErrorKind::kBadState, "no field key");
}

TEST(TaggedCodec, NumbersOutOfRangeAreRefused) {
  auto in = Parse("\x0c\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  ASSERT_TRUE(in.ok());
  EXPECT_THAT(in->Int(kCount).status().ToString(), HasSubstr("count: 18446744073709551615 is too large"));
  EXPECT_EQ(KindOf(Parse("\x0c\x02")->Bool(kCount).status()), ErrorKind::kBadState);
  EXPECT_EQ(*in->Signed(kCount), std::numeric_limits<int64_t>::min());
}

TEST(TaggedCodec, EnumsGoByTheFormatsNumbering) {
  MessageWriter out;
  out.PutEnum(kCount, Fruit::kPear, kFruits);
  EXPECT_EQ(out.Take(), "\x0c\0"sv);
  EXPECT_EQ(*Parse("\x0c\x01")->EnumOf(kCount, kFruits), Fruit::kApple);
  EXPECT_EQ(KindOf(Parse("\x0c\x02")->EnumOf(kCount, kFruits).status()), ErrorKind::kStateTooNew);
}

TEST(TaggedCodecDeathTest, WriterRefusesFieldsOutOfOrder) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  MessageWriter out;
  out.PutBytes(kName, "abc");
  EXPECT_DEATH(out.PutInt(kCount, 1), "");
}

}  // namespace
}  // namespace tailrace
