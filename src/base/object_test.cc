#include "tailrace/object.h"

#include <string>

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
