#include "state/state_samples.h"

#include "base/crc64.h"
#include "state/envelope.h"
#include "state/wire.h"

namespace tailrace {
namespace {

constexpr char kWriteIdText[] = "0192f5a4-7c00-7000-8000-00000000002a";
constexpr std::string_view kHead = "PAR1";

uint64_t Crc(std::string_view bytes) { return Crc64Nvme(bytes.data(), bytes.size()); }

PartReceipt ReceiptOf(int number, int64_t offset_bytes, std::string_view bytes, std::string etag) {
  return {number, offset_bytes, static_cast<int64_t>(bytes.size()), std::move(etag), Crc(bytes)};
}

}  // namespace

void SetBytes(std::string_view data, WriterState* state) {
  const std::string file = std::string(kHead) + std::string(data);
  UploadProgress& progress = state->progress;
  progress.receipts.clear();
  int64_t offset = 0;
  for (int number = 1;; ++number) {
    const int64_t part = progress.part_lengths.LengthOf(number);
    if (offset + part > static_cast<int64_t>(file.size())) break;
    progress.receipts.push_back(ReceiptOf(number, offset, std::string_view(file).substr(offset, part),
                                          std::string("e").append(std::to_string(number))));
    offset += part;
  }
  progress.unsent = file.substr(offset);
  state->content.digest = Crc(data);
}

WriterState EmptyState() {
  WriterState state;
  state.library_version = "0.1.0";
  state.encoder_version = "parquet-cpp-arrow version 26.0.1";
  state.write_id.text = kWriteIdText;
  state.target.kind = "file";
  state.target.key = "data/x.parquet";
  state.options.part_size_bytes = 16;
  state.progress.upload_id.text = "u@1";
  state.progress.part_lengths.part_size_bytes = 16;
  state.content.schema = "schema";
  state.content.footer_template = "footer";
  SetBytes("", &state);
  return state;
}

WriterState SmallState() {
  WriterState state = EmptyState();
  state.epoch = 1;
  state.options.parquet.key_value_metadata = {{"k", "v"}};
  RowGroupEntry group;
  group.rows = 3;
  group.size_bytes = 21;
  group.metadata = "metadata";
  group.indexes = {{"ci", "oi"}};
  group.choices = {{.encoding = ChunkEncoding::kPlain,
                    .compressed = false,
                    .reason = ChoiceReason::kSmallest,
                    .codec_saved_little = true,
                    .plain_bytes = 300,
                    .chosen_bytes = 299}};
  state.content.row_groups = {group};
  SetBytes("21 bytes of some page", &state);
  return state;
}

WriterState CarryingState() {
  WriterState state = SmallState();
  state.options.checkpoint_mode = CheckpointMode::kCarry;
  state.options.carry_max_bytes = 4096;
  state.carried.chunks = {{16384, "packed message of a full chunk"}, {17, std::string("\0rest", 5)}};
  return state;
}

WriterState LargeState(int row_groups, int columns) {
  WriterState state = EmptyState();
  state.options.part_size_bytes = state.progress.part_lengths.part_size_bytes = 4096;
  state.object = {.acl = "private", .encryption = S3EncryptionKind::kSseS3};
  std::string data;
  for (int g = 0; g < row_groups; ++g) {
    RowGroupEntry group;
    group.rows = 1000 + g;
    for (int c = 0; c < columns; ++c) {
      const std::string path = "column_" + std::to_string(c);
      const int64_t low = int64_t{g} * 1000003 + c, high = low + group.rows;
      std::string numbers;
      PutFixed64(static_cast<uint64_t>(low), &numbers);
      PutFixed64(static_cast<uint64_t>(high), &numbers);
      group.metadata += "\x15\x04\x19\x35" + path + "\x16" + numbers + "\x26\x08\x1c";
      group.indexes.push_back(
          {"\x19\x11\x02\x19\x18" + numbers + "\x15\x02", "\x19\x1c\x16\x08\x15" + numbers.substr(8)});
      group.choices.push_back({.encoding = c % 3 == 0 ? ChunkEncoding::kDelta : ChunkEncoding::kDictionary,
                               .compressed = c % 3 != 0,
                               .reason = g < 2 && c % 5 == 0 ? ChoiceReason::kTooFewValues : ChoiceReason::kSmallest,
                               .dictionary_gave_way = c % 7 == 0,
                               .plain_bytes = 8300 + low % 100,
                               .chosen_bytes = 4000 + high % 300});
    }
    const std::string bytes(static_cast<size_t>(37 + g % 11), static_cast<char>('a' + g % 26));
    group.size_bytes = static_cast<int64_t>(bytes.size());
    data += bytes;
    state.content.row_groups.push_back(std::move(group));
  }
  SetBytes(data, &state);
  return state;
}

PendingCommit SmallInlinePending() {
  PendingCommit pending;
  pending.library_version = "0.1.0";
  pending.write_id.text = kWriteIdText;
  pending.target.kind = "file";
  pending.target.key = "data/x.parquet";
  pending.inline_bytes = std::string("PAR1footer\x06\0\0\0PAR1", 18);
  pending.size_bytes = static_cast<int64_t>(pending.inline_bytes.size());
  pending.crc64 = Crc(pending.inline_bytes);
  pending.footer = "footer";
  return pending;
}

PendingCommit SmallUploadPending() {
  PendingCommit pending = SmallInlinePending();
  const std::string file = std::move(pending.inline_bytes);
  pending.inline_bytes.clear();
  pending.overwrite = OverwritePolicy::kFailIfExists;
  pending.object = {.storage_class = "STANDARD_IA", .tags = {{"a", "b"}}, .checksum = S3Checksum::kCrc64Nvme};
  pending.upload_id.text = "u@1";
  pending.receipts = {ReceiptOf(1, 0, std::string_view(file).substr(0, 16), "e1"),
                      ReceiptOf(2, 16, std::string_view(file).substr(16), "e2")};
  return pending;
}

PendingCommit PendingAroundStray() {
  PendingCommit pending = SmallInlinePending();
  const WriterState state = SmallState();
  pending.inline_bytes.clear();
  pending.write_id = state.write_id;
  pending.target = state.target;
  pending.upload_id = state.progress.upload_id;
  pending.rows = state.rows();
  pending.receipts = state.progress.receipts;
  const int64_t stored = state.progress.stored_bytes();
  const int last = static_cast<int>(pending.receipts.size());
  pending.receipts.push_back({.number = last + 1, .offset_bytes = stored, .size_bytes = 16, .etag = "d"});
  pending.receipts.push_back({.number = last + 4, .offset_bytes = stored + 16, .size_bytes = 30, .etag = "t"});
  pending.size_bytes = stored + 46;
  pending.crc64 = 0;
  pending.state = state;
  return pending;
}

std::string WrapWithVersion(BlobKind kind, std::string_view body, uint32_t version) {
  std::string out = WrapBody(kind, body);
  constexpr size_t kChecksumAt = 8, kVersionAt = 16, kBodySizeAt = 20;
  std::string head;
  PutFixed32(version, &head);
  out.replace(kVersionAt, kBodySizeAt - kVersionAt, head);
  std::string checksum;
  PutFixed64(Crc(std::string_view(out).substr(kVersionAt)), &checksum);
  out.replace(kChecksumAt, checksum.size(), checksum);
  return out;
}

}  // namespace tailrace
