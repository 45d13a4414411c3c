#include "tailrace/describe.h"

#include <cstdio>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tailrace/inspect.h"
#include "tailrace/option_names.h"

namespace tailrace {
namespace {

using nlohmann::ordered_json;

std::string Hex(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

ordered_json Parts(const std::vector<PartReceipt>& receipts) {
  ordered_json list = ordered_json::array();
  for (const PartReceipt& part : receipts) {
    list.push_back({{"number", part.number},
                    {"offset_bytes", part.offset_bytes},
                    {"size_bytes", part.size_bytes},
                    {"etag", part.etag},
                    {"crc64", Hex(part.crc64)}});
  }
  return list;
}

ordered_json Lengths(const PartLengths& lengths) {
  ordered_json json = {{"part_size_bytes", lengths.part_size_bytes}};
  if (!lengths.grows()) return json;
  json["step_parts"] = lengths.step_parts;
  json["growth_bytes"] = lengths.growth_bytes;
  json["largest_bytes"] = lengths.largest_bytes;
  return json;
}

ordered_json Options(const FileOptions& options) {
  const ParquetOptions& parquet = options.parquet;
  ordered_json metadata = ordered_json::object();
  for (const auto& [key, value] : parquet.key_value_metadata) metadata[key] = value;
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
          {"data_page_version", parquet.data_page_version == DataPageVersion::kV1 ? 1 : 2},
          {"text_not_utf8", TextNotUtf8Name(parquet.text_not_utf8)},
          {"if_exists", OverwriteName(options.overwrite)},
          {"small_files", SmallFilesName(options.small_files)},
          {"inline_max_bytes", options.inline_max_bytes},
          {"checkpoint_mode", CheckpointModeName(options.checkpoint_mode)},
          {"carry_max_bytes", options.carry_max_bytes},
          {"metadata", metadata}};
}

std::string ToText(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

Result<std::string> DescribeAsJson(const WriterState& state) {
  ARROW_ASSIGN_OR_RAISE(const std::string schema, DescribeSchema(state.content));
  ordered_json row_groups = ordered_json::array();
  for (const RowGroupEntry& group : state.content.row_groups) {
    row_groups.push_back({{"rows", group.rows}, {"size_bytes", group.size_bytes}});
  }
  return ToText({{"kind", "state"},
                 {"url", state.target.ToUrl()},
                 {"write_id", state.write_id.text},
                 {"epoch", state.epoch},
                 {"library_version", state.library_version},
                 {"encoder_version", state.encoder_version},
                 {"rows", state.rows()},
                 {"upload_id", state.progress.upload_id.text},
                 {"stored_bytes", state.progress.stored_bytes()},
                 {"unsent_bytes", state.progress.unsent.size()},
                 {"part_lengths", Lengths(state.progress.part_lengths)},
                 {"parts", Parts(state.progress.receipts)},
                 {"carried_rows", state.carried.rows()},
                 {"carried_bytes", state.carried.size_bytes()},
                 {"row_groups", row_groups},
                 {"digest", Hex(state.content.digest)},
                 {"options", Options(state.options)},
                 {"schema", schema}});
}

Result<std::string> DescribeAsJson(const PendingCommit& pending) {
  return ToText({{"kind", "pending_commit"},
                 {"url", pending.target.ToUrl()},
                 {"write_id", pending.write_id.text},
                 {"library_version", pending.library_version},
                 {"rows", pending.rows},
                 {"size_bytes", pending.size_bytes},
                 {"crc64", Hex(pending.crc64)},
                 {"if_exists", OverwriteName(pending.overwrite)},
                 {"inline_bytes", pending.inline_bytes.size()},
                 {"upload_id", pending.upload_id.text},
                 {"parts", Parts(pending.receipts)}});
}

}  // namespace tailrace
