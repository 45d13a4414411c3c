#include "encode/adaptive_columns.h"

#include <algorithm>
#include <optional>

#include <arrow/record_batch.h>

#include "encode/batch_input.h"
#include "encode/choose_columns.h"
#include "encode/chunk_facts.h"
#include "encode/chunk_trials.h"

namespace tailrace {
namespace {

// A 64th of the rows: several trials of it cost a few per cent of a row group's time.
constexpr int64_t kSampledShare = 64;
constexpr int64_t kMinSampleRows = 1024;

SampleScale ScaleOf(const arrow::RecordBatch& chunk, const ParquetOptions& options) {
  const int64_t chunk_bytes = std::max<int64_t>(1, ReferencedBytesOf(chunk));
  SampleScale scale;
  // A chunk has few rows, a row group a limited number of bytes: this does not overflow.
  const int64_t rows_by_bytes =
      static_cast<int64_t>(static_cast<__int128>(options.row_group_bytes) * chunk.num_rows() / chunk_bytes);
  scale.group_rows = std::max(chunk.num_rows(), std::min(options.row_group_rows, rows_by_bytes));
  scale.sample_rows = std::min(chunk.num_rows(), std::max(kMinSampleRows, scale.group_rows / kSampledShare));
  return scale;
}

}  // namespace

Result<std::vector<ColumnChoice>> ChooseColumns(const arrow::RecordBatch& first_chunk, const PreparedSchema& schema,
                                                const ParquetOptions& options, const RowGroupEntry* two_before,
                                                arrow::MemoryPool* pool) {
  std::vector<ColumnChoice> choices;
  if (!options.adaptive) return choices;
  const SampleScale scale = ScaleOf(first_chunk, options);
  std::vector<ColumnTrial> trials(schema.leaves.size());
  // Checkpoints far apart in time may be a few rows apart, and trials of them would cost more than they do.
  if (scale.sample_rows >= kMinSampleValues) {
    ARROW_ASSIGN_OR_RAISE(trials, RunTrials(*first_chunk.Slice(0, scale.sample_rows), schema, options, pool));
  }
  std::vector<ChunkFacts> before;
  if (two_before != nullptr) {
    ARROW_ASSIGN_OR_RAISE(before, ReadChunkFacts(*two_before));
    if (!before.empty() && before.size() != schema.leaves.size()) {
      return MakeError(ErrorKind::kBadState, "content.row_groups: choices of other columns");
    }
  }
  for (size_t i = 0; i < schema.leaves.size(); ++i) {
    const auto facts = before.empty() ? std::nullopt : std::optional<ChunkFacts>(before[i]);
    choices.push_back(ChooseColumn(schema.leaves[i], options, trials[i], scale, facts));
  }
  return choices;
}

}  // namespace tailrace
