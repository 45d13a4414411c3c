// What a writer can be told. `FileOptions` decides the bytes and travels in the state; `RuntimeOptions` does not
// change a byte and is given anew by each process.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tailrace/executor.h"

namespace tailrace {

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

struct ParquetOptions {
  Codec codec = Codec::kZstd;
  int codec_level = 1;     // ignored by codecs without levels
  bool statistics = true;  // min, max, null count per column chunk
  bool page_index = true;  // column and offset indexes; needs statistics
  // Of referenced Arrow bytes: a row group ends at the first row that reaches it ...
  int64_t row_group_bytes = int64_t{128} << 20;
  int64_t row_group_rows = int64_t{1} << 40;  // ... or after this many rows
  // Keys must not start with "tailrace." or "ARROW:".
  std::vector<std::pair<std::string, std::string>> key_value_metadata;
  friend bool operator==(const ParquetOptions&, const ParquetOptions&) = default;
};

struct FileOptions {
  ParquetOptions parquet;
  int64_t part_size_bytes = int64_t{16} << 20;  // length of every part but the last
  OverwritePolicy overwrite = OverwritePolicy::kOverwrite;
  SmallFiles small_files = SmallFiles::kInline;
  int64_t inline_max_bytes = int64_t{8} << 20;
  friend bool operator==(const FileOptions&, const FileOptions&) = default;
};

// What the destructor does with an upload that was neither closed nor aborted.
enum class OnError {
  kAuto,  // abort it unless a state was handed out or it was resumed: that state must stay finishable
  kAbort,
  kKeep,
};

struct RuntimeOptions {
  // Encoding and uploading run here. nullptr: the writer makes a pool of up to parts_in_flight + 1 threads for itself.
  std::shared_ptr<Executor> executor;
  int64_t memory_budget_bytes = int64_t{256} << 20;  // read-ahead + open row group + parts waiting and in flight
  // Most parts being stored at the same time. One is sent as soon as it is full, so that as many are under way as the
  // store is slower than the encoder; the budget bounds them, too. The default fills 400 MB/s where a store takes 50
  // MB/s a connection.
  int parts_in_flight = 16;
  OnError on_error = OnError::kAuto;
};

}  // namespace tailrace
