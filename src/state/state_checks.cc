#include "state/state_checks.h"

#include <algorithm>
#include <string>

#include "base/crc64.h"

namespace tailrace {
namespace {

// Of the Parquet format: RowGroup.ordinal has 16 bits.
constexpr size_t kMaxRowGroups = 32767;
constexpr std::string_view kFileHead = "PAR1";

Status Bad(std::string_view field, const std::string& what) {
  return MakeError(ErrorKind::kBadState, std::string(field) + ": " + what);
}

Status CheckIdentity(const WriteId& id, const Target& target) {
  if (!id.Time()) return Bad("write_id", "not a UUIDv7");
  if (target.kind.empty()) return Bad("target.kind", "empty");
  if (target.key.empty()) return Bad("target.key", "empty");
  if (target.key[0] == '/') return Bad("target.key", "begins with '/'");
  // A URL may carry user:password@host; nothing of that kind may end up in a value that is stored and passed on.
  if (target.endpoint.find('@') != std::string::npos) return Bad("target.endpoint", "holds user information");
  if (target.kind == "file" &&
      !(target.endpoint.empty() && target.region.empty() && target.addressing.empty() && target.bucket.empty())) {
    return Bad("target", "a file has nothing but a key");
  }
  return Status::OK();
}

Status CheckOptions(const FileOptions& options) {
  if (options.part_size_bytes < 1) return Bad("options.part_size_bytes", "less than 1");
  if (options.expected_bytes < 0) return Bad("options.expected_bytes", "less than 0");
  if (options.inline_max_bytes < 0) return Bad("options.inline_max_bytes", "less than 0");
  if (options.carry_max_bytes < 1) return Bad("options.carry_max_bytes", "less than 1");
  if (options.parquet.row_group_bytes < 1) return Bad("options.parquet.row_group_bytes", "less than 1");
  if (options.parquet.row_group_rows < 1) return Bad("options.parquet.row_group_rows", "less than 1");
  if (options.parquet.page_bytes < 1) return Bad("options.parquet.page_bytes", "less than 1");
  return Status::OK();
}

// Numbers 1..n, or rising ones with gaps where those are allowed; one behind the other, none empty.
Status CheckReceipts(const std::vector<PartReceipt>& receipts, bool gaps = false) {
  int64_t end = 0;
  for (size_t i = 0; i < receipts.size(); ++i) {
    const PartReceipt& receipt = receipts[i];
    const std::string part = "part " + std::to_string(receipt.number);
    const int before = i == 0 ? 0 : receipts[i - 1].number;
    if (gaps ? receipt.number <= before : receipt.number != before + 1) {
      return Bad("receipts", i == 0 ? part + " comes first" : part + " follows part " + std::to_string(before));
    }
    if (receipt.offset_bytes != end) {
      return Bad("receipts", part + " begins at " + std::to_string(receipt.offset_bytes) +
                                 ", the part before ends at " + std::to_string(end));
    }
    if (receipt.size_bytes < 1) return Bad("receipts", part + " is empty");
    if (__builtin_add_overflow(end, receipt.size_bytes, &end)) return Bad("receipts", "more bytes than can be counted");
  }
  return Status::OK();
}

uint64_t CombinedCrc(const std::vector<PartReceipt>& receipts) {
  uint64_t crc = 0;
  for (const PartReceipt& receipt : receipts) {
    crc = Crc64Combine(crc, receipt.crc64, static_cast<uint64_t>(receipt.size_bytes));
  }
  return crc;
}

Status CheckProgress(const UploadProgress& progress) {
  if (progress.upload_id.text.empty()) return Bad("upload_id", "empty");
  if (progress.part_lengths.part_size_bytes < 1) return Bad("part_lengths.part_size_bytes", "less than 1");
  if (!progress.part_lengths.valid()) return Bad("part_lengths", "do not grow as parts can");
  ARROW_RETURN_NOT_OK(CheckReceipts(progress.receipts));
  for (const PartReceipt& receipt : progress.receipts) {
    const int64_t length = progress.part_lengths.LengthOf(receipt.number);
    if (receipt.size_bytes != length) {
      return Bad("receipts", "part " + std::to_string(receipt.number) + " has " + std::to_string(receipt.size_bytes) +
                                 " bytes, its length is " + std::to_string(length));
    }
  }
  const int next = static_cast<int>(progress.receipts.size()) + 1;
  if (static_cast<int64_t>(progress.unsent.size()) >= progress.part_lengths.LengthOf(next)) {
    return Bad("unsent", std::to_string(progress.unsent.size()) + " bytes are no less than part " +
                             std::to_string(next) + " takes");
  }
  return Status::OK();
}

Status CheckContent(const ParquetContent& content) {
  if (content.schema.empty()) return Bad("schema", "empty");
  if (content.footer_template.empty()) return Bad("footer_template", "empty");
  if (content.row_groups.size() > kMaxRowGroups) {
    return Bad("row_groups",
               std::to_string(content.row_groups.size()) + " are more than Parquet's " + std::to_string(kMaxRowGroups));
  }
  int64_t rows = 0, bytes = kFileHead.size();
  for (size_t i = 0; i < content.row_groups.size(); ++i) {
    const RowGroupEntry& group = content.row_groups[i];
    const std::string name = "row group " + std::to_string(i);
    if (group.rows < 1) return Bad("row_groups", name + " has no rows");
    if (group.size_bytes < 1) return Bad("row_groups", name + " has no bytes");
    if (group.metadata.empty()) return Bad("row_groups", name + " has no metadata");
    if (group.indexes.size() != content.row_groups[0].indexes.size()) {
      return Bad("row_groups", name + " has indexes of " + std::to_string(group.indexes.size()) +
                                   " columns, the first has " + std::to_string(content.row_groups[0].indexes.size()));
    }
    const size_t choices = content.row_groups[0].choices.empty() ? 0 : group.indexes.size();
    if (group.choices.size() != choices) {
      return Bad("row_groups", name + " has choices for " + std::to_string(group.choices.size()) + " of " +
                                   std::to_string(group.indexes.size()) + " columns");
    }
    if (__builtin_add_overflow(rows, group.rows, &rows)) return Bad("row_groups", "more rows than can be counted");
    if (__builtin_add_overflow(bytes, group.size_bytes, &bytes)) {
      return Bad("row_groups", "more bytes than can be counted");
    }
  }
  return Status::OK();
}

Status CheckCarried(const WriterState& state) {
  int64_t rows = state.content.rows(), bytes = 0;
  for (size_t i = 0; i < state.carried.chunks.size(); ++i) {
    const CarriedChunk& chunk = state.carried.chunks[i];
    const std::string name = "chunk " + std::to_string(i);
    if (chunk.rows < 1) return Bad("carried", name + " has no rows");
    if (chunk.bytes.empty()) return Bad("carried", name + " has no bytes");
    if (__builtin_add_overflow(rows, chunk.rows, &rows)) return Bad("carried", "more rows than can be counted");
    bytes += static_cast<int64_t>(chunk.bytes.size());
  }
  if (bytes > state.options.carry_max_bytes) {
    return Bad("carried", std::to_string(bytes) + " bytes are more than carry_max_bytes = " +
                              std::to_string(state.options.carry_max_bytes));
  }
  if (!state.carried.empty() && state.content.row_groups.size() == kMaxRowGroups) {
    return Bad("carried", "rows, and no row group is left for them");
  }
  return Status::OK();
}

// The bytes that the upload and the state hold are those that the row groups tell of.
Status CheckBytesAgree(const UploadProgress& progress, const ParquetContent& content) {
  const auto head = static_cast<int64_t>(kFileHead.size());
  const auto unsent = static_cast<int64_t>(progress.unsent.size());
  int64_t held;
  if (__builtin_add_overflow(progress.stored_bytes(), unsent, &held) || held != head + content.data_bytes()) {
    return Bad("unsent", std::to_string(unsent) + " bytes and " + std::to_string(progress.stored_bytes()) +
                             " stored ones are not the " + std::to_string(content.data_bytes()) +
                             " of the row groups and " + std::to_string(head) + " before them");
  }
  const uint64_t held_crc =
      Crc64Combine(CombinedCrc(progress.receipts), Crc64Nvme(progress.unsent.data(), progress.unsent.size()), unsent);
  const uint64_t told_crc = Crc64Combine(Crc64Nvme(kFileHead.data(), kFileHead.size()), content.digest,
                                         static_cast<uint64_t>(content.data_bytes()));
  if (held_crc != told_crc) return Bad("digest", "not that of the stored parts and unsent bytes");
  return Status::OK();
}

// The state that a pending commit carries is of the same write, and its parts are the first that are completed.
Status CheckStateOfPending(const PendingCommit& pending) {
  const WriterState& state = *pending.state;
  ARROW_RETURN_NOT_OK(CheckWriterState(state));
  if (state.write_id != pending.write_id) return Bad("state", "of another write");
  if (state.target != pending.target) return Bad("state", "of another target");
  if (state.progress.upload_id != pending.upload_id) return Bad("state", "of another upload");
  if (!state.carried.empty()) return Bad("state", "with carried rows");
  if (state.rows() != pending.rows) return Bad("state", "with other rows");
  const std::vector<PartReceipt>& stored = state.progress.receipts;
  if (stored.size() > pending.receipts.size() || !std::equal(stored.begin(), stored.end(), pending.receipts.begin())) {
    return Bad("state", "with other parts");
  }
  return Status::OK();
}

}  // namespace

Status CheckWriterState(const WriterState& state) {
  ARROW_RETURN_NOT_OK(CheckIdentity(state.write_id, state.target));
  if (state.epoch < 0) return Bad("epoch", "less than 0");
  ARROW_RETURN_NOT_OK(CheckOptions(state.options));
  ARROW_RETURN_NOT_OK(CheckProgress(state.progress));
  ARROW_RETURN_NOT_OK(CheckContent(state.content));
  ARROW_RETURN_NOT_OK(CheckCarried(state));
  return CheckBytesAgree(state.progress, state.content);
}

Status CheckPendingCommit(const PendingCommit& pending) {
  ARROW_RETURN_NOT_OK(CheckIdentity(pending.write_id, pending.target));
  int64_t size;
  uint64_t crc;
  if (pending.state) {
    if (pending.is_inline()) return Bad("state", "there without an upload_id");
    ARROW_RETURN_NOT_OK(CheckStateOfPending(pending));
  }
  if (pending.is_inline()) {
    if (!pending.receipts.empty()) return Bad("receipts", "there without an upload_id");
    if (pending.inline_bytes.empty()) return Bad("inline_bytes", "missing, and so is upload_id");
    size = static_cast<int64_t>(pending.inline_bytes.size());
    crc = Crc64Nvme(pending.inline_bytes.data(), pending.inline_bytes.size());
  } else {
    if (!pending.inline_bytes.empty()) return Bad("inline_bytes", "there beside an upload_id");
    if (pending.receipts.empty()) return Bad("receipts", "empty");
    ARROW_RETURN_NOT_OK(CheckReceipts(pending.receipts, pending.state.has_value()));
    size = pending.receipts.back().offset_bytes + pending.receipts.back().size_bytes;
    crc = pending.state ? 0 : CombinedCrc(pending.receipts);
  }
  if (pending.size_bytes != size) {
    return Bad("size_bytes", std::to_string(pending.size_bytes) + ", the content has " + std::to_string(size));
  }
  if (pending.crc64 != crc) return Bad("crc64", "not that of the content");
  if (pending.footer.empty()) return Bad("footer", "empty");
  if (static_cast<int64_t>(pending.footer.size()) >= size) return Bad("footer", "larger than the object");
  if (pending.rows < 0) return Bad("rows", "less than 0");
  return Status::OK();
}

}  // namespace tailrace
