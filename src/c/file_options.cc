#include "c/write_options.h"

#include <optional>
#include <utility>
#include <vector>

#include "c/fields.h"
#include "c/structs.h"

namespace tailrace::c {
namespace {

// The defaults are the library's; only choices are spelled out, and a test reads them back.
tailrace_file_options FileDefaults() {
  const FileOptions ours;
  tailrace_file_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.codec = TAILRACE_CODEC_ZSTD;
  defaults.codec_level = ours.parquet.codec_level;
  defaults.statistics = ours.parquet.statistics;
  defaults.page_index = ours.parquet.page_index;
  defaults.row_group_bytes = ours.parquet.row_group_bytes;
  defaults.row_group_rows = ours.parquet.row_group_rows;
  defaults.adaptive = ours.parquet.adaptive;
  defaults.encodings = TAILRACE_ENCODINGS_PORTABLE;
  defaults.dictionary = ours.parquet.dictionary;
  defaults.parquet_version = TAILRACE_PARQUET_2_6;
  defaults.data_page_version = 1;
  defaults.text_not_utf8 = TAILRACE_TEXT_REFUSE;
  defaults.page_bytes = ours.parquet.page_bytes;
  defaults.part_size_bytes = ours.part_size_bytes;
  defaults.overwrite = TAILRACE_OVERWRITE;
  defaults.small_files = TAILRACE_SMALL_FILES_INLINE;
  defaults.inline_max_bytes = ours.inline_max_bytes;
  defaults.carry_max_bytes = ours.carry_max_bytes;
  defaults.checkpoint_mode = TAILRACE_CHECKPOINT_FLUSH;
  defaults.expected_bytes = ours.expected_bytes;
  defaults.growing_parts = ours.growing_parts;
  return defaults;
}

tailrace_column_options ColumnDefaults() {
  const BloomFilterOptions ours;
  tailrace_column_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.dictionary = TAILRACE_DICTIONARY_AS_FILE;
  defaults.bloom_distinct_values = ours.distinct_values;
  defaults.bloom_false_positives = ours.false_positives;
  return defaults;
}

tailrace_sorting_column SortingDefaults() {
  tailrace_sorting_column defaults{};
  defaults.struct_size = sizeof defaults;
  return defaults;
}

Result<ColumnOptions> ReadColumn(const tailrace_column_options& given) {
  tailrace_column_options read = ColumnDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(&given, "tailrace_column_options", &read));
  if (read.path == nullptr) return MakeError(ErrorKind::kInvalid, "columns: a column has no path");
  ColumnOptions column;
  column.path = read.path;
  ARROW_RETURN_NOT_OK(ReadChoice<std::optional<bool>>(
      "columns.dictionary", read.dictionary,
      {{TAILRACE_DICTIONARY_AS_FILE, std::nullopt}, {TAILRACE_DICTIONARY_ON, true}, {TAILRACE_DICTIONARY_OFF, false}},
      &column.dictionary));
  bool filtered = false;
  ARROW_RETURN_NOT_OK(ReadFlag("columns.bloom_filter", read.bloom_filter, &filtered));
  if (filtered) {
    column.bloom_filter = BloomFilterOptions{.distinct_values = read.bloom_distinct_values,
                                             .false_positives = read.bloom_false_positives};
  }
  return column;
}

Result<SortingColumn> ReadSorting(const tailrace_sorting_column& given) {
  tailrace_sorting_column read = SortingDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(&given, "tailrace_sorting_column", &read));
  if (read.path == nullptr) return MakeError(ErrorKind::kInvalid, "sorting_columns: a column has no path");
  SortingColumn column;
  column.path = read.path;
  ARROW_RETURN_NOT_OK(ReadFlag("sorting_columns.descending", read.descending, &column.descending));
  ARROW_RETURN_NOT_OK(ReadFlag("sorting_columns.nulls_first", read.nulls_first, &column.nulls_first));
  return column;
}

// Reads each struct of a list that ends with NULL.
template <typename Given, typename Read, typename Value>
Status ReadList(const Given* const* given, const Read& read, std::vector<Value>* out) {
  if (given == nullptr) return Status::OK();
  for (; *given != nullptr; ++given) {
    ARROW_ASSIGN_OR_RAISE(Value value, read(**given));
    out->push_back(std::move(value));
  }
  return Status::OK();
}

Status ReadParquet(const tailrace_file_options& read, ParquetOptions* out) {
  ARROW_RETURN_NOT_OK(ReadChoice("codec", read.codec,
                                 {{TAILRACE_CODEC_NONE, Codec::kNone},
                                  {TAILRACE_CODEC_SNAPPY, Codec::kSnappy},
                                  {TAILRACE_CODEC_GZIP, Codec::kGzip},
                                  {TAILRACE_CODEC_BROTLI, Codec::kBrotli},
                                  {TAILRACE_CODEC_ZSTD, Codec::kZstd},
                                  {TAILRACE_CODEC_LZ4, Codec::kLz4}},
                                 &out->codec));
  out->codec_level = read.codec_level;
  ARROW_RETURN_NOT_OK(ReadFlag("statistics", read.statistics, &out->statistics));
  ARROW_RETURN_NOT_OK(ReadFlag("page_index", read.page_index, &out->page_index));
  out->row_group_bytes = read.row_group_bytes;
  out->row_group_rows = read.row_group_rows;
  ARROW_RETURN_NOT_OK(ReadFlag("adaptive", read.adaptive, &out->adaptive));
  ARROW_RETURN_NOT_OK(ReadChoice("encodings", read.encodings,
                                 {{TAILRACE_ENCODINGS_PORTABLE, Encodings::kPortable},
                                  {TAILRACE_ENCODINGS_SPARK, Encodings::kSpark},
                                  {TAILRACE_ENCODINGS_ALL, Encodings::kAll}},
                                 &out->encodings));
  ARROW_RETURN_NOT_OK(ReadFlag("dictionary", read.dictionary, &out->dictionary));
  ARROW_RETURN_NOT_OK(ReadChoice("parquet_version", read.parquet_version,
                                 {{TAILRACE_PARQUET_2_6, ParquetVersion::k2_6},
                                  {TAILRACE_PARQUET_2_4, ParquetVersion::k2_4},
                                  {TAILRACE_PARQUET_1_0, ParquetVersion::k1_0}},
                                 &out->version));
  ARROW_RETURN_NOT_OK(ReadChoice("data_page_version", read.data_page_version,
                                 {{1, DataPageVersion::kV1}, {2, DataPageVersion::kV2}}, &out->data_page_version));
  ARROW_RETURN_NOT_OK(
      ReadChoice("text_not_utf8", read.text_not_utf8,
                 {{TAILRACE_TEXT_REFUSE, TextNotUtf8::kRefuse}, {TAILRACE_TEXT_BINARY, TextNotUtf8::kBinary}},
                 &out->text_not_utf8));
  out->page_bytes = read.page_bytes;
  ARROW_RETURN_NOT_OK(ReadList(read.columns, ReadColumn, &out->columns));
  ARROW_RETURN_NOT_OK(ReadList(read.sorting_columns, ReadSorting, &out->sorting_columns));
  return ReadPairs("key_value_metadata", read.key_value_metadata, &out->key_value_metadata);
}

}  // namespace

Result<CheckpointMode> ReadCheckpointMode(int64_t given) {
  CheckpointMode mode = CheckpointMode::kFlush;
  ARROW_RETURN_NOT_OK(ReadChoice(
      "checkpoint_mode", given,
      {{TAILRACE_CHECKPOINT_FLUSH, CheckpointMode::kFlush}, {TAILRACE_CHECKPOINT_CARRY, CheckpointMode::kCarry}},
      &mode));
  return mode;
}

Result<FileOptions> ReadFileOptions(const tailrace_file_options* given) {
  tailrace_file_options read = FileDefaults();
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_file_options", &read));
  FileOptions options;
  ARROW_RETURN_NOT_OK(ReadParquet(read, &options.parquet));
  options.part_size_bytes = read.part_size_bytes;
  ARROW_RETURN_NOT_OK(ReadChoice("overwrite", read.overwrite,
                                 {{TAILRACE_OVERWRITE, OverwritePolicy::kOverwrite},
                                  {TAILRACE_FAIL_IF_EXISTS, OverwritePolicy::kFailIfExists},
                                  {TAILRACE_FAIL_IF_EXISTS_ATOMICALLY, OverwritePolicy::kFailIfExistsAtomically}},
                                 &options.overwrite));
  ARROW_RETURN_NOT_OK(ReadChoice(
      "small_files", read.small_files,
      {{TAILRACE_SMALL_FILES_INLINE, SmallFiles::kInline}, {TAILRACE_SMALL_FILES_UPLOAD, SmallFiles::kUpload}},
      &options.small_files));
  options.inline_max_bytes = read.inline_max_bytes;
  options.carry_max_bytes = read.carry_max_bytes;
  ARROW_ASSIGN_OR_RAISE(options.checkpoint_mode, ReadCheckpointMode(read.checkpoint_mode));
  options.expected_bytes = read.expected_bytes;
  ARROW_RETURN_NOT_OK(ReadFlag("growing_parts", read.growing_parts, &options.growing_parts));
  return options;
}

}  // namespace tailrace::c

extern "C" {

void tailrace_file_options_init(tailrace_file_options* options, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::FileDefaults(), options, struct_size);
}

void tailrace_column_options_init(tailrace_column_options* options, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::ColumnDefaults(), options, struct_size);
}

void tailrace_sorting_column_init(tailrace_sorting_column* column, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::SortingDefaults(), column, struct_size);
}

}  // extern "C"
