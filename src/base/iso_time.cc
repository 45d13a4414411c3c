#include "base/iso_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace tailrace {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Takes pieces off the front of a text; after the first that is missing it stays failed.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  // Exactly `digits` digits.
  int Number(size_t digits) {
    int value = 0;
    if (rest_.size() < digits || !std::all_of(rest_.begin(), rest_.begin() + digits, IsDigit)) {
      failed_ = true;
      return 0;
    }
    std::from_chars(rest_.data(), rest_.data() + digits, value);
    rest_.remove_prefix(digits);
    return value;
  }
  bool Skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void Expect(std::string_view text) { failed_ = !Skip(text) || failed_; }
  // "." and digits, where there are any.
  microseconds Fraction() {
    if (!Skip(".")) return microseconds(0);
    int64_t value = 0, unit = 100'000;
    size_t digits = 0;
    for (; digits < rest_.size() && IsDigit(rest_[digits]); ++digits, unit /= 10) value += unit * (rest_[digits] - '0');
    failed_ = failed_ || digits == 0;
    rest_.remove_prefix(digits);
    return microseconds(value);
  }
  // Three letters of a month, as its number.
  int Month() {
    const auto it = std::find(kMonths.begin(), kMonths.end(), rest_.substr(0, 3));
    if (it == kMonths.end()) {
      failed_ = true;
      return 0;
    }
    rest_.remove_prefix(3);
    return static_cast<int>(it - kMonths.begin()) + 1;
  }
  bool AtEnd() const { return rest_.empty() && !failed_; }

 private:
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  std::string_view rest_;
  bool failed_ = false;
};

// A leap second counts as the first of the next minute.
std::optional<Timestamp> MakeTime(int year, int month, int day, int hour, int minute, int second) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || year < 1970 || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return Timestamp(std::chrono::sys_days(date)) + hours(hour) + minutes(minute) + seconds(second);
}

// "12:00:00"
struct TimeOfDay {
  int hour = 0;
  int minute = 0;
  int second = 0;
};
TimeOfDay ScanTimeOfDay(Scanner* scan) {
  TimeOfDay time;
  time.hour = scan->Number(2);
  scan->Expect(":");
  time.minute = scan->Number(2);
  scan->Expect(":");
  time.second = scan->Number(2);
  return time;
}

std::optional<Timestamp> MakeTime(const Scanner& scan, int year, int month, int day, const TimeOfDay& time) {
  return scan.AtEnd() ? MakeTime(year, month, day, time.hour, time.minute, time.second) : std::nullopt;
}

// "31 Jan 2026 12:00:00 GMT"
std::optional<Timestamp> ParseFixdate(std::string_view text) {
  Scanner scan(text);
  const int day = scan.Number(2);
  scan.Expect(" ");
  const int month = scan.Month();
  scan.Expect(" ");
  const int year = scan.Number(4);
  scan.Expect(" ");
  const TimeOfDay time = ScanTimeOfDay(&scan);
  scan.Expect(" GMT");
  return MakeTime(scan, year, month, day, time);
}

// The year with these last two digits that lies less than 50 years from `now`.
int NearYear(int digits, Timestamp now) {
  const int today = static_cast<int>(std::chrono::year_month_day(std::chrono::floor<days>(now)).year());
  const int year = today - today % 100 + digits;
  if (year > today + 50) return year - 100;
  return year < today - 49 ? year + 100 : year;
}

// "31-Jan-26 12:00:00 GMT"
std::optional<Timestamp> ParseRfc850(std::string_view text, Timestamp now) {
  Scanner scan(text);
  const int day = scan.Number(2);
  scan.Expect("-");
  const int month = scan.Month();
  scan.Expect("-");
  const int year = NearYear(scan.Number(2), now);
  scan.Expect(" ");
  const TimeOfDay time = ScanTimeOfDay(&scan);
  scan.Expect(" GMT");
  return MakeTime(scan, year, month, day, time);
}

// "Jan 31 12:00:00 2026", "Jan  1 12:00:00 2026"
std::optional<Timestamp> ParseAsctime(std::string_view text) {
  Scanner scan(text);
  const int month = scan.Month();
  scan.Expect(" ");
  const int day = scan.Number(scan.Skip(" ") ? 1 : 2);
  scan.Expect(" ");
  const TimeOfDay time = ScanTimeOfDay(&scan);
  scan.Expect(" ");
  const int year = scan.Number(4);
  return MakeTime(scan, year, month, day, time);
}

std::string Format(Timestamp time, const char* pattern) {
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const auto second = std::chrono::floor<seconds>(time - day).count();
  std::array<char, 64> text;
  const int size =
      std::snprintf(text.data(), text.size(), pattern, static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(second / 3600), static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
  return {text.data(), static_cast<size_t>(size)};
}

}  // namespace

std::optional<Timestamp> ParseIsoTime(std::string_view text) {
  Scanner scan(text);
  const int year = scan.Number(4);
  scan.Expect("-");
  const int month = scan.Number(2);
  scan.Expect("-");
  const int day = scan.Number(2);
  scan.Expect("T");
  const TimeOfDay of_day = ScanTimeOfDay(&scan);
  const microseconds fraction = scan.Fraction();
  minutes offset(0);
  if (!scan.Skip("Z") && !scan.Skip("UTC")) {
    const bool behind = scan.Skip("-");
    if (!behind) scan.Expect("+");
    offset = hours(scan.Number(2));
    scan.Skip(":");
    offset += minutes(scan.Number(2));
    if (behind) offset = -offset;
  }
  const std::optional<Timestamp> time = MakeTime(scan, year, month, day, of_day);
  if (!time) return std::nullopt;
  return *time + fraction - offset;
}

std::string FormatIsoTime(Timestamp time) { return Format(time, "%04d-%02u-%02uT%02d:%02d:%02dZ"); }

std::string FormatBasicTime(Timestamp time) { return Format(time, "%04d%02u%02uT%02d%02d%02dZ"); }

std::optional<Timestamp> ParseHttpTime(std::string_view text, Timestamp now) {
  // The name of the day says nothing that the date does not.
  const size_t comma = text.find(", ");
  if (comma == 3) return ParseFixdate(text.substr(comma + 2));
  if (comma != text.npos) return ParseRfc850(text.substr(comma + 2), now);
  return text.size() > 4 && text[3] == ' ' ? ParseAsctime(text.substr(4)) : std::nullopt;
}

}  // namespace tailrace
