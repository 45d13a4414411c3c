// The size of states: state_bytes COLUMNS ROW_GROUPS
//
// Writes int64 columns of random numbers into row groups of 256 rows, to a store that forgets them, and takes a
// checkpoint after 1, 10, 100, ... row groups. Prints a line for each: row groups, bytes of the state without the
// unsent ones, of its list of row groups, and of that list without the blobs of page indexes.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "bench/store/null_store.h"
#include "state/row_groups_codec.h"
#include "tailrace/writer.h"

namespace tailrace {
namespace {

constexpr int64_t kRows = 256;

std::shared_ptr<arrow::RecordBatch> RandomBatch(const std::shared_ptr<arrow::Schema>& schema, std::mt19937_64* random) {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (int c = 0; c < schema->num_fields(); ++c) {
    std::vector<int64_t> values(kRows);
    for (int64_t& value : values) value = static_cast<int64_t>((*random)() >> 20);
    columns.push_back(std::make_shared<arrow::Int64Array>(kRows, arrow::Buffer::FromVector(std::move(values))));
  }
  return arrow::RecordBatch::Make(schema, kRows, std::move(columns));
}

void PrintSizes(const WriterState& state) {
  std::vector<RowGroupEntry> bare = state.content.row_groups;
  for (RowGroupEntry& entry : bare) entry.indexes.assign(entry.indexes.size(), {});
  std::cout << state.content.row_groups.size() << " " << state.ToBytes().size() - state.progress.unsent.size() << " "
            << EncodeRowGroups(state.content.row_groups).size() << " " << EncodeRowGroups(bare).size() << std::endl;
}

Status Run(int columns, int row_groups) {
  arrow::FieldVector fields;
  for (int c = 0; c < columns; ++c) fields.push_back(arrow::field("column_" + std::to_string(c), arrow::int64()));
  const auto schema = arrow::schema(fields);
  FileOptions options;
  options.parquet.row_group_rows = kRows;
  ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Open(std::make_shared<NullStore>(), "null", schema, options));
  std::mt19937_64 random(3);
  int next = 1;
  for (int group = 1; group <= row_groups; ++group) {
    ARROW_RETURN_NOT_OK(writer->Write(*RandomBatch(schema, &random)));
    if (group < next) continue;
    ARROW_ASSIGN_OR_RAISE(const WriterState state, writer->Checkpoint());
    PrintSizes(state);
    next *= 10;
  }
  return writer->Abort();
}

}  // namespace
}  // namespace tailrace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: state_bytes COLUMNS ROW_GROUPS\n";
    return 2;
  }
  const tailrace::Status status = tailrace::Run(std::atoi(argv[1]), std::atoi(argv[2]));
  if (status.ok()) return 0;
  std::cerr << status.ToString() << "\n";
  return 1;
}
