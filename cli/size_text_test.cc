#include "cli/size_text.h"

#include <limits>

#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

TEST(ParseSize, TakesBinaryAndDecimalUnitsInAnyCase) {
  EXPECT_EQ(ParseSize("--x", "4096").ValueOrDie(), 4096);
  EXPECT_EQ(ParseSize("--x", "16MiB").ValueOrDie(), 16 << 20);
  EXPECT_EQ(ParseSize("--x", "16 mib").ValueOrDie(), 16 << 20);
  EXPECT_EQ(ParseSize("--x", "1GB").ValueOrDie(), 1000000000);
  EXPECT_EQ(ParseSize("--x", "1.5KiB").ValueOrDie(), 1536);
  EXPECT_EQ(ParseSize("--x", "2T").ValueOrDie(), int64_t{2} << 40);
}

TEST(ParseSize, RefusesOthersNamingTheOption) {
  for (const char* text : {"", "MiB", "-1", "16MiBs", "1..5", "0", "0.2", "1e30", "99999999999TiB", "12 parsecs"}) {
    const auto size = ParseSize("--part-size", text);
    ASSERT_FALSE(size.ok()) << text;
    EXPECT_EQ(KindOf(size.status()), ErrorKind::kInvalid);
    EXPECT_NE(size.status().message().find("--part-size"), std::string::npos) << size.status();
  }
}

TEST(ParseCount, NamesItsLimits) {
  EXPECT_EQ(ParseCount("--threads", "8", 1, 256).ValueOrDie(), 8);
  for (const char* text : {"0", "257", "x", "1.5", "", "8 "}) {
    const auto count = ParseCount("--threads", text, 1, 256);
    ASSERT_FALSE(count.ok()) << text;
    EXPECT_NE(count.status().message().find("256"), std::string::npos);
  }
  EXPECT_FALSE(ParseCount("--rows", "0", 1, std::numeric_limits<int64_t>::max()).ok());
}

TEST(ParseCheckpointEvery, TellsRowsBytesAndTimeApart) {
  EXPECT_EQ(ParseCheckpointEvery("--e", "50000rows").ValueOrDie(), (CheckpointEvery{.rows = 50000}));
  EXPECT_EQ(ParseCheckpointEvery("--e", "1 row").ValueOrDie(), (CheckpointEvery{.rows = 1}));
  EXPECT_EQ(ParseCheckpointEvery("--e", "64MiB").ValueOrDie(), (CheckpointEvery{.input_bytes = 64 << 20}));
  EXPECT_EQ(ParseCheckpointEvery("--e", "10s").ValueOrDie(), (CheckpointEvery{.time = std::chrono::seconds(10)}));
  EXPECT_EQ(ParseCheckpointEvery("--e", "250ms").ValueOrDie().time.count(), 250);
  EXPECT_EQ(ParseCheckpointEvery("--e", "2min").ValueOrDie().time, std::chrono::minutes(2));
}

TEST(ParseCheckpointEvery, AsksForAUnitInsteadOfGuessing) {
  for (const char* text : {"50000", "5m", "", "rows", "0rows", "0s", "ten rows", "99999999h"}) {
    EXPECT_FALSE(ParseCheckpointEvery("--e", text).ok()) << text;
  }
}

TEST(Text, IsMadeForPeople) {
  EXPECT_EQ(SizeText(0), "0 B");
  EXPECT_EQ(SizeText(1023), "1023 B");
  EXPECT_EQ(SizeText(1536), "1.5 KiB");
  EXPECT_EQ(SizeText(int64_t{3} << 40), "3.0 TiB");
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(CountText(999), "999");
  EXPECT_EQ(CountText(1000), "1,000");
  EXPECT_EQ(CountText(336776), "336,776");
  EXPECT_EQ(CountText(-1234567), "-1,234,567");
  EXPECT_EQ(RowsText(1), "1 row");
  EXPECT_EQ(RowsText(0), "0 rows");
}

}  // namespace
}  // namespace tailrace::cli
