// A process that works on one object in a store over HTTP and may be killed at any request.
//
//   s3_child write FOLDER URL                run again, it goes on from what it left: FOLDER/state, FOLDER/pending
//   s3_child commit|finish|go-on FILE URL [FLUSH_ROWS]   waits for a byte on its standard input, then acts on the value
//
// The store's kind is named by TAILRACE_STORE_KIND, endpoint and credentials by AWS's variables. Exit code: 0, or 10
// and the number of the outcome.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "tests/crash/s3_crash.h"
#include "tests/crash/value_files.h"
#include "tests/s3/races.h"

namespace tailrace::sim {
namespace {

namespace fs = std::filesystem;

StoreKind KindFromEnvironment() {
  const char* const name = std::getenv("TAILRACE_STORE_KIND");
  for (const StoreKind& kind : AllKinds()) {
    if (name != nullptr && kind.name == name) return kind;
  }
  return Unchecked();
}

Status WriteRest(const fs::path& folder, ParquetStreamWriter* writer, const std::shared_ptr<MultipartStore>& store) {
  while (writer->rows() < kS3CrashRows) {
    const int64_t next = std::min(kS3CrashRows, (writer->rows() / kS3CrashCheckpoint + 1) * kS3CrashCheckpoint);
    ARROW_RETURN_NOT_OK(WriteOn(writer, next));
    if (next == kS3CrashRows) break;
    ARROW_ASSIGN_OR_RAISE(const WriterState state, writer->Checkpoint());
    SaveFile(folder / "state", state.ToBytes());
  }
  ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
  SaveFile(folder / "pending", pending.ToBytes());
  return Commit(pending, {.store = store}).status();
}

Status Write(const fs::path& folder, const StoreAndKey& at) {
  if (const auto pending = ReadFile(folder / "pending")) {
    ARROW_ASSIGN_OR_RAISE(const PendingCommit value, PendingCommit::FromBytes(*pending));
    return Commit(value, {.store = at.store}).status();
  }
  RuntimeOptions runtime;
  runtime.memory_budget_bytes = 4 << 20;
  runtime.executor = MakeThreadPool(2);
  std::unique_ptr<ParquetStreamWriter> writer;
  if (const auto state = ReadFile(folder / "state")) {
    ARROW_ASSIGN_OR_RAISE(const WriterState value, WriterState::FromBytes(*state));
    ARROW_ASSIGN_OR_RAISE(writer, ParquetStreamWriter::Resume(value, {.runtime = runtime, .store = at.store}));
  } else {
    ARROW_ASSIGN_OR_RAISE(writer, ParquetStreamWriter::Open(at.store, at.key, RowSchema(), TinyParts(), runtime));
  }
  return WriteRest(folder, writer.get(), at.store);
}

Status Act(const std::string& what, const std::string& value, const std::string& flush, const StoreAndKey& at) {
  const RaceOp::Kind kind = what == "commit"   ? RaceOp::Kind::kCommit
                            : what == "finish" ? RaceOp::Kind::kFinish
                                               : RaceOp::Kind::kGoOn;
  char go = 0;
  if (read(STDIN_FILENO, &go, 1) != 1) return MakeError(ErrorKind::kInvalid, "nobody says when");
  return RunRaceOp({kind, value, flush.empty() ? 0 : std::stoll(flush)}, at.store);
}

Status Run(const std::string& what, const fs::path& path, const std::string& url, const std::string& flush) {
  ARROW_ASSIGN_OR_RAISE(const StoreAndKey at, OpenStore(url, {.limits = LimitsOf(KindFromEnvironment())}));
  if (what == "write") return Write(path, at);
  return Act(what, ReadFile(path).value_or(""), flush, at);
}

}  // namespace
}  // namespace tailrace::sim

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const tailrace::Status status = tailrace::sim::Run(argv[1], argv[2], argv[3], argc > 4 ? argv[4] : "");
  if (status.ok()) return 0;
  std::cerr << status.ToString() << "\n";
  return 10 + static_cast<int>(tailrace::OutcomeOf(status));
}
