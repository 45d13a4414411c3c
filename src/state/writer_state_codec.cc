#include <limits>
#include <utility>

#include "state/carried_codec.h"
#include "state/envelope.h"
#include "state/object_options_codec.h"
#include "state/options_codec.h"
#include "state/packed_bytes.h"
#include "state/receipts_codec.h"
#include "state/row_groups_codec.h"
#include "state/state_checks.h"
#include "state/tagged_codec.h"
#include "state/target_codec.h"
#include "tailrace/state.h"

namespace tailrace {
namespace {

// docs/formats/writer-state.md. Never renumber, never reuse.
constexpr Field kWriteId{1, WireType::kBytes, true, "write_id"};
constexpr Field kTarget{2, WireType::kBytes, true, "target"};
constexpr Field kOptions{3, WireType::kBytes, true, "options"};
constexpr Field kUploadId{4, WireType::kBytes, true, "upload_id"};
constexpr Field kPartLengths{5, WireType::kBytes, true, "part_lengths"};
constexpr Field kReceipts{6, WireType::kBytes, true, "receipts"};
constexpr Field kUnsent{7, WireType::kBytes, true, "unsent"};
constexpr Field kSchema{8, WireType::kBytes, true, "schema"};
constexpr Field kFooterTemplate{9, WireType::kBytes, true, "footer_template"};
constexpr Field kRowGroups{10, WireType::kBytes, true, "row_groups"};
constexpr Field kDigest{11, WireType::kFixed64, true, "digest"};
constexpr Field kEpoch{12, WireType::kVarint, false, "epoch"};
constexpr Field kLibraryVersion{13, WireType::kBytes, false, "library_version"};
constexpr Field kEncoderVersion{14, WireType::kBytes, false, "encoder_version"};
constexpr Field kObject{15, WireType::kBytes, true, "object"};
constexpr Field kCarried{16, WireType::kBytes, true, "carried"};
constexpr Field kFields[] = {kWriteId,        kTarget,         kOptions,        kUploadId,  kPartLengths, kReceipts,
                             kUnsent,         kSchema,         kFooterTemplate, kRowGroups, kDigest,      kEpoch,
                             kLibraryVersion, kEncoderVersion, kObject,         kCarried};

constexpr Field kPartSize{1, WireType::kVarint, true, "part_size_bytes"};
constexpr Field kStepParts{2, WireType::kVarint, true, "step_parts"};
constexpr Field kGrowth{3, WireType::kVarint, true, "growth_bytes"};
constexpr Field kLargest{4, WireType::kVarint, true, "largest_bytes"};
constexpr Field kPartLengthsFields[] = {kPartSize, kStepParts, kGrowth, kLargest};

std::string EncodePartLengths(const PartLengths& lengths) {
  MessageWriter out;
  out.PutInt(kPartSize, lengths.part_size_bytes);
  if (lengths.grows()) {
    out.PutInt(kStepParts, lengths.step_parts);
    out.PutInt(kGrowth, lengths.growth_bytes);
    out.PutInt(kLargest, lengths.largest_bytes);
  }
  return out.Take();
}

Result<PartLengths> DecodePartLengths(std::string_view bytes, std::string prefix) {
  ARROW_ASSIGN_OR_RAISE(MessageReader in, MessageReader::Parse(bytes, std::move(prefix), kPartLengthsFields));
  PartLengths lengths;
  ARROW_ASSIGN_OR_RAISE(lengths.part_size_bytes, in.Int(kPartSize));
  ARROW_ASSIGN_OR_RAISE(const int64_t step_parts, in.IntOr(kStepParts, 0));
  if (step_parts > std::numeric_limits<int>::max()) {
    return MakeError(ErrorKind::kBadState, in.PathOf(kStepParts) + ": " + std::to_string(step_parts) + " is too many");
  }
  lengths.step_parts = static_cast<int>(step_parts);
  ARROW_ASSIGN_OR_RAISE(lengths.growth_bytes, in.IntOr(kGrowth, 0));
  ARROW_ASSIGN_OR_RAISE(lengths.largest_bytes, in.IntOr(kLargest, 0));
  return lengths;
}

Result<UploadProgress> DecodeProgress(const MessageReader& in) {
  UploadProgress progress;
  ARROW_ASSIGN_OR_RAISE(progress.upload_id.text, in.String(kUploadId));
  ARROW_ASSIGN_OR_RAISE(std::string_view lengths, in.Bytes(kPartLengths));
  ARROW_ASSIGN_OR_RAISE(progress.part_lengths, DecodePartLengths(lengths, in.PrefixOf(kPartLengths)));
  ARROW_ASSIGN_OR_RAISE(std::string_view receipts, in.Bytes(kReceipts));
  ARROW_ASSIGN_OR_RAISE(progress.receipts, DecodeReceipts(receipts, in.PathOf(kReceipts)));
  ARROW_ASSIGN_OR_RAISE(progress.unsent, in.String(kUnsent));
  return progress;
}

Result<ParquetContent> DecodeContent(const MessageReader& in) {
  ParquetContent content;
  ARROW_ASSIGN_OR_RAISE(std::string_view schema, in.Bytes(kSchema));
  ARROW_ASSIGN_OR_RAISE(content.schema, UnpackBytes(schema, in.PathOf(kSchema)));
  ARROW_ASSIGN_OR_RAISE(std::string_view footer, in.Bytes(kFooterTemplate));
  ARROW_ASSIGN_OR_RAISE(content.footer_template, UnpackBytes(footer, in.PathOf(kFooterTemplate)));
  ARROW_ASSIGN_OR_RAISE(std::string_view row_groups, in.Bytes(kRowGroups));
  ARROW_ASSIGN_OR_RAISE(content.row_groups, DecodeRowGroups(row_groups, in.PathOf(kRowGroups)));
  ARROW_ASSIGN_OR_RAISE(content.digest, in.Fixed64(kDigest));
  return content;
}

}  // namespace

std::string WriterState::ToBytes() const {
  // A state that could not be read again must not be handed out: the rows it stands for would be lost.
  if (Status status = CheckWriterState(*this); !status.ok()) status.Abort("WriterState::ToBytes");
  MessageWriter out;
  out.PutBytes(kWriteId, write_id.text);
  out.PutBytes(kTarget, EncodeTarget(target));
  out.PutBytes(kOptions, EncodeOptions(options));
  out.PutBytes(kUploadId, progress.upload_id.text);
  out.PutBytes(kPartLengths, EncodePartLengths(progress.part_lengths));
  out.PutBytes(kReceipts, EncodeReceipts(progress.receipts));
  out.PutBytes(kUnsent, progress.unsent);
  out.PutBytes(kSchema, PackBytes(content.schema));
  out.PutBytes(kFooterTemplate, PackBytes(content.footer_template));
  out.PutBytes(kRowGroups, EncodeRowGroups(content.row_groups));
  out.PutFixed64(kDigest, content.digest);
  out.PutInt(kEpoch, epoch);
  out.PutBytes(kLibraryVersion, library_version);
  out.PutBytes(kEncoderVersion, encoder_version);
  if (std::string given = EncodeObjectOptions(object); !given.empty()) out.PutBytes(kObject, given);
  if (!carried.empty()) out.PutBytes(kCarried, EncodeCarried(carried));
  return WrapBody(BlobKind::kWriterState, out.Take());
}

Result<WriterState> WriterState::FromBytes(std::string_view bytes) {
  const std::string prefix = std::string(BlobKindName(BlobKind::kWriterState)) + ": ";
  ARROW_ASSIGN_OR_RAISE(std::string_view body, UnwrapBody(BlobKind::kWriterState, bytes));
  ARROW_ASSIGN_OR_RAISE(MessageReader in, MessageReader::Parse(body, prefix, kFields));
  WriterState state;
  ARROW_ASSIGN_OR_RAISE(state.write_id.text, in.String(kWriteId));
  ARROW_ASSIGN_OR_RAISE(std::string_view target, in.Bytes(kTarget));
  ARROW_ASSIGN_OR_RAISE(state.target, DecodeTarget(target, in.PrefixOf(kTarget)));
  ARROW_ASSIGN_OR_RAISE(std::string_view options, in.Bytes(kOptions));
  ARROW_ASSIGN_OR_RAISE(state.options, DecodeOptions(options, in.PrefixOf(kOptions)));
  ARROW_ASSIGN_OR_RAISE(state.progress, DecodeProgress(in));
  ARROW_ASSIGN_OR_RAISE(state.content, DecodeContent(in));
  ARROW_ASSIGN_OR_RAISE(state.epoch, in.IntOr(kEpoch, 0));
  state.library_version = in.BytesOrEmpty(kLibraryVersion);
  state.encoder_version = in.BytesOrEmpty(kEncoderVersion);
  ARROW_ASSIGN_OR_RAISE(state.object, DecodeObjectOptions(in.BytesOrEmpty(kObject), in.PrefixOf(kObject)));
  if (in.Has(kCarried)) {
    ARROW_ASSIGN_OR_RAISE(std::string_view carried, in.Bytes(kCarried));
    ARROW_ASSIGN_OR_RAISE(state.carried, DecodeCarried(carried, in.PathOf(kCarried)));
  }
  if (Status status = CheckWriterState(state); !status.ok()) {
    return WithContext(status, BlobKindName(BlobKind::kWriterState));
  }
  return state;
}

}  // namespace tailrace
