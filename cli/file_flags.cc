#include "cli/file_flags.h"

#include "cli/size_text.h"

namespace tailrace::cli {

namespace {

Status Refuse(const std::string& message) { return MakeError(ErrorKind::kInvalid, message); }

}  // namespace

void FileFlags::AddTo(CLI::App* command) {
  const std::string group = "The file";
  command->add_option("--part-size", part_size_, "length of every uploaded part but the last (16MiB)")
      ->type_name("SIZE")
      ->group(group);
  command
      ->add_option("--expected-bytes", expected_,
                   "about how large the file will be: parts are made long enough for it, refused if they cannot be")
      ->type_name("SIZE")
      ->group(group);
  command
      ->add_flag("--growing-parts", growing_parts_,
                 "parts get longer with their number, so that a file of any size fits, as memory allows")
      ->group(group);
  parquet_.AddTo(command);
  command->add_option("--if-exists", if_exists_, "an object under the key at commit: overwrite or fail (overwrite)")
      ->type_name("overwrite|fail")
      ->group(group);
  command
      ->add_flag("--require-atomic", require_atomic_,
                 "with --if-exists fail: refuse a store that can only look before it writes")
      ->group(group);
  command
      ->add_option("--small-files", small_files_,
                   "a file of at most 8 MiB without a checkpoint: inline keeps its bytes in the pending commit, "
                   "upload makes an upload of it (inline)")
      ->type_name("inline|upload")
      ->group(group);
  command
      ->add_option("--carry-max-bytes", carry_max_,
                   "with --checkpoint-mode carry: most that the rows of an open row group add to a state (8MiB)")
      ->type_name("SIZE")
      ->group("Checkpoints and commit");
}

arrow::Result<FileOptions> FileFlags::Parse() const {
  FileOptions options;
  ARROW_ASSIGN_OR_RAISE(options.parquet, parquet_.Parse());
  if (!part_size_.empty()) {
    ARROW_ASSIGN_OR_RAISE(options.part_size_bytes, ParseSize("--part-size", part_size_));
  }
  if (!expected_.empty()) {
    ARROW_ASSIGN_OR_RAISE(options.expected_bytes, ParseSize("--expected-bytes", expected_));
  }
  options.growing_parts = growing_parts_;
  if (!carry_max_.empty()) {
    ARROW_ASSIGN_OR_RAISE(options.carry_max_bytes, ParseSize("--carry-max-bytes", carry_max_));
  }
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
