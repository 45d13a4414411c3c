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

namespace tailrace::cli {

namespace {

// Rows that came are handed on once the source was silent for this long; the first block never is, since the types
// must not depend on the source's pace.
constexpr std::chrono::milliseconds kLinger{200};
// Arrow's parser counts in 32 bits.
constexpr int64_t kMaxRowBytes = int64_t{1} << 30;
constexpr int64_t kReadBytes = int64_t{256} << 10;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Cuts the input into blocks that end with a row, and gives each to Arrow's CSV reader on the calling thread: no
// read-ahead of its own, so what is held is one block and the rest of a row.
class CsvInput : public BatchInput {
 public:
  CsvInput(std::shared_ptr<FdStream> stream, const InputSettings& settings)
      : stream_(std::move(stream)), settings_(settings), schema_(settings.schema) {}

  // Reads the header and, without given types, the first block.
  Status Begin() {
    ARROW_ASSIGN_OR_RAISE(const std::string_view first, stream_->Peek(kByteOrderMark.size()));
    char mark[kByteOrderMark.size()];
    if (first == kByteOrderMark) ARROW_RETURN_NOT_OK(stream_->Read(kByteOrderMark.size(), mark).status());
    ARROW_RETURN_NOT_OK(FillBlock(/*may_be_short=*/settings_.schema != nullptr));
    ARROW_RETURN_NOT_OK(TakeHeader());
    if (!settings_.schema) ARROW_RETURN_NOT_OK(Infer());
    return Status::OK();
  }

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (first_batch_) return std::exchange(first_batch_, nullptr);
    while (true) {
      if (RowBytes() == 0) {
        ARROW_RETURN_NOT_OK(FillBlock(/*may_be_short=*/true));
        if (RowBytes() == 0) return nullptr;
      }
      ARROW_ASSIGN_OR_RAISE(auto batch, ParseRows());
      if (batch->num_rows() > 0) return batch;
    }
  }

  int64_t bytes_read() const override { return taken_; }

 private:
  // Whole rows that wait in buffer_.
  int64_t RowBytes() const { return std::max<int64_t>(0, scanner_.last_row_end() - taken_); }

  // Reads until buffer_ holds a block with at least one whole row or the input ends. How much that is depends on the
  // bytes alone, unless `may_be_short`: then a silent source hands on the whole rows that have come.
  Status FillBlock(bool may_be_short) {
    int64_t limit = settings_.csv_block_bytes;
    while (!ended_) {
      const int64_t held = static_cast<int64_t>(buffer_.size());
      if (held >= limit) {
        if (RowBytes() > 0) break;
        limit = std::max(held + 1, 2 * limit);
      }
      if (held > kMaxRowBytes) {
        return MakeError(ErrorKind::kLimit, stream_->name() + ": CSV row " + std::to_string(scanner_.rows() + 1) +
                                                " is longer than 1 GiB, the most that can be read");
      }
      std::optional<std::chrono::milliseconds> wait;
      if (may_be_short && RowBytes() > 0) wait = kLinger;
      ARROW_ASSIGN_OR_RAISE(const bool came, ReadMore(std::min(limit - held, kReadBytes), wait));
      if (!came) break;
    }
    return Status::OK();
  }

  // False when nothing came within `wait`.
  Result<bool> ReadMore(int64_t nbytes, std::optional<std::chrono::milliseconds> wait) {
    const size_t before = buffer_.size();
    buffer_.resize(before + static_cast<size_t>(nbytes));
    const auto count = stream_->ReadSome(nbytes, buffer_.data() + before, wait);
    const int64_t came = count.ok() ? count->value_or(0) : 0;
    buffer_.resize(before + static_cast<size_t>(came));
    ARROW_RETURN_NOT_OK(count.status());
    if (!*count) return false;
    scanner_.Feed(std::string_view(buffer_).substr(before));
    if (came == 0) ARROW_RETURN_NOT_OK(TakeEnd());
    return true;
  }

  // The input ended: what follows the last line end was cut.
  Status TakeEnd() {
    ended_ = true;
    scanner_.FeedEnd();
    if (static_cast<int64_t>(buffer_.size()) == RowBytes()) return Status::OK();
    const std::string cut = stream_->name() + ": the CSV was cut short: its last row, number " +
                            std::to_string(scanner_.rows() + 1) + " with the header, ";
    if (scanner_.in_quotes()) return MakeError(ErrorKind::kInvalid, cut + "ends inside quotes");
    if (!settings_.allow_cut) {
      return MakeError(ErrorKind::kInvalid, cut + "has no line end (--allow-cut-input takes it as it is)");
    }
    buffer_ += '\n';
    scanner_.Feed("\n");
    return Status::OK();
  }

  void Drop(int64_t bytes) {
    buffer_.erase(0, static_cast<size_t>(bytes));
    taken_ += bytes;
  }

  Status TakeHeader() {
    int64_t end = 0;
    while (true) {
      while (!buffer_.empty() && (buffer_[0] == '\n' || buffer_[0] == '\r')) Drop(1);
      // Counted anew: blank lines before the header are no rows.
      CsvScanner header;
      header.Feed(buffer_);
      header.FeedEnd();
      end = header.first_row_end();
      if (end > 0 || ended_) break;
      ARROW_RETURN_NOT_OK(FillBlock(/*may_be_short=*/settings_.schema != nullptr));
    }
    if (buffer_.empty()) {
      if (settings_.header_optional) return TakeNames(settings_.schema->field_names(), 0);
      return MakeError(ErrorKind::kInvalid, stream_->name() + ": is empty, a CSV needs a header line");
    }
    std::vector<std::string> names = SplitCsvRow(std::string_view(buffer_).substr(0, static_cast<size_t>(end)));
    if (settings_.schema && names != settings_.schema->field_names()) {
      if (settings_.header_optional) return TakeNames(settings_.schema->field_names(), 0);
      return MakeError(ErrorKind::kInvalid, stream_->name() +
                                                ": its header names other columns than expected: " + Joined(names) +
                                                " instead of " + Joined(settings_.schema->field_names()));
    }
    return TakeNames(std::move(names), end);
  }

  Status TakeNames(std::vector<std::string> names, int64_t header_bytes) {
    std::set<std::string> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) {
        return MakeError(ErrorKind::kInvalid, stream_->name() + ": its header names the column \"" + name + "\" twice");
      }
    }
    names_ = std::move(names);
    Drop(header_bytes);
    return Status::OK();
  }

  static std::string Joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
  }

  // The first block with a row in it decides the types.
  Status Infer() {
    while (true) {
      if (RowBytes() == 0) ARROW_RETURN_NOT_OK(FillBlock(/*may_be_short=*/false));
      if (RowBytes() == 0) break;
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
    const int64_t size = RowBytes();
    auto bytes = std::make_shared<arrow::io::BufferReader>(
        arrow::Buffer::FromString(buffer_.substr(0, static_cast<size_t>(size))));
    auto batch = Parse(std::move(bytes), size);
    if (!batch.ok()) return Explain(batch.status());
    rows_ += (*batch)->num_rows();
    Drop(size);
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
    std::string where = stream_->name();
    if (rows_ > 0) where += ", counted after its first " + std::to_string(rows_) + " rows";
    std::string hint;
    if (status.message().find("conversion error") != std::string::npos) {
      hint = settings_.schema ? "; the types are those of the state or of the first input"
                              : "; types are inferred from the first " + std::to_string(settings_.csv_block_bytes) +
                                    " bytes, which --csv-block-size enlarges";
    }
    return InputError(status.WithMessage(status.message() + hint), where);
  }

  const std::shared_ptr<FdStream> stream_;
  const InputSettings settings_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::string> names_;
  std::string buffer_;  // begins at byte taken_
  CsvScanner scanner_;
  std::shared_ptr<arrow::RecordBatch> first_batch_;
  int64_t taken_ = 0;  // bytes of header and rows handed on; a byte order mark is not counted
  int64_t rows_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<BatchInput>> OpenCsv(std::shared_ptr<FdStream> stream, const InputSettings& settings) {
  auto input = std::make_unique<CsvInput>(std::move(stream), settings);
  ARROW_RETURN_NOT_OK(input->Begin());
  return input;
}

}  // namespace tailrace::cli
