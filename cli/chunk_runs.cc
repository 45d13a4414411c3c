#include "cli/chunk_runs.h"

namespace tailrace::cli {

std::string JoinedWords(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "+") + word;
  return text;
}

std::vector<ChunkRun> RunsOf(const ParquetSummary& summary, size_t column) {
  std::vector<ChunkRun> runs;
  for (size_t group = 0; group < summary.row_groups.size(); ++group) {
    // A damaged file may have row groups of fewer columns.
    if (column >= summary.row_groups[group].columns.size()) continue;
    const ColumnChunkSummary& chunk = summary.row_groups[group].columns[column];
    const std::string encodings = JoinedWords(chunk.data_encodings.empty() ? chunk.encodings : chunk.data_encodings);
    if (runs.empty() || runs.back().codec != chunk.codec || runs.back().encodings != encodings) {
      runs.push_back({group, group, chunk.codec, encodings});
    }
    runs.back().last = group;
  }
  return runs;
}

}  // namespace tailrace::cli
