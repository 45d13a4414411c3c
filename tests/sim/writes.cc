#include "tests/sim/writes.h"

#include <algorithm>
#include <numeric>

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <parquet/arrow/reader.h>

namespace tailrace::sim {

namespace {

// A fixed mix of the row number: the same in every process and on every machine.
uint64_t Mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::string TextOf(uint64_t row) {
  std::string text(Mixed(row) % 41, ' ');
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('0' + Mixed(row * 64 + i) % 75);
  return text;
}

std::shared_ptr<arrow::DataType> PairType() {
  return arrow::struct_({arrow::field("k", arrow::int16()), arrow::field("v", arrow::utf8())});
}

Status AppendRow(int64_t row, arrow::RecordBatchBuilder* builder) {
  const uint64_t mixed = Mixed(static_cast<uint64_t>(row));
  ARROW_RETURN_NOT_OK(builder->GetFieldAs<arrow::Int64Builder>(0)->Append(row));
  ARROW_RETURN_NOT_OK(builder->GetFieldAs<arrow::DoubleBuilder>(1)->Append(static_cast<double>(mixed) * 1e-19));
  auto* text = builder->GetFieldAs<arrow::StringBuilder>(2);
  ARROW_RETURN_NOT_OK(mixed % 7 == 0 ? text->AppendNull() : text->Append(TextOf(mixed)));
  auto* list = builder->GetFieldAs<arrow::ListBuilder>(3);
  if (mixed % 5 == 0) return list->AppendNull();
  ARROW_RETURN_NOT_OK(list->Append());
  auto* pair = static_cast<arrow::StructBuilder*>(list->value_builder());
  for (uint64_t i = 0; i < mixed % 4; ++i) {
    ARROW_RETURN_NOT_OK(pair->Append());
    ARROW_RETURN_NOT_OK(static_cast<arrow::Int16Builder*>(pair->field_builder(0))->Append(static_cast<int16_t>(i)));
    auto* value = static_cast<arrow::StringBuilder*>(pair->field_builder(1));
    ARROW_RETURN_NOT_OK(i == 1 ? value->AppendNull() : value->Append(TextOf(mixed + i)));
  }
  return Status::OK();
}

}  // namespace

std::shared_ptr<arrow::Schema> RowSchema() {
  return arrow::schema({arrow::field("counter", arrow::int64(), /*nullable=*/false),
                        arrow::field("x", arrow::float64()), arrow::field("text", arrow::utf8()),
                        arrow::field("pairs", arrow::list(PairType()))});
}

std::shared_ptr<arrow::RecordBatch> Rows(int64_t begin, int64_t end) {
  auto builder = arrow::RecordBatchBuilder::Make(RowSchema(), arrow::default_memory_pool()).ValueOrDie();
  for (int64_t row = begin; row < end; ++row) MustBeOk(AppendRow(row, builder.get()));
  return builder->Flush().ValueOrDie();
}

FileOptions SmallFile() {
  FileOptions options;
  options.part_size_bytes = 16 << 10;
  options.inline_max_bytes = 4 << 10;
  options.parquet.row_group_bytes = 96 << 10;
  return options;
}

RuntimeOptions Inline() {
  RuntimeOptions runtime;
  runtime.executor = MakeInlineExecutor();
  runtime.memory_budget_bytes = 1 << 20;
  return runtime;
}

Result<std::vector<int64_t>> CountersOf(const std::string& bytes) {
  auto file = std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(bytes));
  ARROW_ASSIGN_OR_RAISE(auto reader, parquet::arrow::OpenFile(file, arrow::default_memory_pool()));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Table> table, reader->ReadTable());
  ARROW_RETURN_NOT_OK(table->ValidateFull());
  std::vector<int64_t> counters;
  for (const auto& chunk : table->GetColumnByName("counter")->chunks()) {
    const auto& values = static_cast<const arrow::Int64Array&>(*chunk);
    for (int64_t i = 0; i < values.length(); ++i) counters.push_back(values.Value(i));
  }
  // Every other column must be the function of the counter that was written.
  const int64_t rows = static_cast<int64_t>(counters.size());
  if (counters == Counted(rows)) {
    ARROW_ASSIGN_OR_RAISE(auto expected, arrow::Table::FromRecordBatches({Rows(0, rows)}));
    if (!table->Equals(*expected))
      return MakeError(ErrorKind::kInternal, "the object's columns differ from the rows written");
  }
  return counters;
}

std::vector<int64_t> Counted(int64_t n) {
  std::vector<int64_t> counters(static_cast<size_t>(n));
  std::iota(counters.begin(), counters.end(), 0);
  return counters;
}

Status WriteUpTo(ParquetStreamWriter* writer, int64_t end, int64_t batch_rows) {
  while (writer->rows() < end) {
    const int64_t begin = writer->rows();
    ARROW_RETURN_NOT_OK(writer->Write(*Rows(begin, std::min(end, begin + batch_rows))));
  }
  return Status::OK();
}

Result<std::string> UninterruptedBytes(const std::vector<int64_t>& checkpoints, int64_t rows, FileOptions options,
                                       const RuntimeOptions& runtime) {
  auto store = MemoryStore::Make();
  ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Open(store, "whole", RowSchema(), options, runtime));
  for (int64_t row : checkpoints) {
    ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), row, rows));
    ARROW_RETURN_NOT_OK(writer->Checkpoint(CheckpointMode::kFlush));
  }
  ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), rows, rows));
  ARROW_ASSIGN_OR_RAISE(PendingCommit pending, writer->Close());
  ARROW_RETURN_NOT_OK(Commit(pending, {.store = store}));
  return store->Content("whole").value();
}

}  // namespace tailrace::sim
