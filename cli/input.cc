#include "cli/input.h"
#include "cli/state_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include <arrow/record_batch.h>
#include <arrow/type.h>

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
  return LooksLikeText(first) ? InputFormat::kCsv : InputFormat::kAuto;
}

Status RefusePipe(const std::string& name, const char* what, const char* instead) {
  return MakeError(ErrorKind::kInvalid, name + ": " + what +
                                            " cannot be read from a pipe, because its index is at its "
                                            "end; " +
                                            instead);
}

std::string Names(const arrow::Schema& schema) {
  std::string names;
  for (const std::string& name : schema.field_names()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

class InputChain : public BatchInput {
 public:
  InputChain(std::vector<std::string> paths, InputSettings settings, InputWatch* watch,
             std::unique_ptr<BatchInput> first)
      : paths_(std::move(paths)),
        settings_(std::move(settings)),
        watch_(watch),
        schema_(first->schema()),
        current_(std::move(first)) {
    // Later CSV inputs are read with the types of the first.
    settings_.schema = schema_;
    settings_.header_optional = false;
  }

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, current_->Next());
      if (batch || index_ + 1 == paths_.size()) return batch;
      ARROW_RETURN_NOT_OK(OpenNext());
    }
  }

  Result<int64_t> SkipCheaply(int64_t rows) override { return current_->SkipCheaply(rows); }
  int64_t bytes_read() const override { return bytes_before_ + current_->bytes_read(); }

 private:
  Status OpenNext() {
    bytes_before_ += current_->bytes_read();
    ++index_;
    ARROW_ASSIGN_OR_RAISE(current_, OpenInput(paths_[index_], settings_, watch_));
    // Whether types fit is for the writer to say, which takes more than equal ones and names the column that does not.
    if (current_->schema()->field_names() == schema_->field_names()) return Status::OK();
    return MakeError(ErrorKind::kInvalid, paths_[index_] + ": its columns are " + Names(*current_->schema()) +
                                              ", those of " + paths_[0] + " are " + Names(*schema_));
  }

  const std::vector<std::string> paths_;
  InputSettings settings_;
  InputWatch* const watch_;
  const std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<BatchInput> current_;
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
  return MakeError(ErrorKind::kInvalid, "--input-format " + text + ": must be auto, ipc, parquet or csv");
}

Result<std::unique_ptr<BatchInput>> OpenInput(const std::string& path, const InputSettings& settings,
                                              InputWatch* watch) {
  ARROW_ASSIGN_OR_RAISE(auto fd, InputFd::Open(path));
  auto stream = std::make_shared<FdStream>(fd, watch);
  InputFormat format = settings.format;
  ARROW_ASSIGN_OR_RAISE(std::string_view first, stream->Peek(static_cast<int64_t>(kIpcFileMagic.size())));
  const bool is_ipc_file = first.starts_with(kIpcFileMagic);
  if (format == InputFormat::kAuto) format = Detect(first, path);
  if (format == InputFormat::kCsv && settings.format == InputFormat::kAuto &&
      FormatOfSuffix(path) == InputFormat::kAuto) {
    // Only the look of the bytes says CSV: look at some more.
    ARROW_ASSIGN_OR_RAISE(first, stream->Peek(kPeekBytes));
    if (!LooksLikeText(first)) format = InputFormat::kAuto;
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
    case InputFormat::kAuto:
      break;
  }
  const char* empty = first.empty() ? ": it is empty, and" : ":";
  return MakeError(ErrorKind::kInvalid, fd->name() + empty +
                                            " its format cannot be told; name it with --input-format "
                                            "ipc, parquet or csv");
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
  return std::make_unique<InputChain>(paths, settings, watch, std::move(first));
}

}  // namespace tailrace::cli
