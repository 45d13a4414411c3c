#include "encode/thrift_compact.h"

#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "encode/written_file_fixture.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

// One of everything that the protocol has.
ThriftStruct Everything() {
  ThriftStruct inner;
  inner.Set(1, ThriftValue::Binary("x"));
  inner.Set(300, ThriftValue::I32(-7));  // too far for the short form
  ThriftStruct all;
  all.Set(1, {ThriftType::kTrue, int64_t{0}});
  all.Set(2, {ThriftType::kFalse, int64_t{0}});
  all.Set(3, {ThriftType::kByte, int64_t{200}});
  all.Set(4, ThriftValue::I16(-1));
  all.Set(5, ThriftValue::I32(std::numeric_limits<int32_t>::min()));
  all.Set(6, ThriftValue::I64(std::numeric_limits<int64_t>::max()));
  all.Set(7, ThriftValue::I64(std::numeric_limits<int64_t>::min()));
  all.Set(8, {ThriftType::kDouble, int64_t{0x3ff8000000000001}});
  all.Set(9, ThriftValue::Binary(std::string("a\0b", 3)));
  all.Set(10, {ThriftType::kUuid, std::string(16, 'u')});
  all.Set(40, ThriftValue::Struct(inner));
  ThriftList longs{ThriftType::kI64, {}};
  for (int64_t i = 0; i < 20; ++i) longs.values.push_back(ThriftValue::I64(i * i * i * 1000));
  all.Set(41, ThriftValue::List(longs));
  all.Set(42,
          ThriftValue::List({ThriftType::kTrue, {{ThriftType::kTrue, int64_t{1}}, {ThriftType::kTrue, int64_t{2}}}}));
  all.Set(43, {ThriftType::kSet, ThriftList{ThriftType::kBinary, {ThriftValue::Binary("in a set")}}});
  all.Set(44, {ThriftType::kMap,
               ThriftMap{ThriftType::kI32, ThriftType::kStruct, {ThriftValue::I32(1), ThriftValue::Struct(inner)}}});
  all.Set(45, {ThriftType::kMap, ThriftMap{}});
  all.Set(46, ThriftValue::List({ThriftType::kStruct, {ThriftValue::Struct(inner), ThriftValue::Struct({})}}));
  return all;
}

void ExpectRoundTrip(const std::string& bytes) {
  ASSERT_OK_AND_ASSIGN(const ThriftStruct tree, DecodeThrift(bytes));
  EXPECT_TRUE(EncodeThrift(tree) == bytes);
}

TEST(ThriftCompact, EveryTypeComesBack) {
  const std::string bytes = EncodeThrift(Everything());
  ExpectRoundTrip(bytes);
  ASSERT_OK_AND_ASSIGN(const ThriftStruct tree, DecodeThrift(bytes));
  EXPECT_EQ(*tree.FindInt(5), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(*tree.FindInt(7), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(*tree.FindBinary(9), std::string("a\0b", 3));
  EXPECT_EQ(*tree.FindStruct(40)->FindInt(300), -7);
  EXPECT_EQ(tree.FindList(41)->values.size(), 20u);
  EXPECT_EQ(tree.FindInt(9), nullptr) << "of another type";
  EXPECT_EQ(tree.FindInt(11), nullptr);
}

TEST(ThriftCompact, WorkedExample) {
  ThriftStruct tree;
  tree.Set(1, ThriftValue::I32(1));
  tree.Set(3, ThriftValue::Binary("ab"));
  // Field 1 of type 5 with zigzag 2; two ids on, type 8 of length 2; stop.
  EXPECT_EQ(EncodeThrift(tree), std::string("\x15\x02\x28\x02"
                                            "ab\0",
                                            7));
}

TEST(ThriftCompact, LibparquetsFootersComeBackByteForByte) {
  for (const auto& schema : {FlatSchema(), NestedSchema(), DictionarySchema()}) {
    for (const bool statistics : {true, false}) {
      ParquetOptions options;
      options.statistics = options.page_index = statistics;
      options.row_group_rows = 100;
      ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(schema, {MakeBatch(schema, 350, 1)}, options));
      ExpectRoundTrip(file.footer);
      ExpectRoundTrip(file.content.footer_template);
      for (const RowGroupEntry& entry : file.content.row_groups) {
        ExpectRoundTrip(entry.metadata);
        for (const ColumnIndexBytes& index : entry.indexes) {
          ExpectRoundTrip(index.offset_index.empty() ? std::string(1, '\0') : index.offset_index);
          ExpectRoundTrip(index.column_index.empty() ? std::string(1, '\0') : index.column_index);
        }
      }
    }
  }
}

TEST(ThriftCompact, OrderOfFieldsStays) {
  // Ids 5, 2, 2: what no writer does, but the protocol can say.
  const std::string bytes("\x55\x02\x05\x04\x06\x05\x04\x08\0", 9);
  ExpectRoundTrip(bytes);
}

TEST(ThriftCompact, SetKeepsOrderAndReplaces) {
  ThriftStruct tree;
  tree.Set(4, ThriftValue::I32(4));
  tree.Set(2, ThriftValue::I32(2));
  tree.Set(9, ThriftValue::I32(9));
  tree.Set(4, ThriftValue::I32(44));
  tree.Remove(9);
  tree.Remove(7);
  ASSERT_EQ(tree.fields.size(), 2u);
  EXPECT_EQ(tree.fields[0].id, 2);
  EXPECT_EQ(tree.fields[1].id, 4);
  EXPECT_EQ(*tree.FindInt(4), 44);
}

TEST(ThriftCompact, EncodedPartsAreCopied) {
  ThriftStruct inner;
  inner.Set(1, ThriftValue::I64(5));
  ThriftStruct whole, spliced;
  whole.Set(2, ThriftValue::List({ThriftType::kStruct, {ThriftValue::Struct(inner), ThriftValue::Struct(inner)}}));
  spliced.Set(2, ThriftValue::Encoded(ThriftType::kList, EncodeThriftListHeader(ThriftType::kStruct, 2) +
                                                             EncodeThrift(inner) + EncodeThrift(inner)));
  EXPECT_EQ(EncodeThrift(spliced), EncodeThrift(whole));
}

TEST(ThriftCompact, EveryPrefixIsRefused) {
  const std::string bytes = EncodeThrift(Everything());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift(std::string_view(bytes).substr(0, size)));
  }
}

TEST(ThriftCompact, BytesBehindAreRefusedUnlessAskedFor) {
  const std::string bytes = EncodeThrift(Everything());
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift(bytes + "x"));
  size_t used = 0;
  EXPECT_OK(DecodeThrift(bytes + "x", &used));
  EXPECT_EQ(used, bytes.size());
}

// What is decoded from damaged bytes must be a tree like any other.
void ExpectNoCrash(const std::string& bytes) {
  const auto tree = DecodeThrift(bytes);
  if (tree.ok()) {
    EXPECT_LE(EncodeThrift(*tree).size(), bytes.size());
  }
}

TEST(ThriftCompact, EveryFlippedByteIsAnErrorOrATree) {
  std::string bytes = EncodeThrift(Everything());
  for (char& byte : bytes) {
    const char before = byte;
    for (int value = 0; value < 256; ++value) {
      byte = static_cast<char>(value);
      ExpectNoCrash(bytes);
    }
    byte = before;
  }
}

TEST(ThriftCompact, RandomBytesAreAnErrorOrATree) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    ExpectNoCrash(bytes);
  }
}

TEST(ThriftCompact, DeepNestingIsRefused) {
  const auto nested = [](int depth) {
    return std::string(depth, '\x1c') + std::string(depth + 1, '\0');  // field 1 is a struct, over and over
  };
  EXPECT_OK(DecodeThrift(nested(kMaxThriftDepth)));
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift(nested(kMaxThriftDepth + 1)));
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift(nested(1000000)));
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift(std::string("\x19") + std::string(1000000, '\x19')));  // lists of lists
}

TEST(ThriftCompact, HugeCountsAreRefusedBeforeAllocating) {
  const std::string huge = "\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift("\x18" + huge + std::string(8, '\0')));           // text
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift("\x19\xfc" + huge + std::string(8, '\0')));       // list of structs
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift("\x1b" + huge + "\x88" + std::string(8, '\0')));  // map
}

TEST(ThriftCompact, NumbersThatAreTooLongAreRefused) {
  EXPECT_OK(DecodeThrift(std::string("\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0", 12)));
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift(std::string("\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\0", 12)));
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift("\x16" + std::string(30, '\xff')));
}

TEST(ThriftCompact, UnknownTypesAndFieldIdsAreRefused) {
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift(std::string("\x1e\x02\0", 3)));
  EXPECT_KIND(ErrorKind::kInvalid, DecodeThrift(std::string("\x05\xff\xff\x7f\x02\0", 6)));  // id below -32768
}

}  // namespace
}  // namespace tailrace
