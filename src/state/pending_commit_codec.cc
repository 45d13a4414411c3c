#include <utility>

#include "state/envelope.h"
#include "state/object_options_codec.h"
#include "state/options_codec.h"
#include "state/receipts_codec.h"
#include "state/state_checks.h"
#include "state/tagged_codec.h"
#include "state/target_codec.h"
#include "tailrace/state.h"

namespace tailrace {
namespace {

// docs/formats/pending-commit.md. Never renumber, never reuse.
constexpr Field kWriteId{1, WireType::kBytes, true, "write_id"};
constexpr Field kTarget{2, WireType::kBytes, true, "target"};
constexpr Field kOverwrite{3, WireType::kVarint, true, "overwrite"};
constexpr Field kUploadId{4, WireType::kBytes, true, "upload_id"};
constexpr Field kReceipts{5, WireType::kBytes, true, "receipts"};
constexpr Field kInlineBytes{6, WireType::kBytes, true, "inline_bytes"};
constexpr Field kSize{7, WireType::kVarint, true, "size_bytes"};
constexpr Field kCrc64{8, WireType::kFixed64, true, "crc64"};
constexpr Field kFooter{9, WireType::kBytes, true, "footer"};
constexpr Field kRows{10, WireType::kVarint, true, "rows"};
constexpr Field kLibraryVersion{11, WireType::kBytes, false, "library_version"};
constexpr Field kState{12, WireType::kBytes, true, "state"};
constexpr Field kObject{13, WireType::kBytes, true, "object"};
constexpr Field kFields[] = {kWriteId, kTarget, kOverwrite, kUploadId,       kReceipts, kInlineBytes, kSize,
                             kCrc64,   kFooter, kRows,      kLibraryVersion, kState,    kObject};

}  // namespace

std::string PendingCommit::ToBytes() const {
  // What could not be read again must not be handed out: the file it stands for would be lost.
  if (Status status = CheckPendingCommit(*this); !status.ok()) status.Abort("PendingCommit::ToBytes");
  MessageWriter out;
  out.PutBytes(kWriteId, write_id.text);
  out.PutBytes(kTarget, EncodeTarget(target));
  out.PutEnum(kOverwrite, overwrite, kOverwriteNumbers);
  if (is_inline()) {
    out.PutBytes(kInlineBytes, inline_bytes);
  } else {
    out.PutBytes(kUploadId, upload_id.text);
    out.PutBytes(kReceipts, EncodeReceipts(receipts));
  }
  out.PutInt(kSize, size_bytes);
  out.PutFixed64(kCrc64, crc64);
  out.PutBytes(kFooter, footer);
  out.PutInt(kRows, rows);
  out.PutBytes(kLibraryVersion, library_version);
  if (state) out.PutBytes(kState, state->ToBytes());
  if (std::string given = EncodeObjectOptions(object); !given.empty()) out.PutBytes(kObject, given);
  return WrapBody(BlobKind::kPendingCommit, out.Take());
}

Result<PendingCommit> PendingCommit::FromBytes(std::string_view bytes) {
  const std::string prefix = std::string(BlobKindName(BlobKind::kPendingCommit)) + ": ";
  ARROW_ASSIGN_OR_RAISE(std::string_view body, UnwrapBody(BlobKind::kPendingCommit, bytes));
  ARROW_ASSIGN_OR_RAISE(MessageReader in, MessageReader::Parse(body, prefix, kFields));
  PendingCommit pending;
  ARROW_ASSIGN_OR_RAISE(pending.write_id.text, in.String(kWriteId));
  ARROW_ASSIGN_OR_RAISE(std::string_view target, in.Bytes(kTarget));
  ARROW_ASSIGN_OR_RAISE(pending.target, DecodeTarget(target, in.PrefixOf(kTarget)));
  ARROW_ASSIGN_OR_RAISE(pending.overwrite, in.EnumOf(kOverwrite, kOverwriteNumbers));
  pending.upload_id.text = in.BytesOrEmpty(kUploadId);
  if (in.Has(kReceipts)) {
    ARROW_ASSIGN_OR_RAISE(std::string_view receipts, in.Bytes(kReceipts));
    ARROW_ASSIGN_OR_RAISE(pending.receipts, DecodeReceipts(receipts, in.PathOf(kReceipts)));
  }
  pending.inline_bytes = in.BytesOrEmpty(kInlineBytes);
  ARROW_ASSIGN_OR_RAISE(pending.size_bytes, in.Int(kSize));
  ARROW_ASSIGN_OR_RAISE(pending.crc64, in.Fixed64(kCrc64));
  ARROW_ASSIGN_OR_RAISE(pending.footer, in.String(kFooter));
  ARROW_ASSIGN_OR_RAISE(pending.rows, in.Int(kRows));
  pending.library_version = in.BytesOrEmpty(kLibraryVersion);
  ARROW_ASSIGN_OR_RAISE(pending.object, DecodeObjectOptions(in.BytesOrEmpty(kObject), in.PrefixOf(kObject)));
  if (in.Has(kState)) {
    ARROW_ASSIGN_OR_RAISE(std::string_view state, in.Bytes(kState));
    Result<WriterState> decoded = WriterState::FromBytes(state);
    if (!decoded.ok()) return WithContext(decoded.status(), in.PathOf(kState));
    pending.state = *std::move(decoded);
  }
  if (Status status = CheckPendingCommit(pending); !status.ok()) {
    return WithContext(status, BlobKindName(BlobKind::kPendingCommit));
  }
  return pending;
}

}  // namespace tailrace
