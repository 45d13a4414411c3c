#include "cli/inspect_text.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

#include "cli/size_text.h"

namespace tailrace::cli {

namespace {

void Line(std::ostringstream* out, const std::string& name, const std::string& value) {
  *out << "  " << std::left << std::setw(12) << name << value << "\n";
}

std::string PartsText(const std::vector<PartReceipt>& parts) {
  int64_t bytes = 0;
  for (const PartReceipt& part : parts) bytes += part.size_bytes;
  return CountText(static_cast<int64_t>(parts.size())) + ", " + SizeText(bytes);
}

// One column over all row groups.
struct ColumnTotal {
  std::string type;
  std::string codec;
  std::vector<std::string> encodings;
  int64_t compressed_bytes = 0;
  int64_t uncompressed_bytes = 0;
  int64_t index_bytes = 0;
  size_t with_page_index = 0;
};

void AddOnce(std::vector<std::string>* list, const std::string& word) {
  if (std::find(list->begin(), list->end(), word) == list->end()) list->push_back(word);
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "+") + word;
  return text;
}

std::vector<std::pair<std::string, ColumnTotal>> TotalsOf(const ParquetSummary& summary) {
  std::vector<std::pair<std::string, ColumnTotal>> totals;
  for (const RowGroupSummary& group : summary.row_groups) {
    totals.resize(std::max(totals.size(), group.columns.size()));
    for (size_t i = 0; i < group.columns.size(); ++i) {
      const ColumnChunkSummary& column = group.columns[i];
      auto& [path, total] = totals[i];
      path = column.path;
      total.type = column.physical_type;
      total.codec = column.codec;
      for (const std::string& encoding : column.encodings) AddOnce(&total.encodings, encoding);
      total.compressed_bytes += column.compressed_bytes;
      total.uncompressed_bytes += column.uncompressed_bytes;
      total.index_bytes += column.column_index_bytes + column.offset_index_bytes;
      total.with_page_index += column.offset_index_bytes > 0 ? 1 : 0;
    }
  }
  return totals;
}

void Columns(std::ostringstream* out, const ParquetSummary& summary) {
  const auto totals = TotalsOf(summary);
  if (totals.empty()) return;
  size_t width = 6;
  for (const auto& [path, total] : totals) width = std::max(width, path.size());
  *out << "\n  " << std::left << std::setw(static_cast<int>(width)) << "column" << "  " << std::setw(20) << "type"
       << std::right << std::setw(12) << "compressed" << std::setw(14) << "uncompressed" << "  " << std::left
       << std::setw(8) << "codec" << "page indexes    encodings\n";
  for (const auto& [path, total] : totals) {
    const std::string indexed =
        total.with_page_index == summary.row_groups.size()
            ? "all, " + SizeText(total.index_bytes)
            : std::to_string(total.with_page_index) + " of " + std::to_string(summary.row_groups.size());
    *out << "  " << std::left << std::setw(static_cast<int>(width)) << path << "  " << std::setw(20) << total.type
         << std::right << std::setw(12) << SizeText(total.compressed_bytes) << std::setw(14)
         << SizeText(total.uncompressed_bytes) << "  " << std::left << std::setw(8) << total.codec << std::setw(16)
         << indexed << Joined(total.encodings) << "\n";
  }
}

void RowGroups(std::ostringstream* out, const ParquetSummary& summary) {
  constexpr size_t kShown = 20;
  *out << "\n  row group        rows  compressed\n";
  for (size_t i = 0; i < std::min(summary.row_groups.size(), kShown); ++i) {
    const RowGroupSummary& group = summary.row_groups[i];
    *out << "  " << std::right << std::setw(9) << i << std::setw(12) << CountText(group.rows) << std::setw(12)
         << SizeText(group.compressed_bytes) << "\n";
  }
  if (summary.row_groups.size() > kShown) {
    *out << "  ... and " << CountText(static_cast<int64_t>(summary.row_groups.size() - kShown))
         << " more; --json lists all\n";
  }
}

}  // namespace

std::string ToText(const WriterState& state, const std::string& schema) {
  std::ostringstream out;
  out << "state of a write\n";
  Line(&out, "target", state.target.ToUrl());
  Line(&out, "write id", state.write_id.text + (state.epoch > 0 ? ", resumed " + CountText(state.epoch) + "x" : ""));
  Line(&out, "rows",
       CountText(state.rows()) + " in " + CountText(static_cast<int64_t>(state.content.row_groups.size())) +
           " row groups");
  Line(&out, "upload", state.progress.upload_id.text);
  Line(&out, "parts",
       PartsText(state.progress.receipts) + " stored; " + SizeText(static_cast<int64_t>(state.progress.unsent.size())) +
           " more in this state");
  Line(&out, "made by", "tailrace " + state.library_version + ", " + state.encoder_version);
  out << "\nschema\n" << schema << "\n";
  return out.str();
}

std::string ToText(const PendingCommit& pending) {
  std::ostringstream out;
  out << "pending commit\n";
  Line(&out, "target", pending.target.ToUrl());
  Line(&out, "write id", pending.write_id.text);
  Line(&out, "rows", CountText(pending.rows));
  Line(&out, "size", SizeText(pending.size_bytes));
  if (pending.is_inline()) {
    Line(&out, "bytes", "in this file");
  } else {
    Line(&out, "upload", pending.upload_id.text);
    Line(&out, "parts", PartsText(pending.receipts));
  }
  Line(&out, "if exists", pending.overwrite == OverwritePolicy::kOverwrite ? "overwrite" : "fail");
  Line(&out, "made by", "tailrace " + pending.library_version);
  return out.str();
}

std::string ToText(const std::string& url, const ParquetSummary& summary) {
  std::ostringstream out;
  out << "Parquet object " << url << "\n";
  Line(&out, "rows",
       CountText(summary.rows) + " in " + CountText(static_cast<int64_t>(summary.row_groups.size())) + " row groups");
  Line(&out, "size", SizeText(summary.size_bytes) + ", of it footer " + SizeText(summary.footer_bytes));
  Line(&out, "created by", summary.created_by);
  if (!summary.write_id.empty()) Line(&out, "write id", summary.write_id);
  if (!summary.end.empty()) Line(&out, "ended by", summary.end);
  if (!summary.digest.empty()) Line(&out, "digest", summary.digest);
  for (const auto& [key, value] : summary.key_value_metadata) {
    if (!key.starts_with("tailrace.") && !key.starts_with("ARROW:")) Line(&out, "metadata", key + "=" + value);
  }
  if (!summary.row_groups.empty()) {
    RowGroups(&out, summary);
    Columns(&out, summary);
  }
  return out.str();
}

}  // namespace tailrace::cli
