// How a column chunk is written, and why, where the writer chose (docs/adr/0008).
#pragma once

#include <cstdint>

namespace tailrace {

enum class ChunkEncoding {
  kPlain,
  kDictionary,   // giving way to plain where it outgrows its page
  kDelta,        // DELTA_BINARY_PACKED
  kDeltaLength,  // DELTA_LENGTH_BYTE_ARRAY
  kDeltaBytes,   // DELTA_BYTE_ARRAY
  kByteStreamSplit,
};

enum class ChoiceReason {
  kSmallest,      // among those that cost as much, in a sample of its row group
  kByOption,      // an option leaves no other
  kAsBefore,      // as two row groups before: its own sample has too few values
  kTooFewValues,  // the default: there is neither a sample nor a row group before
  kSharedPath,    // the default: another leaf column has the same dotted path
};

struct ColumnChoice {
  ChunkEncoding encoding = ChunkEncoding::kDictionary;
  bool compressed = true;  // by the codec of the file
  ChoiceReason reason = ChoiceReason::kTooFewValues;
  // What earlier row groups showed, handed on until a sample contradicts it clearly.
  bool dictionary_gave_way = false;
  bool codec_saved_little = false;
  // Of the sample: as plain values without codec, and as chosen. 0 without a sample.
  int64_t plain_bytes = 0;
  int64_t chosen_bytes = 0;
  friend bool operator==(const ColumnChoice&, const ColumnChoice&) = default;
};

}  // namespace tailrace
