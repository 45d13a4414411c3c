#include "tailrace/object.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

Target File(std::string key) {
  Target target;
  target.kind = "file";
  target.key = std::move(key);
  return target;
}

TEST(Target, UrlOfAFileHasThreeSlashes) {
  EXPECT_EQ(File("data/x.parquet").ToUrl(), "file:///data/x.parquet");
  EXPECT_EQ(File("data/day=2026-01-01/a+b@c~.parquet").ToUrl(), "file:///data/day=2026-01-01/a+b@c~.parquet");
}

TEST(Target, UrlEncodesWhatAPathMayNotHold) {
  EXPECT_EQ(File("a b/100%/c#d?e").ToUrl(), "file:///a%20b/100%25/c%23d%3Fe");
  EXPECT_EQ(File("\xc3\xa4\n\"").ToUrl(), "file:///%C3%A4%0A%22");
}

TEST(Target, UrlNamesTheBucket) {
  Target target;
  target.kind = "memory";
  target.bucket = "test";
  target.key = "a/b";
  EXPECT_EQ(target.ToUrl(), "memory://test/a/b");
}

TEST(WriteId, TimeIsThatOfTheRfcExample) {
  // RFC 9562, appendix A.6.
  const WriteId id{"017f22e2-79b0-7cc3-98c4-dc0c0c07398f"};
  EXPECT_EQ(id.Time(), Timestamp(std::chrono::milliseconds(1645557742000)));
}

TEST(WriteId, OtherTextsHaveNoTime) {
  for (const char* text : {"", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0",
                           "017f22e2-79b0-4cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f",
                           "017F22E2-79b0-7cc3-98c4-dc0c0c07398f", "017f22e2079b0-7cc3-98c4-dc0c0c07398f",
                           "g17f22e2-79b0-7cc3-98c4-dc0c0c07398f"}) {
    EXPECT_EQ(WriteId{text}.Time(), std::nullopt) << text;
  }
}

TEST(PartLengths, PartsStandOneBehindTheOther) {
  const PartLengths lengths{.part_size_bytes = int64_t{5} << 30};
  EXPECT_EQ(lengths.LengthOf(1), int64_t{5} << 30);
  EXPECT_EQ(lengths.OffsetOf(1), 0);
  for (int number = 1; number < 10000; ++number) {
    ASSERT_EQ(lengths.OffsetOf(number + 1), lengths.OffsetOf(number) + lengths.LengthOf(number));
  }
}

TEST(PartLengths, GrowInStepsToTheLargest) {
  const PartLengths lengths{.part_size_bytes = 10, .step_parts = 2, .growth_bytes = 3, .largest_bytes = 30};
  std::vector<int64_t> first;
  for (int number = 1; number <= 10; ++number) first.push_back(lengths.LengthOf(number));
  EXPECT_EQ(first, (std::vector<int64_t>{10, 10, 13, 13, 22, 22, 30, 30, 30, 30}));
  EXPECT_EQ(lengths.LongestBytes(), 30);
  EXPECT_TRUE(lengths.valid());
}

// Sums and counts against parts that are added up one by one, over many functions.
TEST(PartLengths, OffsetsAndCountsAreThoseOfTheParts) {
  std::mt19937_64 random(7);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  for (int round = 0; round < 300; ++round) {
    PartLengths lengths{.part_size_bytes = 1 + below(100)};
    if (round % 10 > 0) {
      lengths.step_parts = 1 + static_cast<int>(below(7));
      lengths.growth_bytes = 1 + below(20);
      lengths.largest_bytes = lengths.part_size_bytes + below(2000);
    }
    ASSERT_TRUE(lengths.valid());
    int64_t offset = 0;
    for (int number = 1; number <= 120; ++number) {
      ASSERT_EQ(lengths.OffsetOf(number), offset);
      const int64_t length = lengths.LengthOf(number);
      ASSERT_LE(length, lengths.LongestBytes());
      ASSERT_EQ(lengths.PartsFor(offset), number - 1);
      ASSERT_EQ(lengths.PartsFor(offset + 1), number);
      ASSERT_EQ(lengths.PartsFor(offset + length), number);
      ASSERT_GE(length, lengths.LengthOf(std::max(1, number - 1)));
      offset += length;
      ASSERT_EQ(lengths.BytesOf(number), offset);
    }
  }
}

TEST(PartLengths, SumsBeyondWhatCanBeCountedStayAtTheMost) {
  EXPECT_EQ((PartLengths{.part_size_bytes = int64_t{1} << 62}.BytesOf(2)), INT64_MAX);
  const PartLengths growing{
      .part_size_bytes = 1, .step_parts = 1, .growth_bytes = 1, .largest_bytes = int64_t{1} << 62};
  EXPECT_EQ(growing.BytesOf(INT64_MAX), INT64_MAX);
  EXPECT_LT(growing.PartsFor(INT64_MAX), int64_t{1} << 22);
}

TEST(PartLengths, FunctionsThatMakeNoSenseAreNotValid) {
  for (const PartLengths& lengths :
       {PartLengths{}, PartLengths{.part_size_bytes = -1}, PartLengths{.part_size_bytes = 5, .growth_bytes = 1},
        PartLengths{.part_size_bytes = 5, .largest_bytes = 5},
        PartLengths{.part_size_bytes = 5, .step_parts = -1, .growth_bytes = 1, .largest_bytes = 5},
        PartLengths{.part_size_bytes = 5, .step_parts = 1, .growth_bytes = 0, .largest_bytes = 5},
        PartLengths{.part_size_bytes = 5, .step_parts = 1, .growth_bytes = 1, .largest_bytes = 4},
        PartLengths{.part_size_bytes = 5, .step_parts = 1, .growth_bytes = 1, .largest_bytes = INT64_MAX}}) {
    EXPECT_FALSE(lengths.valid());
  }
}

TEST(PartLengths, CountsTheLastShorterPart) {
  const PartLengths lengths{.part_size_bytes = 10};
  EXPECT_EQ(lengths.PartsFor(0), 0);
  EXPECT_EQ(lengths.PartsFor(1), 1);
  EXPECT_EQ(lengths.PartsFor(10), 1);
  EXPECT_EQ(lengths.PartsFor(11), 2);
  EXPECT_EQ(lengths.PartsFor(INT64_MAX), INT64_MAX / 10 + 1);
}

}  // namespace
}  // namespace tailrace
