// Writes an Arrow IPC stream into a local Parquet file with the options that the command line is given:
//
//   write_with_options STREAM TARGET.parquet NAME=VALUE...
//
// checkpoint=ROW takes a checkpoint there, resume=ROW also drops the writer and goes on from the state, as another
// process would.
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "tailrace/commit.h"
#include "tailrace/writer.h"

namespace tailrace {
namespace {

struct Flush {
  int64_t row = 0;
  bool resume = false;
};

struct Job {
  std::string stream;
  std::string target;
  FileOptions options;
  RuntimeOptions runtime;
  std::vector<Flush> flushes;  // by rising row
};

ColumnOptions* ColumnOf(const std::string& path, ParquetOptions* parquet) {
  for (ColumnOptions& column : parquet->columns) {
    if (column.path == path) return &column;
  }
  parquet->columns.push_back({.path = path});
  return &parquet->columns.back();
}

Status SetWord(const std::string& name, const std::string& value, Job* job) {
  static const std::map<std::string, Encodings> kEncodings = {
      {"portable", Encodings::kPortable}, {"spark", Encodings::kSpark}, {"all", Encodings::kAll}};
  static const std::map<std::string, ParquetVersion> kVersions = {
      {"1.0", ParquetVersion::k1_0}, {"2.4", ParquetVersion::k2_4}, {"2.6", ParquetVersion::k2_6}};
  ParquetOptions& parquet = job->options.parquet;
  if (name == "encodings") {
    parquet.encodings = kEncodings.at(value);
  } else if (name == "version") {
    parquet.version = kVersions.at(value);
  } else if (name == "adaptive") {
    parquet.adaptive = value == "on";
  } else if (name == "codec") {
    parquet.codec = value == "none" ? Codec::kNone : Codec::kZstd;
  } else if (name == "pages") {
    parquet.data_page_version = value == "v2" ? DataPageVersion::kV2 : DataPageVersion::kV1;
  } else if (name == "text") {
    parquet.text_not_utf8 = value == "binary" ? TextNotUtf8::kBinary : TextNotUtf8::kRefuse;
  } else if (name == "bloom") {
    ColumnOf(value, &parquet)->bloom_filter = BloomFilterOptions{.distinct_values = 20000, .false_positives = 0.01};
  } else if (name == "no_dictionary") {
    ColumnOf(value, &parquet)->dictionary = false;
  } else if (name == "sorted") {
    parquet.sorting_columns.push_back({.path = value});
  } else {
    return Status::Invalid("unknown option ", name);
  }
  return Status::OK();
}

Status SetOption(const std::string& name, const std::string& value, Job* job) {
  const int64_t number = std::atoll(value.c_str());
  if (name == "checkpoint" || name == "resume") {
    job->flushes.push_back({number, name == "resume"});
  } else if (name == "row_group_rows") {
    job->options.parquet.row_group_rows = number;
  } else if (name == "page_bytes") {
    job->options.parquet.page_bytes = number;
  } else if (name == "threads") {
    job->runtime.executor = MakeThreadPool(static_cast<int>(number));
  } else {
    return SetWord(name, value, job);
  }
  return Status::OK();
}

Result<std::vector<std::shared_ptr<arrow::RecordBatch>>> ReadStream(const std::string& path,
                                                                    std::shared_ptr<arrow::Schema>* schema) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path));
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchStreamReader::Open(file));
  *schema = reader->schema();
  return reader->ToRecordBatches();
}

Status Run(const Job& job) {
  std::shared_ptr<arrow::Schema> schema;
  ARROW_ASSIGN_OR_RAISE(const auto batches, ReadStream(job.stream, &schema));
  ARROW_ASSIGN_OR_RAISE(auto at, OpenStore("file://" + job.target));
  ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Open(at.store, at.key, schema, job.options, job.runtime));
  auto flush = job.flushes.begin();
  for (const auto& batch : batches) {
    int64_t taken = 0;
    while (flush != job.flushes.end() && flush->row <= writer->rows() + batch->num_rows() - taken) {
      const int64_t rows = flush->row - writer->rows();
      ARROW_RETURN_NOT_OK(writer->Write(*batch->Slice(taken, rows)));
      taken += rows;
      ARROW_ASSIGN_OR_RAISE(const WriterState state, writer->Checkpoint());
      if ((flush++)->resume) {
        writer.reset();
        ARROW_ASSIGN_OR_RAISE(const WriterState again, WriterState::FromBytes(state.ToBytes()));
        ARROW_ASSIGN_OR_RAISE(writer, ParquetStreamWriter::Resume(again, {.runtime = job.runtime}));
      }
    }
    ARROW_RETURN_NOT_OK(writer->Write(*batch->Slice(taken)));
  }
  ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
  return Commit(pending).status();
}

}  // namespace
}  // namespace tailrace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  tailrace::Job job{.stream = argv[1], .target = argv[2]};
  for (int i = 3; i < argc; ++i) {
    const std::string option = argv[i];
    const size_t equals = option.find('=');
    if (equals == std::string::npos) return 2;
    const auto status = tailrace::SetOption(option.substr(0, equals), option.substr(equals + 1), &job);
    if (status.ok()) continue;
    std::cerr << status.ToString() << "\n";
    return 2;
  }
  const auto status = tailrace::Run(job);
  if (status.ok()) return 0;
  std::cerr << status.ToString() << "\n";
  return 1;
}
