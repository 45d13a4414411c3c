// Streams Arrow data into one Parquet object.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "tailrace/options.h"
#include "tailrace/state.h"
#include "tailrace/store.h"

struct ArrowArrayStream;

namespace tailrace {

struct ResumeOptions {
  RuntimeOptions runtime;
  std::shared_ptr<MultipartStore> store;  // nullptr opens the target's
  std::string key;                        // with `retarget`: the key in `store`
  bool retarget = false;
  bool verify = true;                             // local store: read the stored parts back first
  std::optional<CheckpointMode> checkpoint_mode;  // from here on, instead of the state's
};

// Writes one Parquet file as a transaction. Nothing is visible under the key until the PendingCommit that Close
// returns is committed, or a WriterState is finished.
//
// Not thread-safe: one thread calls it. Encoding and uploading run on the executor meanwhile, and go on while
// nobody calls. The bytes depend only on the rows, the FileOptions and the rows at which a checkpoint ended a row
// group, never on how the rows were batched.
//
// Errors: a batch that does not fit (schema, nulls in a non-null column, a limit) is refused as a whole with
// kInvalid or kLimit, and the writer goes on as if it had not been offered. Any other error is the first error:
// every later call returns it, nothing more is published, and the last state taken is still good.
//
//   ARROW_ASSIGN_OR_RAISE(auto at, OpenStore("file:///data/flights.parquet"));
//   ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Open(at.store, at.key, schema));
//   while (auto batch = NextBatch()) ARROW_RETURN_NOT_OK(writer->Write(*batch));
//   ARROW_ASSIGN_OR_RAISE(PendingCommit pending, writer->Close());
//   ARROW_ASSIGN_OR_RAISE(CommitInfo info, Commit(pending));
class ParquetStreamWriter {
 public:
  // Checks schema, options and key against the store; sends no request. kInvalid and kLimit name field or option;
  // locally kNotFound and kDenied where the folder is missing or may not be written.
  static Result<std::unique_ptr<ParquetStreamWriter>> Open(std::shared_ptr<MultipartStore> store, std::string key,
                                                           std::shared_ptr<arrow::Schema> schema,
                                                           FileOptions options = {}, RuntimeOptions runtime = {});

  // Goes on writing the same file after the rows of `state`. Looks at the key first: kFenced where the write was
  // finished elsewhere (ErrorDetail::rows says at which row), kPrecondition with ErrorDetail::already_committed where
  // this very write was closed and committed. Else kUploadGone, kFenced (a stored part was replaced), kWriterAlive.
  // Takes the upload's lock where the store has locks.
  static Result<std::unique_ptr<ParquetStreamWriter>> Resume(const WriterState& state, ResumeOptions options = {});

  // Applies OnError to a writer that was neither closed nor aborted; never publishes.
  virtual ~ParquetStreamWriter() = default;

  // Blocks while the memory budget is used up. Columns are matched by name and position; see docs/guide/types.md
  // for what is converted.
  virtual Status Write(const arrow::RecordBatch& batch) = 0;
  virtual Status Write(const arrow::Table& table) = 0;
  // Reads to the end, batch by batch; rows() tells how many rows were taken when it fails.
  virtual Status Write(arrow::RecordBatchReader* reader) = 0;
  // Arrow C stream; takes it over and releases it.
  virtual Status Write(ArrowArrayStream* stream) = 0;

  // Waits until all full parts are stored and durable, and returns the state, with all rows taken so far. The upload is
  // created first if there is none. kFlush ends the row group first. kCarry leaves it open, without a trace in the
  // file, and puts its rows into the state (WriterState::carried) where they take FileOptions::carry_max_bytes at most;
  // else it ends it too. kInvalid for kCarry where the writer was not opened for it (FileOptions::checkpoint_mode).
  //
  //   options.checkpoint_mode = tailrace::CheckpointMode::kCarry;  // at Open
  //   ARROW_ASSIGN_OR_RAISE(WriterState state, writer->Checkpoint());
  virtual Result<WriterState> Checkpoint(CheckpointMode mode) = 0;
  // By FileOptions::checkpoint_mode.
  virtual Result<WriterState> Checkpoint() = 0;

  // Uploads everything and gives the upload up (and its lock). The writer is done afterwards.
  virtual Result<PendingCommit> Close() = 0;

  // Drops the upload; states taken from this writer are void. The writer is done afterwards.
  virtual Status Abort() = 0;

  virtual const std::shared_ptr<arrow::Schema>& schema() const = 0;
  // Rows taken so far, those of the resumed state included.
  virtual int64_t rows() const = 0;
  // Rows of the last state handed out or resumed from.
  virtual int64_t durable_rows() const = 0;
  // What a person should know about a resume that works all the same: other library versions than the state's (the
  // bytes may differ from an uninterrupted write's), a store that does not check part tags. Empty after Open.
  virtual const std::vector<std::string>& warnings() const = 0;
};

}  // namespace tailrace
