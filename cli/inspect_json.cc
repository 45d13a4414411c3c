#include "cli/inspect_json.h"

#include <cstdio>

#include "cli/object_words.h"
#include "cli/options_json.h"
#include "cli/time_text.h"
#include "tailrace/option_names.h"

namespace tailrace::cli {

namespace {

using nlohmann::ordered_json;

std::string Hex(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

ordered_json Lengths(const PartLengths& lengths) {
  ordered_json json = {{"part_size_bytes", lengths.part_size_bytes}};
  if (!lengths.grows()) return json;
  json["step_parts"] = lengths.step_parts;
  json["growth_bytes"] = lengths.growth_bytes;
  json["largest_bytes"] = lengths.largest_bytes;
  return json;
}

ordered_json Receipts(const std::vector<PartReceipt>& receipts) {
  ordered_json list = ordered_json::array();
  for (const PartReceipt& part : receipts) {
    list.push_back({{"number", part.number},
                    {"offset_bytes", part.offset_bytes},
                    {"size_bytes", part.size_bytes},
                    {"etag", part.etag},
                    {"crc64", Hex(part.crc64)},
                    {"checksum", part.checksum}});
  }
  return list;
}

ordered_json Place(const Target& target) {
  return {{"kind", target.kind},     {"endpoint", target.endpoint},
          {"region", target.region}, {"addressing", target.addressing},
          {"bucket", target.bucket}, {"key", target.key}};
}

// null for local files, which are given nothing.
ordered_json Object(const Target& target, const ObjectOptions& object) {
  if (target.kind != "s3") return nullptr;
  return {{"content_type", object.content_type},
          {"storage_class", object.storage_class},
          {"acl", object.acl},
          {"tags", PairsJson(object.tags)},
          {"metadata", PairsJson(object.metadata)},
          {"sse", EncryptionName(object.encryption)},
          {"sse_kms_key_id", object.kms_key_id},
          {"lock_mode", object.lock_mode},
          {"lock_until", object.lock_until ? ordered_json(UtcTimeText(*object.lock_until)) : ordered_json()},
          {"legal_hold", object.legal_hold},
          {"checksum", ChecksumName(object.checksum)}};
}

ordered_json Ranges(const std::vector<ByteRange>& ranges) {
  ordered_json list = ordered_json::array();
  for (const ByteRange& range : ranges) {
    list.push_back({{"offset_bytes", range.offset_bytes}, {"size_bytes", range.size_bytes}});
  }
  return list;
}

ordered_json Column(const ColumnChunkSummary& column) {
  return {{"path", column.path},
          {"type", column.physical_type},
          {"codec", column.codec},
          {"encodings", column.encodings},
          {"data_encodings", column.data_encodings},
          {"values", column.values},
          {"compressed_bytes", column.compressed_bytes},
          {"uncompressed_bytes", column.uncompressed_bytes},
          {"column_index_bytes", column.column_index_bytes},
          {"offset_index_bytes", column.offset_index_bytes},
          {"statistics", column.has_statistics},
          {"bloom_filter", column.has_bloom_filter}};
}

// Of the last row group.
ordered_json Chosen(const std::vector<ChosenColumn>& columns) {
  ordered_json list = ordered_json::array();
  for (const ChosenColumn& column : columns) {
    list.push_back(
        {{"path", column.path}, {"encoding", column.encoding}, {"compressed", column.compressed}, {"why", column.why}});
  }
  return list;
}

}  // namespace

ordered_json ToJson(const WriterState& state, const std::string& schema, const std::vector<ChosenColumn>& columns) {
  ordered_json row_groups = ordered_json::array();
  for (const RowGroupEntry& group : state.content.row_groups) {
    row_groups.push_back({{"rows", group.rows}, {"size_bytes", group.size_bytes}});
  }
  return {{"kind", "state"},
          {"url", state.target.ToUrl()},
          {"target", Place(state.target)},
          {"object", Object(state.target, state.object)},
          {"write_id", state.write_id.text},
          {"epoch", state.epoch},
          {"library_version", state.library_version},
          {"encoder_version", state.encoder_version},
          {"rows", state.rows()},
          {"upload_id", state.progress.upload_id.text},
          {"stored_bytes", state.progress.stored_bytes()},
          {"unsent_bytes", state.progress.unsent.size()},
          {"part_lengths", Lengths(state.progress.part_lengths)},
          {"parts", Receipts(state.progress.receipts)},
          {"carried_rows", state.carried.rows()},
          {"carried_bytes", state.carried.size_bytes()},
          {"row_groups", row_groups},
          {"digest", Hex(state.content.digest)},
          {"options", OptionsJson(state.options)},
          {"encodings", Chosen(columns)},
          {"schema", schema}};
}

ordered_json ToJson(const PendingCommit& pending) {
  return {{"kind", "pending_commit"},
          {"url", pending.target.ToUrl()},
          {"target", Place(pending.target)},
          {"object", Object(pending.target, pending.object)},
          {"write_id", pending.write_id.text},
          {"library_version", pending.library_version},
          {"rows", pending.rows},
          {"size_bytes", pending.size_bytes},
          {"crc64", Hex(pending.crc64)},
          {"if_exists", OverwriteName(pending.overwrite)},
          {"inline_bytes", pending.inline_bytes.size()},
          {"upload_id", pending.upload_id.text},
          {"parts", Receipts(pending.receipts)}};
}

ordered_json ToJson(const std::string& url, const ParquetSummary& summary) {
  ordered_json metadata = ordered_json::array();
  for (const auto& [key, value] : summary.key_value_metadata) metadata.push_back({{"key", key}, {"value", value}});
  ordered_json row_groups = ordered_json::array();
  for (const RowGroupSummary& group : summary.row_groups) {
    ordered_json columns = ordered_json::array();
    for (const ColumnChunkSummary& column : group.columns) columns.push_back(Column(column));
    row_groups.push_back({{"rows", group.rows}, {"compressed_bytes", group.compressed_bytes}, {"columns", columns}});
  }
  return {{"kind", "object"},
          {"url", url},
          {"rows", summary.rows},
          {"size_bytes", summary.size_bytes},
          {"footer_bytes", summary.footer_bytes},
          {"created_by", summary.created_by},
          {"write_id", summary.write_id},
          {"digest", summary.digest},
          {"end", summary.end},
          {"metadata", metadata},
          {"filler", Ranges(summary.filler)},
          {"row_groups", row_groups}};
}

}  // namespace tailrace::cli
