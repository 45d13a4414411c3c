// Writes an Arrow IPC stream as one Parquet file with the default options, to a store or to nowhere.
//
//   write_stream FILE URL|null: CODEC [PARTS_IN_FLIGHT [ENCODE_THREADS]]
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>

#include "bench/store/null_store.h"
#include "bench/store/resource_use.h"
#include "tailrace/commit.h"
#include "tailrace/store.h"
#include "tailrace/writer.h"

namespace tailrace {
namespace {

struct Job {
  std::string input;
  std::string url;
  Codec codec = Codec::kZstd;
  std::optional<int> parts_in_flight;
  std::optional<int> encode_threads;
};

Status Run(const Job& job) {
  StoreAndKey at{std::make_shared<NullStore>(), "null"};
  if (job.url != "null:") {
    ARROW_ASSIGN_OR_RAISE(at, OpenStore(job.url));
  }
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::ReadableFile::Open(job.input));
  ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ipc::RecordBatchStreamReader::Open(file));
  FileOptions options;
  options.parquet.codec = job.codec;
  RuntimeOptions runtime;
  if (job.parts_in_flight) runtime.parts_in_flight = *job.parts_in_flight;
  if (job.encode_threads) runtime.encode_threads = *job.encode_threads;
  const ResourceUse use;
  ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Open(at.store, at.key, reader->schema(), options, runtime));
  ARROW_RETURN_NOT_OK(writer->Write(reader.get()));
  ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
  if (job.url != "null:") {
    ARROW_RETURN_NOT_OK(Commit(pending, {.store = at.store}).status());
  }
  use.Print(pending.size_bytes);
  return Status::OK();
}

}  // namespace
}  // namespace tailrace

int main(int argc, char** argv) {
  const std::string codec = argc > 3 ? argv[3] : "";
  if (argc < 4 || argc > 6 || (codec != "zstd" && codec != "none")) {
    std::cerr << "usage: write_stream FILE URL|null: zstd|none [PARTS_IN_FLIGHT [ENCODE_THREADS]]\n";
    return 2;
  }
  tailrace::Job job{.input = argv[1], .url = argv[2]};
  if (codec == "none") job.codec = tailrace::Codec::kNone;
  if (argc > 4) job.parts_in_flight = std::atoi(argv[4]);
  if (argc > 5) job.encode_threads = std::atoi(argv[5]);
  const arrow::Status status = tailrace::Run(job);
  if (!status.ok()) std::cerr << "write_stream: " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
