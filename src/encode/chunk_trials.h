// What a sample of a row group takes in each family of encodings.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/leaf_columns.h"
#include "tailrace/column_choice.h"
#include "tailrace/options.h"

namespace tailrace {

// Of one column chunk of a trial, page headers included.
struct TrialSize {
  int64_t raw_bytes = 0;         // before the codec
  int64_t compressed_bytes = 0;  // after it
  friend bool operator==(const TrialSize&, const TrialSize&) = default;
};
struct TrialDictionary {
  int64_t values = 0;    // of the column that are not null
  int64_t distinct = 0;  // entries of the dictionary page
  TrialSize page;        // the dictionary page alone
  TrialSize rest;        // the data pages
  bool gave_way = false;
  friend bool operator==(const TrialDictionary&, const TrialDictionary&) = default;
};
// Of one leaf column; nothing for a family that was not tried.
struct ColumnTrial {
  int64_t slots = 0;  // values and nulls
  std::optional<TrialSize> plain, delta, delta_length, delta_bytes, byte_stream_split;
  std::optional<TrialDictionary> dictionary;
  friend bool operator==(const ColumnTrial&, const ColumnTrial&) = default;
};

// Encodes `sample` once for each family that some column may get. One entry per leaf column, of which `leaves` are all
// that the sample has; those that share a dotted path are not tried. Depends on rows and options alone, and for each
// column on its own values alone.
Result<std::vector<ColumnTrial>> RunTrials(const arrow::RecordBatch& sample, const std::vector<LeafColumn>& leaves,
                                           const ParquetOptions& options, arrow::MemoryPool* pool);

// Whether a leaf column may get the encoding by its type, by `encodings` and by the options for it.
bool MayGet(const LeafColumn& leaf, ChunkEncoding encoding, const ParquetOptions& options);

}  // namespace tailrace
