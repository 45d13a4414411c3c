#include "cli/chunk_runs.h"

#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

// One column; a chunk is its codec and the encodings of its data pages.
ParquetSummary Of(const std::vector<std::pair<std::string, std::vector<std::string>>>& chunks) {
  ParquetSummary summary;
  for (const auto& [codec, encodings] : chunks) {
    ColumnChunkSummary column{.path = "a", .codec = codec, .encodings = {"RLE", "PLAIN"}};
    column.data_encodings = encodings;
    summary.row_groups.push_back({.rows = 1, .columns = {column}});
  }
  return summary;
}

TEST(ChunkRuns, RowGroupsWithTheSameChoiceAreOneRun) {
  const auto runs = RunsOf(Of({{"ZSTD", {"PLAIN"}}, {"ZSTD", {"PLAIN"}}, {"UNCOMPRESSED", {"PLAIN"}}}), 0);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].first, 0u);
  EXPECT_EQ(runs[0].last, 1u);
  EXPECT_EQ(runs[0].codec, "ZSTD");
  EXPECT_EQ(runs[1].first, 2u);
  EXPECT_EQ(runs[1].last, 2u);
  EXPECT_EQ(runs[1].codec, "UNCOMPRESSED");
}

TEST(ChunkRuns, ADictionaryThatGaveWayIsAnotherChoice) {
  const auto runs = RunsOf(Of({{"ZSTD", {"RLE_DICTIONARY"}}, {"ZSTD", {"PLAIN", "RLE_DICTIONARY"}}}), 0);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].encodings, "PLAIN+RLE_DICTIONARY");
}

TEST(ChunkRuns, WhereTheFileTellsNoMoreAllEncodingsAreTold) {
  const auto runs = RunsOf(Of({{"ZSTD", {}}}), 0);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].encodings, "RLE+PLAIN");
  EXPECT_TRUE(RunsOf(ParquetSummary{}, 0).empty());
}

}  // namespace
}  // namespace tailrace::cli
