#include <algorithm>
#include <cstring>
#include <set>

#include <arrow/buffer.h>
#include <arrow/csv/options.h>
#include <arrow/csv/reader.h>
#include <arrow/io/memory.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>

#include "cli/csv_scanner.h"
#include "cli/input.h"
#include "cli/input_columns.h"

namespace tailrace::cli {

namespace {

// Cuts the input into blocks that end with a row, and gives each to Arrow's CSV reader on the calling thread: no
// read-ahead of its own, so what is held is one block and the rest of a row.
class CsvInput : public BatchInput {
 public:
  CsvInput(std::shared_ptr<FdStream> stream, const InputSettings& settings)
      : total_(stream->total_bytes()),
        blocks_(std::move(stream),
                {.format = "CSV",
                 .row_number = "row, number # with the header,",
                 .block_bytes = settings.csv_block_bytes,
                 .allow_cut = settings.allow_cut},
                &scanner_),
        settings_(settings),
        schema_(settings.schema) {}

  // Reads the header and, without given types, the first block.
  Status Begin() {
    ARROW_RETURN_NOT_OK(blocks_.SkipByteOrderMark());
    ARROW_RETURN_NOT_OK(blocks_.Fill(/*may_be_short=*/settings_.schema != nullptr));
    ARROW_RETURN_NOT_OK(TakeHeader());
    if (!settings_.schema) ARROW_RETURN_NOT_OK(Infer());
    return Status::OK();
  }

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (first_batch_) return std::exchange(first_batch_, nullptr);
    while (true) {
      if (blocks_.rows().empty()) {
        ARROW_RETURN_NOT_OK(blocks_.Fill(/*may_be_short=*/true));
        if (blocks_.rows().empty()) return nullptr;
      }
      ARROW_ASSIGN_OR_RAISE(auto batch, ParseRows());
      if (batch->num_rows() > 0) return batch;
    }
  }

  int64_t bytes_read() const override { return blocks_.taken(); }
  std::optional<int64_t> total_bytes() const override { return total_; }
  std::string Origin() const override { return blocks_.name(); }

 private:
  Status TakeHeader() {
    int64_t end = 0;
    while (true) {
      const size_t blank = std::min(blocks_.held().find_first_not_of("\r\n"), blocks_.held().size());
      blocks_.Drop(static_cast<int64_t>(blank));
      // Counted anew: blank lines before the header are no rows.
      CsvScanner header;
      header.Feed(blocks_.held());
      header.FeedEnd();
      end = header.first_row_end();
      if (end > 0 || blocks_.ended()) break;
      ARROW_RETURN_NOT_OK(blocks_.Fill(/*may_be_short=*/settings_.schema != nullptr));
    }
    if (blocks_.held().empty()) {
      if (settings_.header_optional) return TakeNames(settings_.schema->field_names(), 0);
      return MakeError(ErrorKind::kInvalid, blocks_.name() + ": is empty, a CSV needs a header line");
    }
    std::vector<std::string> names = SplitCsvRow(blocks_.held().substr(0, static_cast<size_t>(end)));
    if (settings_.schema) {
      const Status same = CheckSameColumns(blocks_.name(), names, settings_.schema_of, settings_.schema->field_names());
      if (!same.ok() && settings_.header_optional) return TakeNames(settings_.schema->field_names(), 0);
      ARROW_RETURN_NOT_OK(same);
    }
    return TakeNames(std::move(names), end);
  }

  Status TakeNames(std::vector<std::string> names, int64_t header_bytes) {
    std::set<std::string> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) {
        return MakeError(ErrorKind::kInvalid, blocks_.name() + ": its header names the column \"" + name + "\" twice");
      }
    }
    names_ = std::move(names);
    blocks_.Drop(header_bytes);
    return Status::OK();
  }

  // The first block with a row in it decides the types; it never is short, since they must not depend on the source's
  // pace.
  Status Infer() {
    while (true) {
      if (blocks_.rows().empty()) ARROW_RETURN_NOT_OK(blocks_.Fill(/*may_be_short=*/false));
      if (blocks_.rows().empty()) break;
      ARROW_ASSIGN_OR_RAISE(auto batch, ParseRows());
      if (batch->num_rows() == 0) continue;
      schema_ = batch->schema();
      first_batch_ = std::move(batch);
      return Status::OK();
    }
    arrow::FieldVector fields;
    for (const std::string& name : names_) fields.push_back(arrow::field(name, arrow::null()));
    schema_ = arrow::schema(std::move(fields));
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::RecordBatch>> ParseRows() {
    const int64_t size = static_cast<int64_t>(blocks_.rows().size());
    auto bytes = std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(std::string(blocks_.rows())));
    auto batch = Parse(std::move(bytes), size);
    if (!batch.ok()) return Explain(batch.status());
    rows_ += (*batch)->num_rows();
    blocks_.Drop(size);
    return batch;
  }

  Result<std::shared_ptr<arrow::RecordBatch>> Parse(std::shared_ptr<arrow::io::InputStream> bytes, int64_t size) {
    auto read = arrow::csv::ReadOptions::Defaults();
    read.use_threads = false;
    read.block_size = static_cast<int32_t>(size + 1);
    read.column_names = names_;
    auto parse = arrow::csv::ParseOptions::Defaults();
    parse.newlines_in_values = true;
    // An empty line of a single column is a row without a value, not a gap.
    parse.ignore_empty_lines = names_.size() != 1;
    auto convert = arrow::csv::ConvertOptions::Defaults();
    if (schema_) {
      for (const auto& field : schema_->fields()) convert.column_types[field->name()] = field->type();
    }
    ARROW_ASSIGN_OR_RAISE(auto reader, arrow::csv::TableReader::Make(arrow::io::default_io_context(), std::move(bytes),
                                                                     read, parse, convert));
    ARROW_ASSIGN_OR_RAISE(auto table, reader->Read());
    return table->CombineChunksToBatch();
  }

  Status Explain(const Status& status) const {
    std::string where = blocks_.name();
    if (rows_ > 0) where += ", counted after its first " + std::to_string(rows_) + " rows";
    std::string hint;
    if (status.message().find("conversion error") != std::string::npos) {
      hint = settings_.schema ? "; the types are those of " + settings_.schema_of
                              : "; types are inferred from the first " + std::to_string(settings_.csv_block_bytes) +
                                    " bytes, which --csv-block-size enlarges, unless --schema-of FILE tells them";
    }
    return InputError(status.WithMessage(status.message() + hint), where);
  }

  CsvScanner scanner_;
  const std::optional<int64_t> total_;
  RowBlocks blocks_;
  const InputSettings settings_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::string> names_;
  std::shared_ptr<arrow::RecordBatch> first_batch_;
  int64_t rows_ = 0;
};

}  // namespace

Result<std::unique_ptr<BatchInput>> OpenCsv(std::shared_ptr<FdStream> stream, const InputSettings& settings) {
  auto input = std::make_unique<CsvInput>(std::move(stream), settings);
  ARROW_RETURN_NOT_OK(input->Begin());
  return input;
}

}  // namespace tailrace::cli
