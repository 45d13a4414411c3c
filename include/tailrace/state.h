// The two values that a write leaves behind, from which any process goes on. Both are plain, copyable and
// comparable, and neither ever holds a credential. Their bytes: docs/formats/.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "tailrace/column_choice.h"
#include "tailrace/error.h"
#include "tailrace/object.h"
#include "tailrace/object_options.h"
#include "tailrace/options.h"

namespace tailrace {

using arrow::Result;

// The page indexes of one column chunk: thrift bytes with offsets as if its row group were alone in a file.
// Empty where there is none.
struct ColumnIndexBytes {
  std::string column_index;
  std::string offset_index;
  friend bool operator==(const ColumnIndexBytes&, const ColumnIndexBytes&) = default;
};

// One finished row group as a relocatable unit, without its data bytes. The list of these is what a footer is
// built from, at any time.
struct RowGroupEntry {
  int64_t rows = 0;
  int64_t size_bytes = 0;                 // of its data in the file
  std::string metadata;                   // thrift RowGroup with offsets as if it were alone in a file
  std::vector<ColumnIndexBytes> indexes;  // one per column chunk, in order
  std::vector<ColumnChoice> choices;      // one per column chunk; none with `adaptive` off
  friend bool operator==(const RowGroupEntry&, const RowGroupEntry&) = default;
};

// Everything about the content of a Parquet file that is not in its data bytes.
struct ParquetContent {
  std::string schema;           // Arrow schema as an encapsulated IPC message, dictionary types kept
  std::string footer_template;  // thrift FileMetaData of the file without rows
  std::vector<RowGroupEntry> row_groups;
  uint64_t digest = 0;  // CRC-64/NVME of all row-group bytes
  friend bool operator==(const ParquetContent&, const ParquetContent&) = default;
  int64_t rows() const;
  int64_t data_bytes() const;  // of all row groups
};

// How far the bytes of a write have come.
struct UploadProgress {
  UploadId upload_id;
  PartLengths part_lengths;
  std::vector<PartReceipt> receipts;  // parts 1..n without a gap
  std::string unsent;                 // bytes after part n; shorter than the next part
  friend bool operator==(const UploadProgress&, const UploadProgress&) = default;
  int64_t stored_bytes() const;
};

// Rows of the row group that a checkpoint left open, compressed.
struct CarriedChunk {
  int64_t rows = 0;
  std::string bytes;  // a packed Arrow IPC message (docs/formats/writer-state.md)
  friend bool operator==(const CarriedChunk&, const CarriedChunk&) = default;
};
struct CarriedRows {
  std::vector<CarriedChunk> chunks;  // in the order of their rows
  friend bool operator==(const CarriedRows&, const CarriedRows&) = default;
  bool empty() const { return chunks.empty(); }
  int64_t rows() const;
  int64_t size_bytes() const;  // of all chunks, compressed
};

// A checkpoint: parts + tail + carried rows = a valid file. From it any process finishes, resumes or aborts the write.
//
//   ARROW_ASSIGN_OR_RAISE(tailrace::WriterState state, writer->Checkpoint());
//   SaveSomewhere(state.ToBytes());            // in another process, next week:
//   ARROW_ASSIGN_OR_RAISE(auto again, tailrace::WriterState::FromBytes(bytes));
//   ARROW_ASSIGN_OR_RAISE(auto info, tailrace::Finish(again));
struct WriterState {
  std::string library_version;  // of tailrace
  std::string encoder_version;  // of libparquet
  WriteId write_id;
  int64_t epoch = 0;  // resumes so far
  Target target;
  ObjectOptions object;  // as the upload was created with
  FileOptions options;
  UploadProgress progress;
  ParquetContent content;
  CarriedRows carried;  // follow the rows of `content`; fewer than end a row group
  friend bool operator==(const WriterState&, const WriterState&) = default;

  // Durable rows: a source can forget everything before this row.
  int64_t rows() const { return content.rows() + carried.rows(); }
  std::string ToBytes() const;
  // kBadState naming the field for truncated, altered or gapped bytes; kStateTooNew for a newer format.
  static Result<WriterState> FromBytes(std::string_view bytes);
};

// A closed file that waits for its commit: all its bytes are uploaded, or travel here.
struct PendingCommit {
  std::string library_version;
  WriteId write_id;
  Target target;
  ObjectOptions object;  // as the upload was created with, or for the Put
  OverwritePolicy overwrite = OverwritePolicy::kOverwrite;
  // Exactly one of the two: an upload with all its parts, or the bytes of a small file.
  UploadId upload_id;
  std::vector<PartReceipt> receipts;
  std::string inline_bytes;
  int64_t size_bytes = 0;  // of the object
  uint64_t crc64 = 0;      // of the object; 0 with `state`
  std::string footer;      // its thrift FileMetaData, by which the object is recognised
  int64_t rows = 0;
  // On stores that refuse to leave stray parts out, where another process may know the upload: from it the end of the
  // file is laid out again when strays turn up after Close. Part numbers may then have gaps, and crc64 is not known.
  std::optional<WriterState> state;

  // Not part of the value (neither stored nor compared): lets the first Commit in the closing process be one
  // request, and lets the local store skip reading back what this process wrote.
  std::shared_ptr<std::atomic<bool>> first_try;
  std::string seal;

  bool is_inline() const { return upload_id.text.empty(); }
  friend bool operator==(const PendingCommit& a, const PendingCommit& b);
  std::string ToBytes() const;
  static Result<PendingCommit> FromBytes(std::string_view bytes);
};

// Which of the two a blob is, from its magic; kBadState where it is neither.
enum class BlobKind { kWriterState, kPendingCommit };
Result<BlobKind> KindOfBlob(std::string_view bytes);

}  // namespace tailrace
