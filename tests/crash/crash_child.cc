// A process that writes one file on the local store and may be killed at any moment: run again, it goes on from what it
// left. Its arguments: FOLDER, and "carry" for checkpoints that leave the row group open. It keeps its state in
// FOLDER/state and its pending commit in FOLDER/pending.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

#include "tests/crash/crash_rows.h"
#include "tests/crash/value_files.h"

namespace tailrace::sim {
namespace {

namespace fs = std::filesystem;

Status WriteRest(const fs::path& folder, ParquetStreamWriter* writer) {
  while (writer->rows() < kCrashRows) {
    const int64_t next = std::min(kCrashRows, (writer->rows() / kCrashCheckpoint + 1) * kCrashCheckpoint);
    ARROW_RETURN_NOT_OK(WriteUpTo(writer, next, 170));
    if (next == kCrashRows) break;
    ARROW_ASSIGN_OR_RAISE(WriterState state, writer->Checkpoint());
    SaveFile(folder / "state", state.ToBytes());
  }
  ARROW_ASSIGN_OR_RAISE(PendingCommit pending, writer->Close());
  SaveFile(folder / "pending", pending.ToBytes());
  return Commit(pending).status();
}

Status Run(const fs::path& folder, bool carry) {
  if (auto pending = ReadFile(folder / "pending")) {
    ARROW_ASSIGN_OR_RAISE(PendingCommit value, PendingCommit::FromBytes(*pending));
    return Commit(value).status();
  }
  RuntimeOptions runtime;
  runtime.memory_budget_bytes = 4 << 20;
  runtime.executor = MakeThreadPool(2);
  std::unique_ptr<ParquetStreamWriter> writer;
  if (auto state = ReadFile(folder / "state")) {
    ARROW_ASSIGN_OR_RAISE(WriterState value, WriterState::FromBytes(*state));
    auto resumed = ParquetStreamWriter::Resume(value, {.runtime = runtime});
    if (!resumed.ok()) {
      const ErrorDetail* detail = DetailOf(resumed.status());
      return detail != nullptr && detail->already_committed ? Status::OK() : resumed.status();
    }
    writer = *std::move(resumed);
  } else {
    ARROW_ASSIGN_OR_RAISE(StoreAndKey at, OpenStore((folder / "data" / "f.parquet").string()));
    FileOptions options = SmallFile();
    if (carry) options.checkpoint_mode = CheckpointMode::kCarry;
    options.carry_max_bytes = 1 << 20;
    ARROW_ASSIGN_OR_RAISE(writer, ParquetStreamWriter::Open(at.store, at.key, RowSchema(), options, runtime));
  }
  return WriteRest(folder, writer.get());
}

}  // namespace
}  // namespace tailrace::sim

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const tailrace::Status status = tailrace::sim::Run(argv[1], argc > 2 && std::string_view(argv[2]) == "carry");
  if (status.ok()) return 0;
  std::cerr << status.ToString() << "\n";
  return 1;
}
