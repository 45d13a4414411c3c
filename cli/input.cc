#include "cli/input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "cli/input_columns.h"
#include "cli/state_file.h"

namespace tailrace::cli {

namespace {

constexpr std::string_view kIpcFileMagic = "ARROW1";
constexpr std::string_view kParquetMagic = "PAR1";
constexpr std::string_view kIpcStreamMagic = "\xff\xff\xff\xff";
// Enough to tell text from other bytes.
constexpr int64_t kPeekBytes = 64;

InputFormat FormatOfSuffix(const std::string& path) {
  const size_t dot = path.find_last_of("./");
  std::string suffix = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot + 1);
  for (char& c : suffix) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (suffix == "arrow" || suffix == "arrows" || suffix == "ipc" || suffix == "feather") return InputFormat::kIpc;
  if (suffix == "parquet" || suffix == "pq") return InputFormat::kParquet;
  if (suffix == "csv") return InputFormat::kCsv;
  if (suffix == "jsonl" || suffix == "ndjson" || suffix == "json") return InputFormat::kJsonLines;
  return InputFormat::kAuto;
}

bool LooksLikeText(std::string_view bytes) {
  return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](unsigned char c) {
    return c >= 0x20 ? c != 0x7f : c == '\t' || c == '\n' || c == '\r';
  });
}

// kAuto where neither the first bytes nor the name tell.
InputFormat Detect(std::string_view first, const std::string& path) {
  if (first.starts_with(kIpcFileMagic) || first.starts_with(kIpcStreamMagic)) return InputFormat::kIpc;
  if (first.starts_with(kParquetMagic)) return InputFormat::kParquet;
  const InputFormat by_suffix = FormatOfSuffix(path);
  if (by_suffix != InputFormat::kAuto) return by_suffix;
  if (!LooksLikeText(first)) return InputFormat::kAuto;
  const size_t begin = first.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && first[begin] == '{' ? InputFormat::kJsonLines : InputFormat::kCsv;
}

Status RefusePipe(const std::string& name, const char* what, const char* instead) {
  return MakeError(ErrorKind::kInvalid, name + ": " + what +
                                            " cannot be read from a pipe, because its index is at its "
                                            "end; " +
                                            instead);
}

class InputChain : public BatchInput {
 public:
  InputChain(std::vector<std::string> paths, InputSettings settings, InputWatch* watch,
             std::unique_ptr<BatchInput> first)
      : paths_(std::move(paths)),
        settings_(std::move(settings)),
        given_types_(settings_.schema != nullptr),
        watch_(watch),
        schema_(settings_.schema ? settings_.schema : first->schema()),
        current_(std::move(first)) {
    // Later ones without types of their own are read with those of the first.
    if (!settings_.schema) settings_.schema_of = paths_[0];
    settings_.schema = schema_;
    settings_.header_optional = false;
  }

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (peeked_) return std::exchange(peeked_, nullptr);
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, current_->Next());
      if (batch || index_ + 1 == paths_.size()) return batch;
      ARROW_RETURN_NOT_OK(OpenNext());
    }
  }

  // Also over inputs that can be passed over as a whole.
  Result<int64_t> SkipCheaply(int64_t rows) override {
    int64_t skipped = 0;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const int64_t here, current_->SkipCheaply(rows - skipped));
      skipped += here;
      if (here == 0 || skipped == rows || index_ + 1 == paths_.size()) return skipped;
      ARROW_ASSIGN_OR_RAISE(peeked_, current_->Next());
      if (peeked_) return skipped;
      ARROW_RETURN_NOT_OK(OpenNext());
    }
  }

  int64_t bytes_read() const override { return bytes_before_ + current_->bytes_read(); }

  std::optional<int64_t> total_bytes() const override {
    int64_t total = 0;
    for (const std::string& path : paths_) {
      struct stat info{};
      const bool known = path == "-" ? fstat(STDIN_FILENO, &info) == 0 : stat(path.c_str(), &info) == 0;
      if (!known || !S_ISREG(info.st_mode)) return std::nullopt;
      total += info.st_size;
    }
    return total;
  }

  std::string Origin() const override {
    const bool of_first = index_ == 0 && !given_types_;
    return current_->Origin() + (of_first ? "" : ", read as the columns of " + settings_.schema_of);
  }

 private:
  Status OpenNext() {
    bytes_before_ += current_->bytes_read();
    ++index_;
    ARROW_ASSIGN_OR_RAISE(current_, OpenInput(paths_[index_], settings_, watch_));
    return CheckSameColumns(paths_[index_], current_->schema()->field_names(), settings_.schema_of,
                            schema_->field_names());
  }

  const std::vector<std::string> paths_;
  InputSettings settings_;
  const bool given_types_;
  InputWatch* const watch_;
  const std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<BatchInput> current_;
  std::shared_ptr<arrow::RecordBatch> peeked_;
  size_t index_ = 0;
  int64_t bytes_before_ = 0;
};

}  // namespace

Result<int64_t> BatchInput::SkipCheaply(int64_t) { return 0; }

Status InputError(const Status& status, const std::string& name) {
  if (status.ok() || DetailOf(status) != nullptr) return status;
  return MakeError(ErrorKind::kInvalid, name + ": " + status.message());
}

Result<InputFormat> ParseInputFormat(const std::string& text) {
  if (text == "auto") return InputFormat::kAuto;
  if (text == "ipc") return InputFormat::kIpc;
  if (text == "parquet") return InputFormat::kParquet;
  if (text == "csv") return InputFormat::kCsv;
  if (text == "jsonl") return InputFormat::kJsonLines;
  return MakeError(ErrorKind::kInvalid, "--input-format " + text + ": must be auto, ipc, parquet, csv or jsonl");
}

Result<std::unique_ptr<BatchInput>> OpenInput(const std::string& path, const InputSettings& settings,
                                              InputWatch* watch) {
  ARROW_ASSIGN_OR_RAISE(auto fd, InputFd::Open(path));
  auto stream = std::make_shared<FdStream>(fd, watch);
  InputFormat format = settings.format;
  ARROW_ASSIGN_OR_RAISE(std::string_view first, stream->Peek(static_cast<int64_t>(kIpcFileMagic.size())));
  const bool is_ipc_file = first.starts_with(kIpcFileMagic);
  if (format == InputFormat::kAuto) format = Detect(first, path);
  const bool is_text = format == InputFormat::kCsv || format == InputFormat::kJsonLines;
  if (is_text && settings.format == InputFormat::kAuto && FormatOfSuffix(path) == InputFormat::kAuto) {
    // Only the look of the bytes says so: look at some more.
    ARROW_ASSIGN_OR_RAISE(first, stream->Peek(kPeekBytes));
    format = Detect(first, path);
  }
  switch (format) {
    case InputFormat::kIpc:
      if (!is_ipc_file) return OpenIpcStream(std::move(stream), settings);
      if (!fd->seekable())
        return RefusePipe(fd->name(), "an Arrow IPC file", "send an Arrow IPC stream, or name the file");
      return OpenIpcFile(std::move(fd), watch);
    case InputFormat::kParquet:
      if (!fd->seekable()) return RefusePipe(fd->name(), "a Parquet file", "name the file");
      return OpenParquet(std::move(fd), watch);
    case InputFormat::kCsv:
      return OpenCsv(std::move(stream), settings);
    case InputFormat::kJsonLines:
      return OpenJsonLines(std::move(stream), settings);
    case InputFormat::kAuto:
      break;
  }
  const char* empty = first.empty() ? ": it is empty, and" : ":";
  return MakeError(ErrorKind::kInvalid, fd->name() + empty +
                                            " its format cannot be told; name it with --input-format "
                                            "ipc, parquet, csv or jsonl");
}

Result<std::unique_ptr<BatchInput>> OpenInputs(const std::vector<std::string>& paths, const InputSettings& settings,
                                               InputWatch* watch) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    return MakeError(ErrorKind::kInvalid, "-: standard input can be read only once");
  }
  for (const std::string& path : paths) {
    ARROW_RETURN_NOT_OK(CheckIsPath(path));
    struct stat info{};
    if (path != "-" && stat(path.c_str(), &info) != 0) {
      const ErrorKind kind = errno == EACCES ? ErrorKind::kDenied : ErrorKind::kNotFound;
      return MakeError(kind, path + ": cannot open this input: " + std::strerror(errno));
    }
  }
  ARROW_ASSIGN_OR_RAISE(auto first, OpenInput(paths[0], settings, watch));
  if (settings.schema) {
    ARROW_RETURN_NOT_OK(
        CheckSameColumns(paths[0], first->schema()->field_names(), settings.schema_of, settings.schema->field_names()));
  }
  return std::make_unique<InputChain>(paths, settings, watch, std::move(first));
}

}  // namespace tailrace::cli
