#include "writer/open_file.h"

#include <algorithm>
#include <utility>

namespace tailrace {
namespace {

// Receipts of parts 1..n that stand one behind the other from the start of the object.
Status CheckGapless(const std::vector<PartReceipt>& receipts) {
  int64_t offset_bytes = 0;
  for (size_t i = 0; i < receipts.size(); ++i) {
    const PartReceipt& receipt = receipts[i];
    if (receipt.number != static_cast<int>(i) + 1 || receipt.offset_bytes != offset_bytes || receipt.size_bytes < 0) {
      return MakeError(ErrorKind::kBadState, "receipts: entry " + std::to_string(i) + " is part " +
                                                 std::to_string(receipt.number) + " at byte " +
                                                 std::to_string(receipt.offset_bytes) + ", expected part " +
                                                 std::to_string(i + 1) + " at byte " + std::to_string(offset_bytes));
    }
    offset_bytes += receipt.size_bytes;
  }
  return Status::OK();
}

Status CheckProgress(const PartLengths& lengths, const UploadProgress& progress) {
  if (progress.upload_id.text.empty()) return MakeError(ErrorKind::kBadState, "upload_id is empty");
  if (progress.part_lengths != lengths) {
    return MakeError(ErrorKind::kBadState, "part_lengths: parts of " +
                                               std::to_string(progress.part_lengths.part_size_bytes) +
                                               " bytes in the state, " + std::to_string(lengths.part_size_bytes) +
                                               " in the options, or of another growth");
  }
  if (!lengths.valid()) {
    return MakeError(ErrorKind::kBadState,
                     "part_lengths: parts of " + std::to_string(lengths.part_size_bytes) + " bytes cannot be");
  }
  ARROW_RETURN_NOT_OK(CheckGapless(progress.receipts));
  for (const PartReceipt& receipt : progress.receipts) {
    if (receipt.size_bytes != lengths.LengthOf(receipt.number)) {
      return MakeError(ErrorKind::kBadState, "receipts: part " + std::to_string(receipt.number) + " has " +
                                                 std::to_string(receipt.size_bytes) + " bytes, part_lengths says " +
                                                 std::to_string(lengths.LengthOf(receipt.number)));
    }
  }
  const int next = static_cast<int>(progress.receipts.size()) + 1;
  if (static_cast<int64_t>(progress.unsent.size()) >= lengths.LengthOf(next)) {
    return MakeError(ErrorKind::kBadState, "unsent: " + std::to_string(progress.unsent.size()) +
                                               " bytes are no less than part " + std::to_string(next));
  }
  return Status::OK();
}

std::vector<PartReceipt>::const_iterator Find(const std::vector<PartReceipt>& receipts, int number) {
  auto at = std::lower_bound(receipts.begin(), receipts.end(), number,
                             [](const PartReceipt& receipt, int n) { return receipt.number < n; });
  return at != receipts.end() && at->number == number ? at : receipts.end();
}

// The part must have been asked for, and the receipt be about those bytes.
Status CheckReceipt(const PartReceipt& receipt, const std::vector<PartReceipt>& receipts,
                    const std::set<int>& in_flight, const PartLengths& lengths, int64_t total_bytes) {
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;
  if (auto known = Find(receipts, receipt.number); known != receipts.end()) {
    offset_bytes = known->offset_bytes;
    size_bytes = known->size_bytes;
  } else if (in_flight.contains(receipt.number)) {
    offset_bytes = lengths.OffsetOf(receipt.number);
    size_bytes = std::min(lengths.LengthOf(receipt.number), total_bytes - offset_bytes);
  } else {
    return MakeError(ErrorKind::kInvalid, "PartStored: part " + std::to_string(receipt.number) + " was never sent");
  }
  if (receipt.offset_bytes != offset_bytes || receipt.size_bytes != size_bytes) {
    return MakeError(ErrorKind::kInvalid, "PartStored: the receipt of part " + std::to_string(receipt.number) +
                                              " is about " + std::to_string(receipt.size_bytes) + " bytes at " +
                                              std::to_string(receipt.offset_bytes) + ", sent were " +
                                              std::to_string(size_bytes) + " at " + std::to_string(offset_bytes));
  }
  return Status::OK();
}

Status CheckFailed(const Status& status, std::string_view event) {
  if (!status.ok()) return Status::OK();
  return MakeError(ErrorKind::kInvalid, std::string(event) + " carries no error");
}

// The names of States and Events, by index.
constexpr std::string_view kStateNames[] = {"New",           "Starting",  "Started", "Recovering", "ClosingMulti",
                                            "ClosingSingle", "Finishing", "Closed",  "Aborted",    "Failed"};
constexpr std::string_view kEventNames[] = {"BytesReady",    "UploadAsked",  "UploadCreated", "PartStored",
                                            "RequestFailed", "CloseAsked",   "EndStored",     "CommitAsked",
                                            "CommitDone",    "CommitFailed", "AbortAsked"};
static_assert(std::size(kStateNames) == std::variant_size_v<OpenFile::State>);
static_assert(std::size(kEventNames) == std::variant_size_v<Event>);

}  // namespace

OpenFile OpenFile::MakeNew(Rules rules) { return {rules, New{PartCutter(rules.part_lengths, 0, {})}}; }

Result<OpenFile> OpenFile::FromProgress(Rules rules, const UploadProgress& progress, Purpose purpose) {
  ARROW_RETURN_NOT_OK(CheckProgress(rules.part_lengths, progress));
  PartCutter cutter(rules.part_lengths, static_cast<int>(progress.receipts.size()),
                    ByteSlices(ByteSlice::Copy(progress.unsent)));
  if (purpose == Purpose::kResume) {
    return OpenFile(rules, Started{progress.upload_id, std::move(cutter), progress.receipts, {}});
  }
  return OpenFile(rules, Recovering{progress.upload_id, std::move(cutter), progress.receipts});
}

Result<OpenFile> OpenFile::FromPending(const PendingCommit& pending) {
  if (pending.is_inline()) {
    if (!pending.receipts.empty()) {
      return MakeError(ErrorKind::kBadState, "receipts: there are some, yet upload_id is empty");
    }
    if (static_cast<int64_t>(pending.inline_bytes.size()) != pending.size_bytes) {
      return MakeError(ErrorKind::kBadState, "size_bytes: " + std::to_string(pending.size_bytes) +
                                                 ", inline_bytes has " + std::to_string(pending.inline_bytes.size()));
    }
    return OpenFile(Rules{}, ClosingSingle{ByteSlices(ByteSlice::Copy(pending.inline_bytes))});
  }
  // Around stray parts the numbers have gaps, which the state that comes along accounts for.
  if (!pending.state) ARROW_RETURN_NOT_OK(CheckGapless(pending.receipts));
  int64_t total_bytes = 0;
  for (const PartReceipt& receipt : pending.receipts) total_bytes += receipt.size_bytes;
  if (total_bytes != pending.size_bytes) {
    return MakeError(ErrorKind::kBadState, "size_bytes: " + std::to_string(pending.size_bytes) +
                                               ", the receipts add up to " + std::to_string(total_bytes));
  }
  return OpenFile(Rules{}, ClosingMulti{pending.upload_id, pending.receipts, {}, total_bytes});
}

// --- what applies where ---

Status OpenFile::CanApply(const Event& event) const {
  return std::visit([this](const auto& e) { return Check(e); }, event);
}

Status OpenFile::Refuse(std::string_view event) const {
  if (const auto* failed = std::get_if<Failed>(&state_)) return failed->first_error;
  return MakeError(ErrorKind::kInvalid,
                   std::string(event) + " does not apply to an open file that is " + std::string(state_name()));
}

Status OpenFile::Check(const BytesReady&) const { return writable() ? Status::OK() : Refuse("BytesReady"); }

Status OpenFile::Check(const UploadAsked&) const { return writable() ? Status::OK() : Refuse("UploadAsked"); }

Status OpenFile::Check(const UploadCreated& event) const {
  const auto* failed = std::get_if<Failed>(&state_);
  const auto* aborted = std::get_if<Aborted>(&state_);
  const bool late = (failed != nullptr && !failed->upload) || (aborted != nullptr && !aborted->upload);
  if (!late && !std::holds_alternative<Starting>(state_)) return Refuse("UploadCreated");
  if (event.id.text.empty()) return MakeError(ErrorKind::kInvalid, "UploadCreated carries an empty id");
  return Status::OK();
}

Status OpenFile::Check(const PartStored& event) const {
  if (const auto* started = std::get_if<Started>(&state_)) {
    return CheckReceipt(event.receipt, started->receipts, started->in_flight, rules_.part_lengths, total_bytes());
  }
  if (const auto* closing = std::get_if<ClosingMulti>(&state_)) {
    return CheckReceipt(event.receipt, closing->receipts, closing->in_flight, rules_.part_lengths, total_bytes());
  }
  const bool straggler = std::holds_alternative<Closed>(state_) || std::holds_alternative<Aborted>(state_) ||
                         std::holds_alternative<Failed>(state_);
  return straggler ? Status::OK() : Refuse("PartStored");
}

Status OpenFile::Check(const RequestFailed& event) const {
  const bool refused = std::holds_alternative<Recovering>(state_) || std::holds_alternative<ClosingSingle>(state_) ||
                       std::holds_alternative<Finishing>(state_);
  return refused ? Refuse("RequestFailed") : CheckFailed(event.status, "RequestFailed");
}

Status OpenFile::Check(const CloseAsked&) const {
  return writable() || std::holds_alternative<Recovering>(state_) ? Status::OK() : Refuse("CloseAsked");
}

Status OpenFile::Check(const EndStored& event) const {
  const auto* started = std::get_if<Started>(&state_);
  const auto* recovering = std::get_if<Recovering>(&state_);
  if (recovering == nullptr && (started == nullptr || !started->in_flight.empty())) return Refuse("EndStored");
  const std::vector<PartReceipt>& ours = started != nullptr ? started->receipts : recovering->receipts;
  int64_t size_bytes = 0;
  for (size_t i = 0; i < event.parts.size(); ++i) {
    const PartReceipt& part = event.parts[i];
    const bool in_order = i == 0 ? part.number >= 1 : part.number > event.parts[i - 1].number;
    const bool is_ours = i >= ours.size() || (part.number == ours[i].number && part.size_bytes == ours[i].size_bytes);
    if (!in_order || !is_ours) {
      return MakeError(ErrorKind::kInvalid, "EndStored: part " + std::to_string(part.number) + " is out of place");
    }
    size_bytes += part.size_bytes;
  }
  if (event.parts.size() <= ours.size() || size_bytes <= total_bytes()) {
    return MakeError(ErrorKind::kInvalid, "EndStored: " + std::to_string(size_bytes) + " bytes of parts do not end " +
                                              std::to_string(total_bytes()) + " bytes of file");
  }
  return Status::OK();
}

Status OpenFile::Check(const CommitAsked&) const { return ready_to_commit() ? Status::OK() : Refuse("CommitAsked"); }

Status OpenFile::Check(const CommitDone&) const {
  const bool closed = std::holds_alternative<ClosingMulti>(state_) || std::holds_alternative<ClosingSingle>(state_) ||
                      std::holds_alternative<Finishing>(state_) || std::holds_alternative<Closed>(state_);
  return closed ? Status::OK() : Refuse("CommitDone");
}

Status OpenFile::Check(const CommitFailed& event) const {
  if (!std::holds_alternative<Finishing>(state_)) return Refuse("CommitFailed");
  return CheckFailed(event.status, "CommitFailed");
}

Status OpenFile::Check(const AbortAsked&) const {
  // Whether a commit under way has happened is not known; a committed file is not ours to take back.
  const bool refused = std::holds_alternative<Finishing>(state_) || std::holds_alternative<Closed>(state_);
  return refused ? Refuse("AbortAsked") : Status::OK();
}

std::string_view OpenFile::state_name() const { return kStateNames[state_.index()]; }

std::string_view EventName(const Event& event) { return kEventNames[event.index()]; }

}  // namespace tailrace
