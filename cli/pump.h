// Moves batches from an input into a writer and takes checkpoints at their time.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/input.h"
#include "cli/reporter.h"
#include "cli/size_text.h"
#include "tailrace/writer.h"

namespace tailrace::cli {

// What the state file holds.
struct SavedState {
  int64_t rows = 0;
  WriteId write_id;
};

// Not thread-safe.
class Pump {
 public:
  struct Settings {
    std::optional<CheckpointEvery> every;
    std::string state_file;           // empty: no checkpoints
    std::optional<SavedState> saved;  // what state_file holds already of this write
  };
  // All but `settings` outlive this.
  Pump(ParquetStreamWriter* writer, BatchInput* input, Settings settings, InputWatch* watch, Reporter* reporter);
  ~Pump();

  // To the end of the input, after passing over `skip_rows`. Checkpoints of every N rows are at multiples of N
  // counted from the first row of the file, however the input is batched, so that a resumed run has the same ones.
  // While the input is silent, checkpoints by time are taken all the same.
  Status Run(int64_t skip_rows);
  // A state in the state file that has all rows the writer took.
  Status TakeCheckpoint();

  // What the state file holds; nullopt before the first checkpoint.
  const std::optional<SavedState>& saved() const { return settings_.saved; }

 private:
  Status Skip(int64_t rows);
  Status WriteBatch(const arrow::RecordBatch& batch);
  Status CheckpointIfDue();
  // Runs while the input is waited for.
  Status OnIdle();

  ParquetStreamWriter* const writer_;
  BatchInput* const input_;
  Settings settings_;
  InputWatch* const watch_;
  Reporter* const reporter_;
  std::shared_ptr<arrow::RecordBatch> rest_of_skipped_;
  int64_t bytes_at_checkpoint_ = 0;
  std::chrono::steady_clock::time_point time_of_checkpoint_ = std::chrono::steady_clock::now();
};

}  // namespace tailrace::cli
