#include "cli/demo_rows.h"

#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

TEST(DemoRows, AreCountedAndAlwaysTheSame) {
  const std::string csv = MakeDemoCsv(1000);
  EXPECT_EQ(CountCsvRows(csv), 1000);
  EXPECT_EQ(csv, MakeDemoCsv(1000));
  EXPECT_EQ(CountCsvRows(""), 0);
  EXPECT_EQ(CountCsvRows("a,b\n"), 0);
}

TEST(DemoRows, PlacesAreRowEnds) {
  const std::string csv = "a,b\n1,\"x\ny\"\n2,z\n";
  EXPECT_EQ(PlaceAfterRows(csv, 0), 4);
  EXPECT_EQ(PlaceAfterRows(csv, 1), 12);
  EXPECT_EQ(PlaceAfterRows(csv, 2), static_cast<int64_t>(csv.size()));
  EXPECT_EQ(PlaceAfterRows(csv, 9), static_cast<int64_t>(csv.size()));
}

}  // namespace
}  // namespace tailrace::cli
