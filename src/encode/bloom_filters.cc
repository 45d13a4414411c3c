#include "encode/bloom_filters.h"

#include <algorithm>

#include <parquet/bloom_filter.h>

namespace tailrace {

int64_t BloomFilterBytes(const ParquetOptions& options) {
  constexpr int64_t kHeaderBytes = 64;
  int64_t bytes = 0;
  for (const ColumnOptions& column : options.columns) {
    if (!column.bloom_filter) continue;
    const double share = column.bloom_filter->false_positives;
    // What cannot be is refused with the schema (column_properties.h); here it must only not do harm.
    if (!(share > 0 && share < 1)) continue;
    const auto values = static_cast<uint64_t>(std::max<int64_t>(column.bloom_filter->distinct_values, 1));
    bytes += kHeaderBytes + int64_t{parquet::BlockSplitBloomFilter::OptimalNumOfBytes(values, share)};
  }
  return bytes;
}

}  // namespace tailrace
