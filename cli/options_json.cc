#include "cli/options_json.h"

#include "tailrace/option_names.h"

namespace tailrace::cli {

namespace {

using nlohmann::ordered_json;

ordered_json Columns(const std::vector<ColumnOptions>& columns) {
  ordered_json list = ordered_json::array();
  for (const ColumnOptions& column : columns) {
    ordered_json filter;
    if (column.bloom_filter) {
      filter = {{"distinct_values", column.bloom_filter->distinct_values},
                {"false_positives", column.bloom_filter->false_positives}};
    }
    list.push_back({{"path", column.path},
                    {"dictionary", column.dictionary ? ordered_json(*column.dictionary) : ordered_json()},
                    {"bloom_filter", filter}});
  }
  return list;
}

ordered_json Sorting(const std::vector<SortingColumn>& columns) {
  ordered_json list = ordered_json::array();
  for (const SortingColumn& column : columns) {
    list.push_back({{"path", column.path}, {"descending", column.descending}, {"nulls_first", column.nulls_first}});
  }
  return list;
}

}  // namespace

ordered_json PairsJson(const std::vector<std::pair<std::string, std::string>>& pairs) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : pairs) object[name] = value;
  return object;
}

ordered_json OptionsJson(const FileOptions& options) {
  const ParquetOptions& parquet = options.parquet;
  return {{"part_size_bytes", options.part_size_bytes},
          {"expected_bytes", options.expected_bytes},
          {"growing_parts", options.growing_parts},
          {"row_group_bytes", parquet.row_group_bytes},
          {"row_group_rows", parquet.row_group_rows},
          {"codec", CodecName(parquet.codec)},
          {"codec_level", parquet.codec_level},
          {"statistics", parquet.statistics},
          {"page_index", parquet.page_index},
          {"adaptive", parquet.adaptive},
          {"encodings", EncodingsName(parquet.encodings)},
          {"dictionary", parquet.dictionary},
          {"page_bytes", parquet.page_bytes},
          {"parquet_version", ParquetVersionName(parquet.version)},
          {"data_page_version", DataPageVersionName(parquet.data_page_version)},
          {"text_not_utf8", TextNotUtf8Name(parquet.text_not_utf8)},
          {"columns", Columns(parquet.columns)},
          {"sorting_columns", Sorting(parquet.sorting_columns)},
          {"if_exists", OverwriteName(options.overwrite)},
          {"small_files", SmallFilesName(options.small_files)},
          {"inline_max_bytes", options.inline_max_bytes},
          {"checkpoint_mode", CheckpointModeName(options.checkpoint_mode)},
          {"carry_max_bytes", options.carry_max_bytes},
          {"metadata", PairsJson(parquet.key_value_metadata)}};
}

}  // namespace tailrace::cli
