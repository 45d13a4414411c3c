#include "base/iso_time.h"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr Timestamp kTime{seconds(1'769'860'800)};  // 2026-01-31T12:00:00Z

TEST(IsoTime, ReadsTheFormsThatStoresSend) {
  EXPECT_EQ(ParseIsoTime("2026-01-31T12:00:00Z"), kTime);
  EXPECT_EQ(ParseIsoTime("2026-01-31T12:00:00UTC"), kTime);
  EXPECT_EQ(ParseIsoTime("2026-01-31T12:00:00.000Z"), kTime);
  EXPECT_EQ(ParseIsoTime("2026-01-31T12:00:00.25Z"), kTime + microseconds(250'000));
  EXPECT_EQ(ParseIsoTime("2026-01-31T12:00:00.1234567899Z"), kTime + microseconds(123'456));
  EXPECT_EQ(ParseIsoTime("2026-01-31T13:30:00+01:30"), kTime);
  EXPECT_EQ(ParseIsoTime("2026-01-31T07:00:00-0500"), kTime);
  EXPECT_EQ(ParseIsoTime("2024-02-29T00:00:00Z"), Timestamp(seconds(1'709'164'800)));
  EXPECT_EQ(ParseIsoTime("1970-01-01T00:00:00Z"), Timestamp());
}

TEST(IsoTime, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "now", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-13-31T12:00:00Z",
        "2026-02-29T12:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:00.Z",
        "2026-01-31T12:00:00Zx", "2026-01-31T12:00:00+1", "+026-01-31T12:00:00Z", "1969-12-31T23:59:59Z",
        "2026-1-31T12:00:00Z"}) {
    EXPECT_EQ(ParseIsoTime(text), std::nullopt) << text;
  }
}

TEST(IsoTime, FormatsWholeSeconds) {
  EXPECT_EQ(FormatIsoTime(kTime + microseconds(999'999)), "2026-01-31T12:00:00Z");
  EXPECT_EQ(FormatBasicTime(kTime + seconds(3725)), "20260131T130205Z");
  EXPECT_EQ(FormatBasicTime(Timestamp()), "19700101T000000Z");
}

TEST(IsoTime, EveryDayOfSixtyYearsComesBack) {
  for (int day = 0; day < 60 * 366; ++day) {
    const Timestamp time = Timestamp(std::chrono::days(day)) + seconds(day % 86'400);
    ASSERT_EQ(ParseIsoTime(FormatIsoTime(time)), time) << day;
  }
}

TEST(HttpTime, ReadsTheFormThatServersSend) {
  EXPECT_EQ(ParseHttpTime("Sat, 31 Jan 2026 12:00:00 GMT"), kTime);
  EXPECT_EQ(ParseHttpTime("Thu, 01 Jan 1970 00:00:00 GMT"), Timestamp());
  for (const char* text : {"", "Sat, 31 Jan 2026 12:00:00", "31 Jan 2026 12:00:00 GMT", "Sat, 31 Foo 2026 12:00:00 GMT",
                           "Sat, 31 Feb 2026 12:00:00 GMT", "Saturday, 31-Jan-26 12:00:00 GMT"}) {
    EXPECT_EQ(ParseHttpTime(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tailrace
