// What a writer can be told. `FileOptions` decides the bytes and travels in the state; `RuntimeOptions` does not
// change a byte and is given anew by each process.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tailrace/executor.h"

namespace tailrace {

class Observer;

enum class Codec { kNone, kSnappy, kGzip, kBrotli, kZstd, kLz4 };
// May an object that is already under the key be replaced at commit?
enum class OverwritePolicy {
  kOverwrite,
  kFailIfExists,            // on stores without conditions by a look, between which and the commit one may appear
  kFailIfExistsAtomically,  // refused by such stores
};
// How a file below `inline_max_bytes` that never handed out a state is kept between Close and Commit.
enum class SmallFiles {
  kInline,  // its bytes travel in the PendingCommit; commit is one Put
  kUpload,  // a one-part upload, invisible as any; a commit after a deletion answers "gone"
};

// What a checkpoint does with the row group that is open.
enum class CheckpointMode {
  kFlush,  // ends it: a flush point, on which the bytes of the file depend
  kCarry,  // leaves it open, and the state holds its rows, as long as they take carry_max_bytes at most; else ends it
};

// What becomes of text that is not UTF-8, which readers refuse.
enum class TextNotUtf8 {
  kRefuse,  // with its batch, naming column and row
  kBinary,  // all text columns are written as bytes, whatever they hold; what extension types store is not
};

// Which encodings a column chunk may get, by the readers that must understand them.
enum class Encodings {
  kPortable,  // plain and dictionary, which every reader knows
  kSpark,     // and the delta family, as Spark's vectorised reader knows it
  kAll,       // and byte-stream-split
};
// The newest types and encodings that readers of this version of the format know.
enum class ParquetVersion { k1_0, k2_4, k2_6 };
enum class DataPageVersion { kV1, kV2 };

// Tells readers that a value is not in a row group, where min and max do not. Not for boolean columns.
struct BloomFilterOptions {
  // Of one row group, as expected: it decides how much memory the filter takes while the row group is open. A filter
  // that turns out too large is folded before it is written.
  int64_t distinct_values = 1'000'000;
  double false_positives = 0.05;  // the share of absent values that seem to be there
  friend bool operator==(const BloomFilterOptions&, const BloomFilterOptions&) = default;
};

// What one leaf column has different from the others.
struct ColumnOptions {
  std::string path;                // in the Parquet schema, dotted: "id", "tags.list.element"
  std::optional<bool> dictionary;  // instead of ParquetOptions::dictionary
  std::optional<BloomFilterOptions> bloom_filter;
  friend bool operator==(const ColumnOptions&, const ColumnOptions&) = default;
};

struct SortingColumn {
  std::string path;  // of a leaf column, as ColumnOptions::path
  bool descending = false;
  bool nulls_first = false;
  friend bool operator==(const SortingColumn&, const SortingColumn&) = default;
};

struct ParquetOptions {
  Codec codec = Codec::kZstd;
  int codec_level = 1;     // ignored by codecs without levels
  bool statistics = true;  // min, max, null count per column chunk
  bool page_index = true;  // column and offset indexes; needs statistics
  // Of referenced Arrow bytes: a row group ends at the first row that reaches it ...
  int64_t row_group_bytes = int64_t{128} << 20;
  int64_t row_group_rows = int64_t{1} << 40;  // ... or after this many rows
  // Each column chunk gets the encoding of `encodings`, and the codec or none, that its values deserve. Off: dictionary
  // encoding that gives way to plain where values do not repeat, and always the codec.
  bool adaptive = true;
  Encodings encodings = Encodings::kPortable;
  bool dictionary = true;                 // dictionary encoding may be used
  int64_t page_bytes = int64_t{1} << 20;  // a page is closed once its values reach it
  ParquetVersion version = ParquetVersion::k2_6;
  DataPageVersion data_page_version = DataPageVersion::kV1;
  TextNotUtf8 text_not_utf8 = TextNotUtf8::kRefuse;
  std::vector<ColumnOptions> columns;
  // Recorded for readers in every row group, in this order. Whether the rows are sorted so is not checked.
  std::vector<SortingColumn> sorting_columns;
  // Keys must not start with "tailrace." or "ARROW:".
  std::vector<std::pair<std::string, std::string>> key_value_metadata;
  friend bool operator==(const ParquetOptions&, const ParquetOptions&) = default;
};

struct FileOptions {
  ParquetOptions parquet;
  // Length of every part but the last, unless one of the two below makes parts longer. Parts are kept in memory until
  // they are stored.
  int64_t part_size_bytes = int64_t{16} << 20;
  // About how large the file will be; 0: not known. Parts are made so long that a file of this size, and if the memory
  // budget allows half as much again, fits into the number of parts that the store takes. Open refuses a size that
  // cannot fit, naming what stands in the way. The file may get smaller or larger; where no part number is left rows
  // are refused.
  int64_t expected_bytes = 0;
  // The first parts have part_size_bytes; later ones get longer, so that a file of any size up to 5 TiB fits, or of
  // expected_bytes where that is more, as far as the memory budget holds two of the longest parts. Refused by stores
  // that want all parts to be of one length (StoreLimits::equal_parts).
  bool growing_parts = false;
  OverwritePolicy overwrite = OverwritePolicy::kOverwrite;
  SmallFiles small_files = SmallFiles::kInline;
  int64_t inline_max_bytes = int64_t{8} << 20;
  // Of Checkpoint(), unless it is told otherwise. With kCarry the writer keeps a compressed copy of the rows of the
  // open row group, which costs CPU time; with kFlush it keeps none.
  CheckpointMode checkpoint_mode = CheckpointMode::kFlush;
  // Once the copy takes more, it is dropped, nothing more is kept until the next row group, and a checkpoint meanwhile
  // ends the row group. The most that carrying adds to a state, and to the memory in use.
  int64_t carry_max_bytes = int64_t{8} << 20;
  friend bool operator==(const FileOptions&, const FileOptions&) = default;
};

// What the destructor does with an upload that was neither closed nor aborted.
enum class OnError {
  kAuto,  // abort it unless a state was handed out or it was resumed: that state must stay finishable
  kAbort,
  kKeep,
};

struct RuntimeOptions {
  // Encoding and uploading run here. nullptr: the writer makes a pool of up to parts_in_flight + encode_threads threads
  // for itself.
  std::shared_ptr<Executor> executor;
  int64_t memory_budget_bytes = int64_t{256} << 20;  // read-ahead + open row group + parts waiting and in flight
  // Most parts being stored at the same time. One is sent as soon as it is full, so that as many are under way as the
  // store is slower than the encoder; the budget bounds them, too. The default fills 400 MB/s where a store takes 50
  // MB/s a connection.
  int parts_in_flight = 16;
  // Most threads that encode at the same time: columns side by side, and the next row group where one column has most
  // of the work. 0: as many as there are CPUs for this process.
  int encode_threads = 0;
  OnError on_error = OnError::kAuto;
  std::shared_ptr<Observer> observer;  // is told what happens (events.h); may be shared by writers
};

}  // namespace tailrace
