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

TEST(HttpTime, ReadsItsThreeForms) {
  EXPECT_EQ(ParseHttpTime("Sat, 31 Jan 2026 12:00:00 GMT"), kTime);
  EXPECT_EQ(ParseHttpTime("Thu, 01 Jan 1970 00:00:00 GMT"), Timestamp());
  EXPECT_EQ(ParseHttpTime("Saturday, 31-Jan-26 12:00:00 GMT", kTime), kTime);
  EXPECT_EQ(ParseHttpTime("Sat Jan 31 12:00:00 2026"), kTime);
  // The example of RFC 9110 in each.
  const Timestamp example{seconds(784'111'777)};
  EXPECT_EQ(ParseHttpTime("Sun, 06 Nov 1994 08:49:37 GMT"), example);
  EXPECT_EQ(ParseHttpTime("Sunday, 06-Nov-94 08:49:37 GMT", kTime), example);
  EXPECT_EQ(ParseHttpTime("Sun Nov  6 08:49:37 1994"), example);
}

TEST(HttpTime, TwoDigitsAreTheNearestYear) {
  const auto year_of = [](const char* digits, Timestamp now) {
    const auto time = ParseHttpTime("Monday, 01-Jan-" + std::string(digits) + " 00:00:00 GMT", now);
    return time ? FormatIsoTime(*time).substr(0, 4) : "none";
  };
  EXPECT_EQ(year_of("26", kTime), "2026");
  EXPECT_EQ(year_of("76", kTime), "2076");
  EXPECT_EQ(year_of("77", kTime), "1977");
  EXPECT_EQ(year_of("99", kTime), "1999");
  EXPECT_EQ(year_of("01", *ParseIsoTime("2099-06-01T00:00:00Z")), "2101");
}

TEST(HttpTime, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "Sat", "Sat,", "Sat, 31 Jan 2026 12:00:00", "31 Jan 2026 12:00:00 GMT", "Sat, 31 Foo 2026 12:00:00 GMT",
        "Sat, 31 Feb 2026 12:00:00 GMT", "Saturday, 31-Jan-2026 12:00:00 GMT", "Saturday, 31-Jan-26 12:00:00",
        "Sat Jan 31 12:00:00 2026 GMT", "Sat Jan 31 12:00:00 26", "Sat Jan 1 12:00:00 2026", "Sat Jan 31 24:00:00 2026",
        "Saturday, 31-Jan-26 12:00:00 CET"}) {
    EXPECT_EQ(ParseHttpTime(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tailrace
