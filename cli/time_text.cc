#include "cli/time_text.h"

#include <cstdio>

#include "cli/size_text.h"
#include "tailrace/error.h"

namespace tailrace::cli {

namespace {

using std::chrono::sys_days;

struct UtcFields {
  int year = 0;
  unsigned month = 0, day = 0;
  int hour = 0, minute = 0, second = 0;
};

// Exactly `shape`, in which '0' stands for a digit.
bool HasShape(const std::string& text, std::string_view shape) {
  if (text.size() != shape.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (shape[i] == '0' ? !digit : text[i] != shape[i]) return false;
  }
  return true;
}

}  // namespace

Result<Timestamp> ParseUtcTime(const std::string& option, const std::string& text) {
  UtcFields at;
  if (HasShape(text, "0000-00-00T00:00:00Z")) {
    std::sscanf(text.c_str(), "%d-%u-%uT%d:%d:%d", &at.year, &at.month, &at.day, &at.hour, &at.minute, &at.second);
  } else if (HasShape(text, "0000-00-00")) {
    std::sscanf(text.c_str(), "%d-%u-%u", &at.year, &at.month, &at.day);
  }
  const std::chrono::year_month_day date(std::chrono::year(at.year), std::chrono::month(at.month),
                                         std::chrono::day(at.day));
  if (!date.ok() || at.hour > 23 || at.minute > 59 || at.second > 59) {
    return MakeError(ErrorKind::kInvalid,
                     option + " " + text + ": must be a time in UTC, as 2027-01-31 or 2027-01-31T12:00:00Z");
  }
  return Timestamp(sys_days(date)) + std::chrono::hours(at.hour) + std::chrono::minutes(at.minute) +
         std::chrono::seconds(at.second);
}

std::string UtcTimeText(Timestamp time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  char text[48];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

Result<std::chrono::milliseconds> ParseDuration(std::string_view option, std::string_view text) {
  const auto every = ParseCheckpointEvery(option, text);
  if (every.ok() && every->time.count() > 0) return every->time;
  return MakeError(ErrorKind::kInvalid,
                   std::string(option) + " " + std::string(text) + ": must be a time with its unit, as 500ms or 10s");
}

}  // namespace tailrace::cli
