#include "http/exchange_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ExchangeWatch::Time kStart{};
constexpr HttpTimeouts kTimeouts{.connect = seconds(10), .idle = seconds(30), .first_answer = seconds(60)};
constexpr MinimumSpeed kNoMinimum;

TEST(ExchangeWatch, ConnectingHasItsOwnLimit) {
  ExchangeWatch watch(kTimeouts, kNoMinimum, 100, kStart, kStart + seconds(5));
  EXPECT_THAT(watch.Look({}, kStart + seconds(14)), IsEmpty());
  EXPECT_STREQ(watch.phase(), "while connecting");
  EXPECT_THAT(watch.Look({}, kStart + seconds(15)), HasSubstr("no connection within 10000 ms"));
}

TEST(ExchangeWatch, EveryByteSentStartsTheIdleTimeAnew) {
  ExchangeWatch watch(kTimeouts, kNoMinimum, 100, kStart, kStart);
  for (int i = 1; i <= 10; ++i) {
    EXPECT_THAT(watch.Look({.connected = true, .sent_bytes = i}, kStart + seconds(29 * i)), IsEmpty()) << i;
  }
  EXPECT_STREQ(watch.phase(), "while sending the request");
  EXPECT_THAT(watch.Look({.connected = true, .sent_bytes = 10}, kStart + seconds(319)), IsEmpty());
  EXPECT_THAT(watch.Look({.connected = true, .sent_bytes = 10}, kStart + seconds(320)),
              HasSubstr("no byte for 30000 ms"));
}

TEST(ExchangeWatch, TheWaitForTheAnswerIsNotIdle) {
  ExchangeWatch watch(kTimeouts, {1024, seconds(5)}, 100, kStart, kStart);
  const ExchangeProgress sent{.connected = true, .sent_bytes = 100};
  EXPECT_THAT(watch.Look(sent, kStart + seconds(1)), IsEmpty());
  EXPECT_THAT(watch.Look(sent, kStart + seconds(60)), IsEmpty());
  EXPECT_THAT(watch.Look(sent, kStart + seconds(61)), HasSubstr("no answer for 60000 ms"));
}

TEST(ExchangeWatch, ARequestWithoutBodyWaitsFromTheStart) {
  ExchangeWatch watch(kTimeouts, kNoMinimum, 0, kStart, kStart);
  EXPECT_THAT(watch.Look({.connected = true}, kStart), IsEmpty());
  EXPECT_STREQ(watch.phase(), "while waiting for the answer");
  EXPECT_THAT(watch.Look({.connected = true}, kStart + seconds(60)), HasSubstr("first-answer"));
}

TEST(ExchangeWatch, AnAnswerThatStopsIsIdle) {
  ExchangeWatch watch(kTimeouts, kNoMinimum, 0, kStart, kStart);
  const ExchangeProgress answer{.connected = true, .answer_started = true, .received_bytes = 17};
  EXPECT_THAT(watch.Look(answer, kStart + seconds(50)), IsEmpty());
  EXPECT_STREQ(watch.phase(), "while receiving the answer");
  EXPECT_THAT(watch.Look(answer, kStart + seconds(80)), HasSubstr("idle"));
}

TEST(ExchangeWatch, AnAnswerBeforeTheBodyIsSentEndsTheSending) {
  ExchangeWatch watch(kTimeouts, kNoMinimum, 100, kStart, kStart);
  EXPECT_THAT(watch.Look({.connected = true, .answer_started = true, .received_bytes = 1}, kStart), IsEmpty());
  EXPECT_STREQ(watch.phase(), "while receiving the answer");
}

TEST(ExchangeWatch, ADripIsTooSlow) {
  ExchangeWatch watch(kTimeouts, {1000, seconds(10)}, 0, kStart, kStart);
  std::string ran_out;
  int second = 0;
  while (ran_out.empty() && ++second < 100) {
    ran_out = watch.Look({.connected = true, .answer_started = true, .received_bytes = 900 * second},
                         kStart + seconds(second));
  }
  EXPECT_EQ(second, 11);
  EXPECT_THAT(ran_out, HasSubstr("slower than 1000 bytes/s for 10 s"));
}

TEST(ExchangeWatch, JustFastEnoughGoesOn) {
  ExchangeWatch watch(kTimeouts, {1000, seconds(10)}, 0, kStart, kStart);
  for (int second = 1; second < 100; ++second) {
    ASSERT_THAT(watch.Look({.connected = true, .answer_started = true, .received_bytes = 1000 * second},
                           kStart + seconds(second)),
                IsEmpty())
        << second;
  }
}

TEST(ExchangeWatch, TheTotalCountsFromTheCall) {
  HttpTimeouts timeouts = kTimeouts;
  timeouts.total = seconds(3);
  ExchangeWatch watch(timeouts, kNoMinimum, 0, kStart, kStart + seconds(2));
  EXPECT_THAT(watch.Look({}, kStart + milliseconds(2999)), IsEmpty());
  EXPECT_THAT(watch.Look({}, kStart + seconds(3)), HasSubstr("total"));
}

TEST(ExchangeWatch, ZeroIsNoLimit) {
  ExchangeWatch watch({.connect = {}, .idle = {}, .first_answer = {}}, kNoMinimum, 9, kStart, kStart);
  const ExchangeProgress phases[] = {
      {}, {.connected = true}, {.connected = true, .sent_bytes = 9}, {.connected = true, .answer_started = true}};
  auto now = kStart;
  for (const ExchangeProgress& progress : phases) {
    EXPECT_THAT(watch.Look(progress, now += std::chrono::hours(1)), IsEmpty());
    EXPECT_THAT(watch.Look(progress, now += std::chrono::hours(1)), IsEmpty());
  }
}

}  // namespace
}  // namespace tailrace
