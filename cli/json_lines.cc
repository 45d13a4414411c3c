#include "cli/json_lines.h"

#include <algorithm>
#include <charconv>

namespace tailrace::cli {

namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr size_t kMaxShown = 40;

// Calls `take(line)` for each line that is not blank, until one answers true.
template <typename Take>
void EachLine(std::string_view block, const Take& take) {
  while (!block.empty()) {
    const size_t end = std::min(block.find('\n'), block.size());
    std::string_view line = block.substr(0, end);
    block.remove_prefix(std::min(end + 1, block.size()));
    const size_t first = line.find_first_not_of(kBlank);
    if (first == std::string_view::npos) continue;
    line = line.substr(first, line.find_last_not_of(kBlank) - first + 1);
    if (take(line)) return;
  }
}

std::string Shown(std::string_view text) {
  return text.size() <= kMaxShown ? std::string(text) : std::string(text.substr(0, kMaxShown)) + "...";
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The end of the text that begins at `at`, behind its closing quote.
size_t EndOfText(std::string_view line, size_t at) {
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\') ++at;
  }
  return std::min(at + 1, line.size());
}

// The end of the number that begins at `at`.
size_t EndOfNumber(std::string_view line, size_t at) {
  return std::min(line.find_first_not_of("0123456789+-.eE", at), line.size());
}

bool IsWholeAndUnfit(std::string_view number) {
  if (number.find_first_of(".eE") != std::string_view::npos) return false;
  int64_t value = 0;
  return std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc::result_out_of_range;
}

std::optional<std::string_view> UnfitNumberOf(std::string_view line) {
  for (size_t at = 0; at < line.size();) {
    if (line[at] == '"') {
      at = EndOfText(line, at);
    } else if (line[at] == '-' || IsDigit(line[at])) {
      const size_t end = EndOfNumber(line, at);
      if (IsWholeAndUnfit(line.substr(at, end - at))) return line.substr(at, end - at);
      at = end;
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

}  // namespace

void JsonLineScanner::Feed(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = bytes.find('\n', at);
    const std::string_view piece = bytes.substr(at, std::min(end, bytes.size()) - at);
    blank_ = blank_ && piece.find_first_not_of(kBlank) == std::string_view::npos;
    if (end == std::string_view::npos) break;
    // Blank lines go with the rows, so that nothing is left of an input that ends with some.
    last_row_end_ = fed_ + static_cast<int64_t>(end) + 1;
    if (!blank_) ++rows_;
    blank_ = true;
    at = end + 1;
  }
  fed_ += static_cast<int64_t>(bytes.size());
}

std::optional<LineFault> CheckLines(std::string_view block, int64_t* rows) {
  std::optional<LineFault> fault;
  *rows = 0;
  EachLine(block, [&](std::string_view line) {
    ++*rows;
    if (line.front() == '{' && line.back() == '}') return false;
    const char* what = line.front() == '{' ? "does not end with the } of its object: " : "is no object: ";
    fault = LineFault{*rows, what + Shown(line)};
    return true;
  });
  return fault;
}

std::optional<LineFault> FindUnfitNumber(std::string_view block) {
  std::optional<LineFault> fault;
  int64_t number = 0;
  EachLine(block, [&](std::string_view line) {
    ++number;
    if (const auto unfit = UnfitNumberOf(line)) fault = LineFault{number, Shown(*unfit)};
    return fault.has_value();
  });
  return fault;
}

}  // namespace tailrace::cli
