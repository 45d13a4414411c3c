// Writes 1,000 rows to the path it is given.
#include <cstdint>
#include <iostream>

#include <arrow/array/builder_primitive.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <tailrace/commit.h>
#include <tailrace/writer.h>

namespace {

arrow::Status Write(const char* path) {
  arrow::Int64Builder ids;
  for (int64_t i = 0; i < 1000; ++i) ARROW_RETURN_NOT_OK(ids.Append(i));
  ARROW_ASSIGN_OR_RAISE(auto column, ids.Finish());
  const auto schema = arrow::schema({arrow::field("id", arrow::int64(), false)});
  ARROW_ASSIGN_OR_RAISE(tailrace::StoreAndKey at, tailrace::OpenStore(path));
  ARROW_ASSIGN_OR_RAISE(auto writer, tailrace::ParquetStreamWriter::Open(at.store, at.key, schema));
  ARROW_RETURN_NOT_OK(writer->Write(*arrow::RecordBatch::Make(schema, 1000, {column})));
  ARROW_ASSIGN_OR_RAISE(tailrace::PendingCommit pending, writer->Close());
  return tailrace::Commit(pending).status();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const arrow::Status status = Write(argv[1]);
  if (!status.ok()) std::cerr << status.ToString() << "\n";
  return status.ok() ? 0 : 1;
}
