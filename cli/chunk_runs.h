// How the chunks of each column are written, where row groups differ in it: `adaptive` decides anew for each.
#pragma once

#include <string>
#include <vector>

#include "tailrace/inspect.h"

namespace tailrace::cli {

// Row groups that follow one another, whose chunks of one column have the same codec and encodings.
struct ChunkRun {
  size_t first = 0;
  size_t last = 0;
  std::string codec;      // "ZSTD"
  std::string encodings;  // of data pages, "RLE_DICTIONARY+PLAIN"; of all pages and levels where the file tells no more
};

// In order, without row groups that lack the column.
std::vector<ChunkRun> RunsOf(const ParquetSummary& summary, size_t column);

// "a+b".
std::string JoinedWords(const std::vector<std::string>& words);

}  // namespace tailrace::cli
