#include "cli/csv_scanner.h"

namespace tailrace::cli {

void CsvScanner::EndRow(int64_t place) {
  if (rows_ == 0) first_row_end_ = place;
  last_row_end_ = place;
  ++rows_;
  state_ = State::kFieldStart;
  after_cr_ = false;
}

void CsvScanner::Feed(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    const int64_t place = fed_ + static_cast<int64_t>(at);
    if (after_cr_) {
      EndRow(c == '\n' ? place + 1 : place);
      if (c == '\n') continue;
    }
    if (state_ == State::kQuoted) {
      if (c == '"') state_ = State::kQuoteInQuoted;
      continue;
    }
    switch (c) {
      case '\n':
        EndRow(place + 1);
        break;
      case '\r':
        after_cr_ = true;
        break;
      case ',':
        state_ = State::kFieldStart;
        break;
      case '"':
        if (state_ != State::kPlain) state_ = State::kQuoted;
        break;
      default:
        state_ = State::kPlain;
    }
  }
  fed_ += static_cast<int64_t>(bytes.size());
}

void CsvScanner::FeedEnd() {
  if (after_cr_) EndRow(fed_);
}

std::vector<std::string> SplitCsvRow(std::string_view row) {
  while (!row.empty() && (row.back() == '\n' || row.back() == '\r')) row.remove_suffix(1);
  std::vector<std::string> fields(1);
  bool quoted = false;
  bool at_start = true;
  for (size_t at = 0; at < row.size(); ++at) {
    const char c = row[at];
    if (quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (at + 1 < row.size() && row[at + 1] == '"') {
        fields.back() += '"';
        ++at;
      } else {
        quoted = false;
      }
      continue;
    }
    if (c == ',') {
      fields.emplace_back();
      at_start = true;
      continue;
    }
    quoted = c == '"' && at_start;
    if (!quoted) fields.back() += c;
    at_start = false;
  }
  return fields;
}

}  // namespace tailrace::cli
