// Which encoding each column chunk of a row group gets, and whether it is compressed (docs/adr/0008).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "encode/chunk_trials.h"
#include "encode/leaf_columns.h"
#include "tailrace/column_choice.h"
#include "tailrace/options.h"

namespace tailrace {

// What a finished column chunk showed.
struct ChunkFacts {
  ColumnChoice choice;  // as it was written
  int64_t raw_bytes = 0;
  int64_t compressed_bytes = 0;
  bool dictionary_gave_way = false;
};

// Fewer tell nothing.
inline constexpr int64_t kMinSampleValues = 256;

// How large a row group is, in rows, against the sample it is judged by.
struct SampleScale {
  int64_t sample_rows = 0;
  int64_t group_rows = 0;
};

// A function of its arguments alone. `before` is of the row group two before.
ColumnChoice ChooseColumn(const LeafColumn& leaf, const ParquetOptions& options, const ColumnTrial& trial,
                          const SampleScale& scale, const std::optional<ChunkFacts>& before);

// How many distinct values there are, if all are equally frequent and `values` of them show `distinct` ones;
// kManyValues where nearly none comes twice.
inline constexpr int64_t kManyValues = int64_t{1} << 40;
int64_t EstimateDistinct(int64_t distinct, int64_t values);

}  // namespace tailrace
