#include "state/row_groups_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/packed_bytes.h"
#include "state/receipts_codec.h"
#include "state/state_samples.h"
#include "state/wire.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

std::string Plain(std::string_view list) { return std::string(1, '\0').append(list); }

// Every cut of a list must be refused by name, and so must a byte too many.
template <typename Decode>
void ExpectEveryCutRefused(const std::string& list, Decode decode) {
  ASSERT_TRUE(decode(Plain(list)).ok());
  for (size_t size = 0; size < list.size(); ++size) {
    const Status status = decode(Plain(list.substr(0, size))).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState) << size;
    EXPECT_THAT(status.ToString(), HasSubstr("list: ")) << size;
  }
  EXPECT_THAT(decode(Plain(list + "x")).status().ToString(), HasSubstr("1 bytes too many"));
}

TEST(RowGroupsCodec, EveryCutIsRefused) {
  const std::string list = *UnpackBytes(EncodeRowGroups(LargeState(3, 2).content.row_groups), "list");
  ExpectEveryCutRefused(list, [](const std::string& packed) { return DecodeRowGroups(packed, "list"); });
}

TEST(RowGroupsCodec, CountsThatCannotBeAreRefusedBeforeTheyAreAllocated) {
  for (uint64_t count : {uint64_t{1} << 20, uint64_t{1} << 40, (uint64_t{1} << 63) - 1}) {
    std::string groups, chunks;
    PutVarint(count, &groups);
    PutVarint(0, &groups);
    PutVarint(0, &groups);
    groups += std::string(20, '\0');
    EXPECT_EQ(KindOf(DecodeRowGroups(Plain(groups), "list").status()), ErrorKind::kBadState);
    PutVarint(1, &chunks);
    PutVarint(count, &chunks);
    PutVarint(1, &chunks);
    chunks += std::string(20, '\0');
    EXPECT_EQ(KindOf(DecodeRowGroups(Plain(chunks), "list").status()), ErrorKind::kBadState);
  }
}

TEST(RowGroupsCodec, MoreChunksThanTheMetadataCanDescribeAreRefused) {
  RowGroupEntry group;
  group.rows = group.size_bytes = 1;
  group.metadata = "15 bytes of it.";
  group.indexes.resize(2);
  EXPECT_THAT(DecodeRowGroups(EncodeRowGroups({group}), "list").status().ToString(),
              HasSubstr("list: metadata: 15 bytes cannot describe 2 column chunks"));
}

TEST(RowGroupsCodec, ChunksWithoutRowGroupsAreRefused) {
  EXPECT_EQ(KindOf(DecodeRowGroups(Plain(std::string("\0\x01\0", 3)), "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(DecodeRowGroups(Plain(std::string("\0\0\x01", 3)), "list").status()), ErrorKind::kBadState);
  EXPECT_TRUE(DecodeRowGroups(Plain(std::string("\0\0\0", 3)), "list").ok());
}

// What a later version may choose, this one must not take for something else.
TEST(RowGroupsCodec, UnknownChoicesAreTooNew) {
  const std::string list = *UnpackBytes(EncodeRowGroups(SmallState().content.row_groups), "list");
  // Encoding, flags and reason, then 300 and 299 as varints of two bytes each.
  const size_t begin = list.size() - 7;
  for (size_t i = 0; i < 3; ++i) {
    std::string newer = list;
    newer[begin + i] = 9;
    const Status status = DecodeRowGroups(Plain(newer), "list").status();
    EXPECT_EQ(KindOf(status), ErrorKind::kStateTooNew) << status;
    EXPECT_THAT(status.message(), HasSubstr("list: choices: "));
  }
}

TEST(RowGroupsCodec, RowGroupsWithoutChoicesComeBack) {
  auto row_groups = LargeState(3, 2).content.row_groups;
  for (RowGroupEntry& group : row_groups) group.choices.clear();
  EXPECT_EQ(*DecodeRowGroups(EncodeRowGroups(row_groups), "list"), row_groups);
}

TEST(ReceiptsCodec, EveryCutIsRefused) {
  const std::string list = *UnpackBytes(EncodeReceipts(LargeState(300, 1).progress.receipts), "list");
  ExpectEveryCutRefused(list, [](const std::string& packed) { return DecodeReceipts(packed, "list"); });
}

TEST(ReceiptsCodec, CountThatCannotBeIsRefused) {
  std::string list;
  PutVarint(uint64_t{1} << 40, &list);
  EXPECT_THAT(DecodeReceipts(Plain(list + std::string(40, '\0')), "list").status().ToString(), HasSubstr("count"));
}

TEST(ReceiptsCodec, GapsAreKeptForTheCallerToSee) {
  const std::vector<PartReceipt> receipts = {{2, 10, 5, "a", 1, "c"}, {7, 40, 6, "", 2, ""}};
  EXPECT_EQ(*DecodeReceipts(EncodeReceipts(receipts), "list"), receipts);
}

TEST(ReceiptsCodec, SealsTakeRoomOnlyWhereThereAreSome) {
  std::vector<PartReceipt> receipts = {{1, 0, 5, "a", 1, "c"}, {2, 5, 6, "b", 2, ""}};
  const size_t size = UnpackBytes(EncodeReceipts(receipts), "list")->size();
  receipts[1].sealed_etag = true;
  const std::string list = *UnpackBytes(EncodeReceipts(receipts), "list");
  EXPECT_EQ(list.size(), size + 2);
  EXPECT_EQ(*DecodeReceipts(Plain(list), "list"), receipts);
  for (const std::string& seals : {std::string(2, '\0'), std::string("\1\2"), std::string("x\1")}) {
    EXPECT_THAT(DecodeReceipts(Plain(list.substr(0, size) + seals), "list").status().ToString(), HasSubstr("seals"));
  }
}

TEST(ReceiptsCodec, NumbersAndOffsetsThatOverflowAreRefused) {
  const auto list = [](uint64_t number_step, uint64_t offset_step) {
    std::string out;
    PutVarint(2, &out);
    for (uint64_t value :
         {uint64_t{1}, number_step, uint64_t{0}, offset_step, uint64_t{9}, uint64_t{9}, uint64_t{0}, uint64_t{0}}) {
      PutVarint(value, &out);
    }
    PutFixed64(0, &out);
    PutFixed64(0, &out);
    out.append(2, '\0');  // no checksums
    return Plain(out);
  };
  EXPECT_TRUE(DecodeReceipts(list(1, 0), "list").ok());
  EXPECT_THAT(DecodeReceipts(list(0x7fffffff, 0), "list").status().ToString(), HasSubstr("numbers"));
  EXPECT_THAT(DecodeReceipts(list(1, (uint64_t{1} << 63) - 10), "list").status().ToString(), HasSubstr("offsets"));
}

}  // namespace
}  // namespace tailrace
