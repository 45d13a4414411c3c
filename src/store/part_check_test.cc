#include "store/part_check.h"

#include <vector>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

PartReceipt Receipt(int number, int64_t offset, int64_t size, uint64_t crc64) {
  return {.number = number, .offset_bytes = offset, .size_bytes = size, .etag = {}, .crc64 = crc64};
}

// All sets of ranges within 7 bytes, against a plain array.
TEST(ByteRanges, AgreesWithAnArrayOfBytes) {
  constexpr int kSize = 7;
  std::vector<std::pair<int, int>> all;
  for (int begin = 0; begin <= kSize; ++begin) {
    for (int end = begin; end <= kSize; ++end) all.emplace_back(begin, end);
  }
  for (const auto& first : all) {
    for (const auto& second : all) {
      for (const auto& third : all) {
        ByteRanges ranges;
        std::vector<bool> bytes(kSize, false);
        for (const auto& range : {first, second, third}) {
          ranges.Add(range.first, range.second);
          for (int i = range.first; i < range.second; ++i) bytes[i] = true;
        }
        for (const auto& asked : all) {
          bool overlaps = false;
          for (int i = asked.first; i < asked.second; ++i) overlaps |= bytes[i];
          ASSERT_EQ(ranges.Overlaps(asked.first, asked.second), overlaps);
        }
      }
    }
  }
}

TEST(ByteRanges, AFileWrittenInOrderIsOneRange) {
  ByteRanges ranges;
  for (int i = 0; i < 1000; ++i) ranges.Add(i * 10, i * 10 + 10);
  EXPECT_EQ(ranges.count(), 1);
}

TEST(PartCheck, BelievesWhatItWroteAndNothingElse) {
  PartCheck check(/*trusted_bytes=*/0);
  check.Forget(0, 10);
  check.Remember(Receipt(1, 0, 10, 7));
  EXPECT_TRUE(check.Believes(Receipt(1, 0, 10, 7)));
  EXPECT_FALSE(check.Believes(Receipt(1, 0, 10, 8)));
  EXPECT_FALSE(check.Believes(Receipt(1, 0, 9, 7)));
  EXPECT_FALSE(check.Believes(Receipt(2, 10, 10, 7)));
}

TEST(PartCheck, TrustEndsWhereItWroteItself) {
  PartCheck check(/*trusted_bytes=*/1000);
  EXPECT_TRUE(check.Believes(Receipt(2, 10, 10, 1)));
  // As before a write that fails.
  check.Forget(15, 25);
  EXPECT_FALSE(check.Believes(Receipt(2, 10, 10, 1)));
  EXPECT_FALSE(check.Believes(Receipt(3, 20, 10, 1)));
  EXPECT_TRUE(check.Believes(Receipt(1, 0, 10, 1)));
  EXPECT_TRUE(check.Believes(Receipt(4, 25, 10, 1)));
}

TEST(PartCheck, OverwrittenPartsAreForgotten) {
  PartCheck check(/*trusted_bytes=*/0);
  for (int i = 0; i < 5; ++i) check.Remember(Receipt(i + 1, i * 10, 10, i));
  check.Forget(15, 31);
  const std::vector<PartReceipt> known = check.Known();
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(known[0], Receipt(1, 0, 10, 0));
  EXPECT_EQ(known[1], Receipt(5, 40, 10, 4));
}

TEST(PartCheck, PartsOfNoBytesDoNotMatter) {
  PartCheck check(/*trusted_bytes=*/1000);
  check.Forget(10, 10);
  EXPECT_TRUE(check.Believes(Receipt(2, 10, 0, 0)));
}

}  // namespace
}  // namespace tailrace
