#include "cli/inspect_text.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

#include "cli/chunk_runs.h"
#include "cli/object_words.h"
#include "cli/size_text.h"
#include "tailrace/option_names.h"

namespace tailrace::cli {

namespace {

void Line(std::ostringstream* out, const std::string& name, const std::string& value) {
  *out << "  " << std::left << std::setw(17) << name << value << "\n";
}

using Words = std::vector<std::pair<std::string, std::string>>;

void Lines(std::ostringstream* out, const Words& words) {
  for (const auto& [name, value] : words) Line(out, name, value);
}

// What the store is asked to give the object.
void ObjectLines(std::ostringstream* out, const Target& target, const ObjectOptions& object) {
  if (target.kind != "s3") return;
  *out << "\nthe object is given\n";
  Lines(out, ObjectWords(object));
}

void Receipts(std::ostringstream* out, const std::vector<PartReceipt>& parts) {
  constexpr size_t kShown = 20;
  if (parts.empty()) return;
  *out << "\n       part          offset        size  etag\n";
  for (size_t i = 0; i < std::min(parts.size(), kShown); ++i) {
    const PartReceipt& part = parts[i];
    *out << "  " << std::right << std::setw(9) << part.number << std::setw(16) << CountText(part.offset_bytes)
         << std::setw(12) << SizeText(part.size_bytes) << "  " << part.etag << "\n";
  }
  if (parts.size() > kShown) {
    *out << "  ... and " << CountText(static_cast<int64_t>(parts.size() - kShown)) << " more; --json lists all\n";
  }
}

std::string FillerText(const std::vector<ByteRange>& filler) {
  int64_t bytes = 0;
  for (const ByteRange& range : filler) bytes += range.size_bytes;
  const ByteRange& first = filler.front();
  std::string text = CountText(bytes) + " bytes that nothing points to, ";
  if (filler.size() > 1) text += "in " + CountText(static_cast<int64_t>(filler.size())) + " runs, ";
  return text + "from byte " + CountText(first.offset_bytes) + " on";
}

std::string LengthsText(const PartLengths& lengths) {
  const std::string first = SizeText(lengths.part_size_bytes);
  if (!lengths.grows()) return first;
  return first + ", growing every " + CountText(lengths.step_parts) + " parts to " + SizeText(lengths.largest_bytes) +
         " at most";
}

std::string PartsText(const std::vector<PartReceipt>& parts) {
  int64_t bytes = 0;
  for (const PartReceipt& part : parts) bytes += part.size_bytes;
  return CountText(static_cast<int64_t>(parts.size())) + ", " + SizeText(bytes);
}

// One column over all row groups.
struct ColumnTotal {
  std::string type;
  std::vector<std::string> codecs;
  std::vector<std::string> encodings;  // of data pages, as ChunkRun::encodings
  int64_t compressed_bytes = 0;
  int64_t uncompressed_bytes = 0;
  int64_t index_bytes = 0;
  size_t with_page_index = 0;
};

void AddOnce(std::vector<std::string>* list, const std::string& word) {
  if (std::find(list->begin(), list->end(), word) == list->end()) list->push_back(word);
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
      AddOnce(&total.codecs, column.codec);
      for (const std::string& encoding : column.data_encodings.empty() ? column.encodings : column.data_encodings) {
        AddOnce(&total.encodings, encoding);
      }
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
       << std::setw(14) << "codec" << " page indexes    encodings\n";
  for (const auto& [path, total] : totals) {
    const std::string indexed =
        total.with_page_index == summary.row_groups.size()
            ? "all, " + SizeText(total.index_bytes)
            : std::to_string(total.with_page_index) + " of " + std::to_string(summary.row_groups.size());
    *out << "  " << std::left << std::setw(static_cast<int>(width)) << path << "  " << std::setw(20) << total.type
         << std::right << std::setw(12) << SizeText(total.compressed_bytes) << std::setw(14)
         << SizeText(total.uncompressed_bytes) << "  " << std::left << std::setw(14) << JoinedWords(total.codecs) << " "
         << std::setw(16) << indexed << JoinedWords(total.encodings) << "\n";
  }
}

// Where the columns table cannot tell which chunk is written how.
void DifferingChunks(std::ostringstream* out, const ParquetSummary& summary) {
  constexpr size_t kShown = 20;
  bool any = false;
  for (size_t i = 0; i < summary.row_groups[0].columns.size(); ++i) {
    const std::vector<ChunkRun> runs = RunsOf(summary, i);
    if (runs.size() < 2) continue;
    if (!std::exchange(any, true)) *out << "\nchunks that are written differently\n";
    *out << "  " << summary.row_groups[0].columns[i].path << "\n";
    for (size_t j = 0; j < std::min(runs.size(), kShown); ++j) {
      const ChunkRun& run = runs[j];
      const std::string groups = run.first == run.last
                                     ? "row group " + std::to_string(run.first)
                                     : "row groups " + std::to_string(run.first) + "-" + std::to_string(run.last);
      *out << "    " << std::left << std::setw(22) << groups << std::setw(14) << run.codec << " " << run.encodings
           << "\n";
    }
    if (runs.size() > kShown) {
      *out << "    ... and " << CountText(static_cast<int64_t>(runs.size() - kShown)) << " more; --json lists all\n";
    }
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

std::string CarriedText(const CarriedRows& carried) {
  if (carried.empty()) return "";
  return ", the last " + CountText(carried.rows()) + " carried here (" + SizeText(carried.size_bytes()) + ")";
}

}  // namespace

std::string ToText(const WriterState& state, const std::string& schema, const std::vector<ChosenColumn>& columns) {
  std::ostringstream out;
  out << "state of a write\n";
  Line(&out, "target", state.target.ToUrl());
  Lines(&out, PlaceWords(state.target));
  Line(&out, "write id", state.write_id.text + (state.epoch > 0 ? ", resumed " + CountText(state.epoch) + "x" : ""));
  Line(&out, "rows",
       CountText(state.rows()) + " in " + CountText(static_cast<int64_t>(state.content.row_groups.size())) +
           " row groups" + CarriedText(state.carried));
  Line(&out, "upload", state.progress.upload_id.text);
  Line(&out, "parts",
       PartsText(state.progress.receipts) + " stored; " + SizeText(static_cast<int64_t>(state.progress.unsent.size())) +
           " more in this state");
  Line(&out, "part length", LengthsText(state.progress.part_lengths));
  Line(&out, "made by", "tailrace " + state.library_version + ", " + state.encoder_version);
  Line(&out, "if exists", OverwriteName(state.options.overwrite));
  ObjectLines(&out, state.target, state.object);
  Receipts(&out, state.progress.receipts);
  out << "\nschema\n" << schema << "\n";
  if (!columns.empty()) out << "\nencodings of the last row group\n";
  for (const ChosenColumn& column : columns) {
    out << "  " << column.path << ": " << column.encoding << ", " << (column.compressed ? "compressed" : "no codec")
        << " (" << column.why << ")\n";
  }
  return out.str();
}

std::string ToText(const PendingCommit& pending) {
  std::ostringstream out;
  out << "pending commit\n";
  Line(&out, "target", pending.target.ToUrl());
  Lines(&out, PlaceWords(pending.target));
  Line(&out, "write id", pending.write_id.text);
  Line(&out, "rows", CountText(pending.rows));
  Line(&out, "size", SizeText(pending.size_bytes));
  if (pending.is_inline()) {
    Line(&out, "bytes", "in this file");
  } else {
    Line(&out, "upload", pending.upload_id.text);
    Line(&out, "parts", PartsText(pending.receipts));
  }
  Line(&out, "if exists", OverwriteName(pending.overwrite));
  Line(&out, "made by", "tailrace " + pending.library_version);
  ObjectLines(&out, pending.target, pending.object);
  Receipts(&out, pending.receipts);
  return out.str();
}

std::string ToText(const std::string& url, const ParquetSummary& summary) {
  std::ostringstream out;
  out << "Parquet object " << url << "\n";
  Line(&out, "rows",
       CountText(summary.rows) + " in " + CountText(static_cast<int64_t>(summary.row_groups.size())) + " row groups");
  Line(&out, "size", SizeText(summary.size_bytes) + ", of it footer " + SizeText(summary.footer_bytes));
  if (!summary.filler.empty()) Line(&out, "filler", FillerText(summary.filler));
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
    DifferingChunks(&out, summary);
  }
  return out.str();
}

}  // namespace tailrace::cli
