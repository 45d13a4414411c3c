// Times as text, as stores write them: UTC, proleptic Gregorian calendar.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "tailrace/object.h"

namespace tailrace {

// "2026-01-31T12:00:00Z" with an optional fraction (finer than microseconds is cut off) and "Z", "UTC" or an offset
// such as "+01:00"; nullopt for anything else, years before 1970 and after 9999 included.
std::optional<Timestamp> ParseIsoTime(std::string_view text);
// "2026-01-31T12:00:00Z": whole seconds.
std::string FormatIsoTime(Timestamp time);
// "20260131T120000Z", as AWS signatures want it.
std::string FormatBasicTime(Timestamp time);
// The three forms of RFC 9110, section 5.6.7; nullopt for others:
//
//   Sat, 31 Jan 2026 12:00:00 GMT     what servers should send
//   Saturday, 31-Jan-26 12:00:00 GMT  the year is the one nearest to that of `now`
//   Sat Jan 31 12:00:00 2026
std::optional<Timestamp> ParseHttpTime(std::string_view text, Timestamp now = Clock::System()->Now());

}  // namespace tailrace
