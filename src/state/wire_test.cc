#include "state/wire.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

using std::string_view_literals::operator""sv;

std::string Varint(uint64_t value) {
  std::string out;
  PutVarint(value, &out);
  return out;
}

TEST(Wire, VarintsOfEveryLengthComeBack) {
  std::vector<uint64_t> values = {0, std::numeric_limits<uint64_t>::max()};
  for (int bit = 0; bit < 64; ++bit) {
    values.push_back(uint64_t{1} << bit);
    values.push_back((uint64_t{1} << bit) - 1);
  }
  for (uint64_t value : values) {
    const std::string bytes = Varint(value);
    WireReader wire(bytes);
    uint64_t again = ~value;
    ASSERT_TRUE(wire.ReadVarint(&again)) << value;
    EXPECT_EQ(again, value);
    EXPECT_EQ(wire.remaining(), 0);
    for (size_t size = 0; size < bytes.size(); ++size) {
      WireReader cut(std::string_view(bytes).substr(0, size));
      EXPECT_FALSE(cut.ReadVarint(&again)) << value;
      EXPECT_EQ(cut.remaining(), static_cast<int64_t>(size));
    }
  }
}

TEST(Wire, VarintHasOneEncodingOnly) {
  const std::string_view refused[] = {"\x80\x00"sv, "\xff\x00"sv, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02"sv,
                                      "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"sv};
  for (std::string_view bytes : refused) {
    WireReader wire(bytes);
    uint64_t value;
    EXPECT_FALSE(wire.ReadVarint(&value));
  }
}

TEST(Wire, SizeStopsAt63Bits) {
  const std::string most = Varint(uint64_t{1} << 63), fits = Varint((uint64_t{1} << 63) - 1);
  int64_t size = 7;
  WireReader wire(most);
  EXPECT_FALSE(wire.ReadSize(&size));
  EXPECT_EQ(size, 7);
  EXPECT_EQ(wire.remaining(), static_cast<int64_t>(most.size()));
  WireReader other(fits);
  ASSERT_TRUE(other.ReadSize(&size));
  EXPECT_EQ(size, std::numeric_limits<int64_t>::max());
}

TEST(Wire, FixedNumbersAreLittleEndian) {
  std::string bytes;
  PutFixed32(0x04030201, &bytes);
  PutFixed64(0x0c0b0a0908070605, &bytes);
  EXPECT_EQ(bytes, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c");
  WireReader wire(bytes);
  uint32_t small;
  uint64_t large;
  ASSERT_TRUE(wire.ReadFixed32(&small) && wire.ReadFixed64(&large));
  EXPECT_EQ(small, 0x04030201u);
  EXPECT_EQ(large, 0x0c0b0a0908070605u);
  EXPECT_FALSE(wire.ReadFixed32(&small));
  EXPECT_FALSE(wire.ReadFixed64(&large));
}

TEST(Wire, ZigZagKeepsSmallNumbersSmall) {
  const std::pair<int64_t, uint64_t> pairs[] = {{0, 0},
                                                {-1, 1},
                                                {1, 2},
                                                {-2, 3},
                                                {std::numeric_limits<int64_t>::max(), ~uint64_t{1}},
                                                {std::numeric_limits<int64_t>::min(), ~uint64_t{0}}};
  for (const auto& [value, coded] : pairs) {
    EXPECT_EQ(ZigZag(value), coded);
    EXPECT_EQ(UnZigZag(coded), value);
  }
}

TEST(Wire, SizedBytesMayNotReachBeyondTheEnd) {
  std::string_view value = "untouched";
  WireReader wire(
      "\x03"
      "ab");
  EXPECT_FALSE(wire.ReadSizedBytes(&value));
  EXPECT_EQ(value, "untouched");
  EXPECT_EQ(wire.remaining(), 3);
  WireReader huge(
      "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
      "ab");
  EXPECT_FALSE(huge.ReadSizedBytes(&value));
  WireReader good(
      "\x02"
      "abc");
  ASSERT_TRUE(good.ReadSizedBytes(&value));
  EXPECT_EQ(value, "ab");
  EXPECT_FALSE(good.ReadBytes(-1, &value));
}

}  // namespace
}  // namespace tailrace
