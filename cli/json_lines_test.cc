#include "cli/json_lines.h"

#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

TEST(JsonLines, RowsEndWithLinesInPiecesOfAnySize) {
  const std::string text = "\n{\"a\":1}\r\n \t\n{\"a\":\"}\\n{\"}\n\n{\"a\"";
  for (size_t piece = 1; piece <= text.size(); ++piece) {
    JsonLineScanner scanner;
    for (size_t at = 0; at < text.size(); at += piece) scanner.Feed(std::string_view(text).substr(at, piece));
    EXPECT_EQ(scanner.rows(), 2);
    EXPECT_EQ(scanner.last_row_end(), static_cast<int64_t>(text.size()) - 4) << piece;
  }
}

TEST(JsonLines, LinesThatAreNoObjectsAreFound) {
  int64_t rows = 0;
  EXPECT_FALSE(CheckLines("\n{\"a\":1}\n  {}\t\r\n\n", &rows));
  EXPECT_EQ(rows, 2);
  for (const char* line : {"null", "[1]", "5", "\"x\"", "true", "{\"a\":", "{\"a\":1},", "}", "a,b"}) {
    const auto fault = CheckLines("{}\n\n" + std::string(line) + "\n{}\n", &rows);
    ASSERT_TRUE(fault) << line;
    EXPECT_EQ(fault->line, 2) << line;
    EXPECT_NE(fault->what.find(line), std::string::npos) << fault->what;
  }
  EXPECT_LT(CheckLines(std::string(1000, 'x'), &rows)->what.size(), 100u);
}

TEST(JsonLines, WholeNumbersBeyondInt64AreFound) {
  for (const char* fine : {R"({"a":9223372036854775807,"b":-9223372036854775808})", R"({"a":1e30,"b":1.5,"c":0.1e-5})",
                           R"({"a":"99999999999999999999","99999999999999999999":1})",
                           R"({"a":"\"","b":"\\","c":"99999999999999999999"})", R"({"a":12345678901234567890.5})"}) {
    EXPECT_FALSE(FindUnfitNumber(fine)) << fine;
  }
  for (const char* bad : {"9223372036854775808", "-9223372036854775809", "99999999999999999999"}) {
    const auto fault = FindUnfitNumber("{}\n{\"a\":{\"b\":[\"x\\\"\"," + std::string(bad) + "]}}\n");
    ASSERT_TRUE(fault) << bad;
    EXPECT_EQ(fault->line, 2);
    EXPECT_EQ(fault->what, bad);
  }
}

}  // namespace
}  // namespace tailrace::cli
