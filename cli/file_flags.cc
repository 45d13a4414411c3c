#include "cli/file_flags.h"

#include <limits>
#include <optional>
#include <string_view>

#include "cli/key_value_text.h"
#include "cli/size_text.h"

namespace tailrace::cli {

namespace {

struct CodecRow {
  std::string_view name;
  Codec codec;
  // Equal where the codec has no levels.
  int64_t min_level, max_level, default_level;
};
constexpr CodecRow kCodecs[] = {
    {"zstd", Codec::kZstd, 1, 22, 1},     {"snappy", Codec::kSnappy, 0, 0, 0}, {"gzip", Codec::kGzip, 1, 9, 6},
    {"brotli", Codec::kBrotli, 0, 11, 5}, {"lz4", Codec::kLz4, 1, 12, 1},      {"none", Codec::kNone, 0, 0, 0},
};

Status Refuse(const std::string& message) { return MakeError(ErrorKind::kInvalid, message); }

}  // namespace

void FileFlags::AddTo(CLI::App* command) {
  const std::string group = "The file";
  command->add_option("--part-size", part_size_, "length of every uploaded part but the last (16MiB)")
      ->type_name("SIZE")
      ->group(group);
  command->add_option("--row-group-bytes", row_group_bytes_, "end a row group at this many bytes in memory (128MiB)")
      ->type_name("SIZE")
      ->group(group);
  command->add_option("--row-group-rows", row_group_rows_, "... or after this many rows (no limit)")
      ->type_name("N")
      ->group(group);
  command->add_option("--codec", codec_, "zstd, snappy, gzip, brotli, lz4 or none (zstd)")
      ->type_name("NAME")
      ->group(group);
  command
      ->add_option("--level", level_, "level of the codec: zstd 1-22 (1), gzip 1-9 (6), brotli 0-11 (5), lz4 1-12 (1)")
      ->type_name("N")
      ->group(group);
  command->add_flag("--no-statistics", no_statistics_, "write no min, max and null counts, and no page index")
      ->group(group);
  command->add_flag("--no-page-index", no_page_index_, "write no column and offset indexes")->group(group);
  command->add_option("--metadata", metadata_, "key-value metadata of the file; may be given often")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group(group);
  command->add_option("--if-exists", if_exists_, "an object under the key at commit: overwrite or fail (overwrite)")
      ->type_name("POLICY")
      ->group(group);
  command
      ->add_flag("--require-atomic", require_atomic_,
                 "with --if-exists fail: refuse a store that can only look before it writes")
      ->group(group);
  command
      ->add_option("--small-files", small_files_,
                   "a file of at most 8 MiB without a checkpoint: inline keeps its bytes in the pending commit, "
                   "upload makes an upload of it (inline)")
      ->type_name("HOW")
      ->group(group);
}

Status FileFlags::ParseCodec(ParquetOptions* parquet) const {
  for (const CodecRow& row : kCodecs) {
    if (row.name != codec_) continue;
    parquet->codec = row.codec;
    parquet->codec_level = static_cast<int>(row.default_level);
    if (level_.empty()) return Status::OK();
    if (row.min_level == row.max_level) return Refuse("--level " + level_ + ": the codec " + codec_ + " has no levels");
    ARROW_ASSIGN_OR_RAISE(const int64_t level, ParseCount("--level", level_, row.min_level, row.max_level));
    parquet->codec_level = static_cast<int>(level);
    return Status::OK();
  }
  return Refuse("--codec " + codec_ + ": must be zstd, snappy, gzip, brotli, lz4 or none");
}

Status FileFlags::ParseMetadata(ParquetOptions* parquet) const {
  return ParseKeyValues("--metadata", metadata_).Value(&parquet->key_value_metadata);
}

arrow::Result<FileOptions> FileFlags::Parse() const {
  FileOptions options;
  ARROW_RETURN_NOT_OK(ParseCodec(&options.parquet));
  ARROW_RETURN_NOT_OK(ParseMetadata(&options.parquet));
  if (!part_size_.empty()) {
    ARROW_ASSIGN_OR_RAISE(options.part_size_bytes, ParseSize("--part-size", part_size_));
  }
  if (!row_group_bytes_.empty()) {
    ARROW_ASSIGN_OR_RAISE(options.parquet.row_group_bytes, ParseSize("--row-group-bytes", row_group_bytes_));
  }
  if (!row_group_rows_.empty()) {
    ARROW_ASSIGN_OR_RAISE(options.parquet.row_group_rows,
                          ParseCount("--row-group-rows", row_group_rows_, 1, std::numeric_limits<int64_t>::max()));
  }
  options.parquet.statistics = !no_statistics_;
  options.parquet.page_index = !no_page_index_ && !no_statistics_;
  if (if_exists_ == "fail") {
    options.overwrite = require_atomic_ ? OverwritePolicy::kFailIfExistsAtomically : OverwritePolicy::kFailIfExists;
  } else if (require_atomic_) {
    return Refuse("--require-atomic: needs --if-exists fail");
  } else if (if_exists_ != "overwrite") {
    return Refuse("--if-exists " + if_exists_ + ": must be overwrite or fail");
  }
  if (small_files_ == "upload") {
    options.small_files = SmallFiles::kUpload;
  } else if (small_files_ != "inline") {
    return Refuse("--small-files " + small_files_ + ": must be inline or upload");
  }
  return options;
}

}  // namespace tailrace::cli
