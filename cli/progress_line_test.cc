#include "cli/progress_line.h"

#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

using std::chrono::seconds;

const ProgressFacts kHalf{.rows = 336776,
                          .input_bytes = 50 << 20,
                          .total_bytes = 100 << 20,
                          .bytes_per_second = 5 << 20,
                          .stored_parts = 3,
                          .stored_bytes = 48 << 20,
                          .elapsed = seconds(12)};

TEST(ProgressLine, TellsShareRowsBytesRatePartsAndWhatIsLeft) {
  EXPECT_EQ(ProgressLine(kHalf, 100),
            "[########........] 50%  336,776 rows  50.0 MiB of 100.0 MiB  5.0 MiB/s  3 parts, 48.0 MiB  0:10 left");
}

TEST(ProgressLine, APipeHasNoBarAndNoEnd) {
  ProgressFacts pipe = kHalf;
  pipe.total_bytes = std::nullopt;
  pipe.elapsed = seconds(3727);
  EXPECT_EQ(ProgressLine(pipe, 200), "336,776 rows  50.0 MiB  5.0 MiB/s  3 parts, 48.0 MiB  1:02:07");
}

TEST(ProgressLine, NeverWiderThanTheTerminal) {
  for (int columns = 0; columns < 120; ++columns) {
    const std::string line = ProgressLine(kHalf, columns);
    EXPECT_LE(static_cast<int>(line.size()), columns);
    EXPECT_EQ(line.find_first_of("\r\n\x1b"), std::string::npos);
  }
  EXPECT_EQ(ProgressLine(kHalf, 20), "50%  336,776 rows");
}

TEST(ProgressLine, OddSizesAreNoTrouble) {
  ProgressFacts odd = kHalf;
  odd.total_bytes = 0;
  EXPECT_NE(ProgressLine(odd, 100).find("100%"), std::string::npos);
  odd.total_bytes = 1;
  EXPECT_NE(ProgressLine(odd, 100).find("100%"), std::string::npos);
  odd = {.total_bytes = 100};
  EXPECT_NE(ProgressLine(odd, 100).find("0%  0 rows"), std::string::npos);
  EXPECT_NE(ProgressLine(odd, 100).find("0 parts  0:00"), std::string::npos);
}

TEST(RateMeter, FollowsTheNewestSeconds) {
  RateMeter meter;
  EXPECT_EQ(meter.bytes_per_second(), 0);
  meter.Add(1000, seconds(1));
  EXPECT_DOUBLE_EQ(meter.bytes_per_second(), 1000);
  meter.Add(1000, seconds(1));
  EXPECT_DOUBLE_EQ(meter.bytes_per_second(), 1000);
  meter.Add(1000, seconds(2));
  EXPECT_LT(meter.bytes_per_second(), 1000);
  meter.Add(1000, seconds(60));
  EXPECT_LT(meter.bytes_per_second(), 1);
}

}  // namespace
}  // namespace tailrace::cli
