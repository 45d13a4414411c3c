#include "cli/time_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tailrace/error.h"

namespace tailrace::cli {
namespace {

TEST(TimeText, UtcTimesThereAndBack) {
  for (const char* text : {"1970-01-01T00:00:00Z", "2028-02-29T23:59:59Z", "2027-01-31T12:05:09Z"}) {
    EXPECT_EQ(UtcTimeText(ParseUtcTime("--t", text).ValueOrDie()), text);
  }
  EXPECT_EQ(UtcTimeText(ParseUtcTime("--t", "2027-01-31").ValueOrDie()), "2027-01-31T00:00:00Z");
  EXPECT_EQ(ParseUtcTime("--t", "1970-01-02").ValueOrDie().time_since_epoch(), std::chrono::hours(24));
}

TEST(TimeText, OtherTimesAreRefused) {
  for (const char* text :
       {"", "tomorrow", "2027-02-29", "2027-13-01", "2027-00-01", "2027-01-31T24:00:00Z", "2027-01-31T12:60:00Z",
        "2027-01-31T12:00:00", "2027-01-31 12:00:00Z", "27-01-31", "2027-01-31T12:00:00+01:00", "2027-01-31x"}) {
    const auto status = ParseUtcTime("--lock-until", text).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kInvalid) << text;
    EXPECT_THAT(status.message(), testing::HasSubstr("--lock-until"));
  }
}

TEST(TimeText, Durations) {
  using std::chrono::milliseconds;
  EXPECT_EQ(ParseDuration("--t", "500ms").ValueOrDie(), milliseconds(500));
  EXPECT_EQ(ParseDuration("--t", "1.5s").ValueOrDie(), milliseconds(1500));
  EXPECT_EQ(ParseDuration("--t", "2min").ValueOrDie(), milliseconds(120'000));
  for (const char* text : {"", "10", "10rows", "64MiB", "-1s", "0s", "s"}) {
    const auto status = ParseDuration("--t", text).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kInvalid) << text;
    EXPECT_THAT(status.message(), testing::AllOf(testing::HasSubstr("--t"), testing::HasSubstr("500ms")));
  }
}

}  // namespace
}  // namespace tailrace::cli
