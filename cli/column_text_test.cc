#include "cli/column_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

template <typename Result>
void ExpectRefused(const Result& result, const std::string& value, const std::string& why) {
  ASSERT_FALSE(result.ok());
  const Status& status = [&]() -> const Status& {
    if constexpr (std::is_same_v<Result, Status>) {
      return result;
    } else {
      return result.status();
    }
  }();
  EXPECT_EQ(KindOf(status), ErrorKind::kInvalid);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("--x " + value), HasSubstr(why)));
}

TEST(ColumnText, OptionsOfOneColumnShareItsEntry) {
  std::vector<ColumnOptions> columns;
  ASSERT_TRUE(AddDictionaries("--x", {"a=off", "b.list.element=on"}, &columns).ok());
  ASSERT_TRUE(AddBloomFilters("--y", {"c", "a=500,0.25", "d=7"}, &columns).ok());
  const std::vector<ColumnOptions> expected = {
      {.path = "a", .dictionary = false, .bloom_filter = BloomFilterOptions{500, 0.25}},
      {.path = "b.list.element", .dictionary = true, .bloom_filter = std::nullopt},
      {.path = "c", .dictionary = std::nullopt, .bloom_filter = BloomFilterOptions{}},
      {.path = "d", .dictionary = std::nullopt, .bloom_filter = BloomFilterOptions{.distinct_values = 7}}};
  EXPECT_EQ(columns, expected);
}

TEST(ColumnText, ANameMayHoldTheSignWhereWordsFollow) {
  std::vector<ColumnOptions> columns;
  ASSERT_TRUE(AddDictionaries("--x", {"a=b=off"}, &columns).ok());
  EXPECT_EQ(columns[0].path, "a=b");
}

TEST(ColumnText, WhatIsNoDictionaryOptionIsRefused) {
  std::vector<ColumnOptions> columns;
  for (const std::string text : {"a", "a=", "a=maybe", "a=on,off"}) {
    ExpectRefused(AddDictionaries("--x", {text}, &columns), text, "COLUMN=on or COLUMN=off");
  }
  ExpectRefused(AddDictionaries("--x", {"=on"}, &columns), "=on", "names no column");
  ExpectRefused(AddDictionaries("--x", {"a=on", "a=off"}, &columns), "a=off", "twice");
}

TEST(ColumnText, WhatIsNoBloomFilterIsRefused) {
  std::vector<ColumnOptions> columns;
  for (const std::string text : {"a=", "a=0", "a=x", "a=-5", "a=1.5", "a=67108865"}) {
    ExpectRefused(AddBloomFilters("--x", {text}, &columns), text, "from 1 to 67108864");
  }
  for (const std::string text : {"a=9,0", "a=9,1", "a=9,x", "a=9,", "a=9,-0.5", "a=9,nan", "a=9,0.5x"}) {
    ExpectRefused(AddBloomFilters("--x", {text}, &columns), text, "between 0 and 1");
  }
  ExpectRefused(AddBloomFilters("--x", {"a=9,0.1,0.2"}, &columns), "a=9,0.1,0.2", "COLUMN[=DISTINCT[,RATE]]");
}

TEST(ColumnText, SortingColumnsKeepTheirOrder) {
  const auto columns = ParseSortingColumns("--x", {"t", "a=descending", "b=nulls-first,ascending"});
  const std::vector<SortingColumn> expected = {
      {.path = "t"}, {.path = "a", .descending = true}, {.path = "b", .nulls_first = true}};
  EXPECT_EQ(columns.ValueOrDie(), expected);
  ExpectRefused(ParseSortingColumns("--x", {"a=down"}), "a=down", "ascending or descending");
  ExpectRefused(ParseSortingColumns("--x", {"a", "a"}), "a", "twice");
}

TEST(ColumnText, OnAndOff) {
  EXPECT_TRUE(ParseOnOff("--x", "on").ValueOrDie());
  EXPECT_FALSE(ParseOnOff("--x", "off").ValueOrDie());
  ExpectRefused(ParseOnOff("--x", "yes"), "yes", "must be on or off");
}

}  // namespace
}  // namespace tailrace::cli
