#include "cli/csv_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

using testing::ElementsAre;

// Fed whole and byte by byte, the answers are the same.
struct Scanned {
  int64_t first, last, rows;
  bool in_quotes;
  friend bool operator==(const Scanned&, const Scanned&) = default;
};
Scanned Scan(std::string_view bytes) {
  CsvScanner whole;
  whole.Feed(bytes);
  CsvScanner single;
  for (const char& c : bytes) single.Feed(std::string_view(&c, 1));
  const auto result = [](CsvScanner& s) {
    s.FeedEnd();
    return Scanned{s.first_row_end(), s.last_row_end(), s.rows(), s.in_quotes()};
  };
  const Scanned scanned = result(whole);
  EXPECT_EQ(scanned, result(single)) << bytes;
  return scanned;
}

TEST(CsvScanner, EndsRowsAtEveryKindOfLineEnd) {
  EXPECT_EQ(Scan("a,b\n1,2\n"), (Scanned{4, 8, 2, false}));
  EXPECT_EQ(Scan("a,b\r\n1,2\r\n"), (Scanned{5, 10, 2, false}));
  EXPECT_EQ(Scan("a,b\r1,2\r"), (Scanned{4, 8, 2, false}));
}

TEST(CsvScanner, LeavesACutRowOut) {
  EXPECT_EQ(Scan(""), (Scanned{0, 0, 0, false}));
  EXPECT_EQ(Scan("a,b"), (Scanned{0, 0, 0, false}));
  EXPECT_EQ(Scan("a,b\n1,"), (Scanned{4, 4, 1, false}));
}

TEST(CsvScanner, LineEndsInsideQuotesAreData) {
  EXPECT_EQ(Scan("\"a\nb\",c\nx,y\n"), (Scanned{8, 12, 2, false}));
  EXPECT_EQ(Scan("\"a\"\"\nb\"\n"), (Scanned{8, 8, 1, false}));
  EXPECT_EQ(Scan("x,\"open\n"), (Scanned{0, 0, 0, true}));
}

TEST(CsvScanner, AQuoteInsideAPlainFieldIsData) {
  EXPECT_EQ(Scan("5\" pipe,x\ny,z\n"), (Scanned{10, 14, 2, false}));
  EXPECT_EQ(Scan("\"a\"b\"\nc\n"), (Scanned{6, 8, 2, false}));
}

TEST(SplitCsvRow, ResolvesQuotes) {
  EXPECT_THAT(SplitCsvRow("id,value\r\n"), ElementsAre("id", "value"));
  EXPECT_THAT(SplitCsvRow("\"a,b\",\"q\"\"q\",,5\" x\n"), ElementsAre("a,b", "q\"q", "", "5\" x"));
  EXPECT_THAT(SplitCsvRow(""), ElementsAre(""));
}

}  // namespace
}  // namespace tailrace::cli
