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

Result<ChoiceBasis> MakeChoiceBasis(const arrow::RecordBatch& first_chunk, size_t leaf_columns,
                                    const ParquetOptions& options, const RowGroupEntry* two_before) {
  ChoiceBasis basis;
  if (!options.adaptive) return basis;
  basis.scale = ScaleOf(first_chunk, options);
  if (two_before == nullptr) return basis;
  ARROW_ASSIGN_OR_RAISE(basis.before, ReadChunkFacts(*two_before));
  if (!basis.before.empty() && basis.before.size() != leaf_columns) {
    return MakeError(ErrorKind::kBadState, "content.row_groups: choices of other columns");
  }
  return basis;
}

Result<std::vector<ColumnChoice>> ChooseColumns(const arrow::RecordBatch& first_chunk, const ColumnRun& columns,
                                                const ParquetOptions& options, const ChoiceBasis& basis,
                                                arrow::MemoryPool* pool) {
  std::vector<ColumnChoice> choices;
  if (!options.adaptive) return choices;
  std::vector<ColumnTrial> trials(columns.leaves.size());
  // Checkpoints far apart in time may be a few rows apart, and trials of them would cost more than they do.
  if (basis.scale.sample_rows >= kMinSampleValues) {
    ARROW_ASSIGN_OR_RAISE(trials,
                          RunTrials(*first_chunk.Slice(0, basis.scale.sample_rows), columns.leaves, options, pool));
  }
  for (size_t i = 0; i < columns.leaves.size(); ++i) {
    std::optional<ChunkFacts> facts;
    if (!basis.before.empty()) facts = basis.before[columns.first_leaf + i];
    choices.push_back(ChooseColumn(columns.leaves[i], options, trials[i], basis.scale, facts));
  }
  return choices;
}

}  // namespace tailrace
