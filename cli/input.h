// Record batches from what people have: files and pipes with Arrow IPC, Parquet, CSV or JSON lines in them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "cli/fd_stream.h"
#include "cli/input_watch.h"

namespace tailrace::cli {

enum class InputFormat { kAuto, kIpc, kParquet, kCsv, kJsonLines };

struct InputSettings {
  InputFormat format = InputFormat::kAuto;
  // Take a missing end marker (IPC stream) or final line end (CSV, JSON lines) for the end.
  bool allow_cut = false;
  // Types are inferred from a first block of this size.
  int64_t csv_block_bytes = int64_t{1} << 20;
  int64_t json_block_bytes = int64_t{1} << 20;
  // What the inputs must have the columns of. CSV and JSON lines are read with their types; nullptr: these are
  // inferred.
  std::shared_ptr<arrow::Schema> schema;
  // Whose columns these are, for messages: "the state", "jan.csv".
  std::string schema_of;
  // CSV with `schema`: the first line is a header only if it repeats the column names.
  bool header_optional = false;
};

// One input, read to its end. An input that was cut short ends in kInvalid, which names it, never in a quiet end.
// Not thread-safe.
class BatchInput {
 public:
  virtual ~BatchInput() = default;
  virtual const std::shared_ptr<arrow::Schema>& schema() const = 0;
  // nullptr at the end. kCancelled on a stop signal.
  virtual Result<std::shared_ptr<arrow::RecordBatch>> Next() = 0;
  // Passes over at most `rows` rows where that is cheaper than reading them; returns how many.
  virtual Result<int64_t> SkipCheaply(int64_t rows);
  // Bytes of the input taken so far.
  virtual int64_t bytes_read() const = 0;
  // How many bytes there will be, where files tell; nullopt for pipes.
  virtual std::optional<int64_t> total_bytes() const { return std::nullopt; }
  // Where the newest batch came from, for a message about it: "feb.arrows, read as the columns of jan.arrows".
  virtual std::string Origin() const = 0;
};

// "auto", "ipc", "parquet", "csv", "jsonl".
Result<InputFormat> ParseInputFormat(const std::string& text);

// Tells the format by the first bytes, then by the suffix, and opens it. "-" is standard input. `watch` outlives
// the input.
Result<std::unique_ptr<BatchInput>> OpenInput(const std::string& path, const InputSettings& settings,
                                              InputWatch* watch);
// Several inputs of the same columns as one, in order; each is opened when its turn comes, and that it exists is
// checked now. kInvalid when it turns out to have other columns; the message names both inputs and the first that
// differs.
Result<std::unique_ptr<BatchInput>> OpenInputs(const std::vector<std::string>& paths, const InputSettings& settings,
                                               InputWatch* watch);

// The readers, each in its own file. The stream of `OpenInput` has its first bytes peeked.
Result<std::unique_ptr<BatchInput>> OpenIpcStream(std::shared_ptr<FdStream> stream, const InputSettings& settings);
Result<std::unique_ptr<BatchInput>> OpenIpcFile(std::shared_ptr<InputFd> fd, InputWatch* watch);
Result<std::unique_ptr<BatchInput>> OpenParquet(std::shared_ptr<InputFd> fd, InputWatch* watch);
Result<std::unique_ptr<BatchInput>> OpenCsv(std::shared_ptr<FdStream> stream, const InputSettings& settings);
Result<std::unique_ptr<BatchInput>> OpenJsonLines(std::shared_ptr<FdStream> stream, const InputSettings& settings);

// `status` of a reader, which may be any of Arrow's, with our kind: one that has no kind yet means that the bytes of
// `name` are wrong.
Status InputError(const Status& status, const std::string& name);

}  // namespace tailrace::cli
