#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/json/options.h>
#include <arrow/json/reader.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>

#include "cli/input.h"
#include "cli/json_lines.h"

namespace tailrace::cli {

namespace {

// Text stays text, whatever it looks like: whether later rows look alike nobody knows. Arrow's reader takes some for
// moments.
std::shared_ptr<arrow::DataType> WithText(const std::shared_ptr<arrow::DataType>& type) {
  if (type->id() == arrow::Type::TIMESTAMP) return arrow::utf8();
  if (type->id() == arrow::Type::LIST) return arrow::list(type->field(0)->WithType(WithText(type->field(0)->type())));
  if (type->id() != arrow::Type::STRUCT) return type;
  arrow::FieldVector fields;
  for (const auto& field : type->fields()) fields.push_back(field->WithType(WithText(field->type())));
  return arrow::struct_(std::move(fields));
}

std::shared_ptr<arrow::Schema> WithText(const arrow::Schema& schema) {
  arrow::FieldVector fields;
  for (const auto& field : schema.fields()) fields.push_back(field->WithType(WithText(field->type())));
  return arrow::schema(std::move(fields));
}

// As CsvInput: blocks that end with a row go to Arrow's reader on the calling thread.
class JsonLinesInput : public BatchInput {
 public:
  JsonLinesInput(std::shared_ptr<FdStream> stream, const InputSettings& settings)
      : total_(stream->total_bytes()),
        blocks_(std::move(stream),
                {.format = "JSON lines",
                 .row_number = "line, number # without blank ones,",
                 .block_bytes = settings.json_block_bytes,
                 .allow_cut = settings.allow_cut},
                &scanner_),
        settings_(settings),
        schema_(settings.schema) {}

  // Without given types reads the first block.
  Status Begin() {
    ARROW_RETURN_NOT_OK(blocks_.SkipByteOrderMark());
    if (schema_) return Status::OK();
    ARROW_RETURN_NOT_OK(blocks_.Fill(/*may_be_short=*/false));
    int64_t rows = 0;
    while (true) {
      ARROW_RETURN_NOT_OK(Check(&rows));
      if (rows > 0) break;
      if (blocks_.ended()) {
        return MakeError(ErrorKind::kInvalid,
                         blocks_.name() + ": has no row, so nothing tells its columns; --schema-of FILE does");
      }
      blocks_.Drop(static_cast<int64_t>(blocks_.rows().size()));
      ARROW_RETURN_NOT_OK(blocks_.Fill(/*may_be_short=*/false));
    }
    const auto inferred = Parse(nullptr);
    if (!inferred.ok()) return Explain(inferred.status());
    schema_ = WithText(*(*inferred)->schema());
    return Status::OK();
  }

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    while (true) {
      if (blocks_.rows().empty()) {
        ARROW_RETURN_NOT_OK(blocks_.Fill(/*may_be_short=*/true));
        if (blocks_.rows().empty()) return nullptr;
      }
      int64_t rows = 0;
      ARROW_RETURN_NOT_OK(Check(&rows));
      const int64_t size = static_cast<int64_t>(blocks_.rows().size());
      std::shared_ptr<arrow::RecordBatch> batch;
      if (rows > 0) {
        const auto parsed = Parse(schema_);
        if (!parsed.ok()) return Explain(parsed.status());
        batch = *parsed;
        if (batch->num_rows() != rows) {
          return MakeError(ErrorKind::kInvalid, Where() + "a line holds more than one object");
        }
      }
      rows_ += rows;
      blocks_.Drop(size);
      if (batch) return batch;
    }
  }

  int64_t bytes_read() const override { return blocks_.taken(); }
  std::optional<int64_t> total_bytes() const override { return total_; }
  std::string Origin() const override { return blocks_.name(); }

 private:
  Status Check(int64_t* rows) const {
    if (const auto fault = CheckLines(blocks_.rows(), rows)) {
      return MakeError(ErrorKind::kInvalid, blocks_.name() + ": row " + std::to_string(rows_ + fault->line) +
                                                ": the line " + fault->what +
                                                " (JSON lines have one object on each line)");
    }
    if (settings_.schema) return Status::OK();
    if (const auto unfit = FindUnfitNumber(blocks_.rows())) {
      return MakeError(ErrorKind::kInvalid, blocks_.name() + ": row " + std::to_string(rows_ + unfit->line) + ": " +
                                                unfit->what +
                                                " is no int64 and would be rounded; --schema-of FILE "
                                                "gives its column another type");
    }
    return Status::OK();
  }

  // The rows of this block. nullptr: with inferred types.
  Result<std::shared_ptr<arrow::RecordBatch>> Parse(const std::shared_ptr<arrow::Schema>& schema) const {
    auto bytes = std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(std::string(blocks_.rows())));
    auto read = arrow::json::ReadOptions::Defaults();
    read.use_threads = false;
    // One block, so that all rows have the types of all.
    read.block_size = static_cast<int32_t>(blocks_.rows().size() + 1);
    auto parse = arrow::json::ParseOptions::Defaults();
    parse.explicit_schema = schema;
    parse.unexpected_field_behavior =
        schema ? arrow::json::UnexpectedFieldBehavior::Error : arrow::json::UnexpectedFieldBehavior::InferType;
    ARROW_ASSIGN_OR_RAISE(auto reader,
                          arrow::json::TableReader::Make(arrow::default_memory_pool(), std::move(bytes), read, parse));
    ARROW_ASSIGN_OR_RAISE(auto table, reader->Read());
    return table->CombineChunksToBatch();
  }

  std::string Where() const {
    return blocks_.name() + (rows_ > 0 ? ", counted after its first " + std::to_string(rows_) + " rows: " : ": ");
  }

  Status Explain(const Status& status) const {
    std::string hint;
    if (schema_) {
      hint = settings_.schema
                 ? "; the columns and types are those of " + settings_.schema_of
                 : "; columns and types are inferred from the first " + std::to_string(settings_.json_block_bytes) +
                       " bytes, which --json-block-size enlarges, unless --schema-of FILE tells them";
    }
    return MakeError(ErrorKind::kInvalid, Where() + status.message() + hint);
  }

  JsonLineScanner scanner_;
  const std::optional<int64_t> total_;
  RowBlocks blocks_;
  const InputSettings settings_;
  std::shared_ptr<arrow::Schema> schema_;
  int64_t rows_ = 0;
};

}  // namespace

Result<std::unique_ptr<BatchInput>> OpenJsonLines(std::shared_ptr<FdStream> stream, const InputSettings& settings) {
  auto input = std::make_unique<JsonLinesInput>(std::move(stream), settings);
  ARROW_RETURN_NOT_OK(input->Begin());
  return input;
}

}  // namespace tailrace::cli
