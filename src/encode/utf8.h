// Checks of text that becomes part of a file, where readers refuse what is not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace tailrace {

bool IsUtf8(std::string_view text);
// Many gigabytes per second, so that plain text costs next to nothing.
bool IsAscii(std::string_view text);
// For messages: the text, with bytes that are not printable ASCII or UTF-8 as \xNN.
std::string Printable(std::string_view text);

}  // namespace tailrace
