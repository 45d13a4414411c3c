// The transitions of OpenFile: what each event that applies does, and what a state tells about itself.
#include <algorithm>
#include <utility>

#include "writer/open_file.h"

namespace tailrace {
namespace {

std::vector<Action> Send(std::vector<Part> parts, std::set<int>* in_flight) {
  std::vector<Action> actions;
  actions.reserve(parts.size());
  for (Part& part : parts) {
    in_flight->insert(part.number);
    actions.push_back(StorePartAction{std::move(part)});
  }
  return actions;
}

void Append(std::vector<Action> more, std::vector<Action>* actions) {
  for (Action& action : more) actions->push_back(std::move(action));
}

// Keeps the order by number; a repeat overwrites.
void KeepReceipt(PartReceipt receipt, std::vector<PartReceipt>* receipts) {
  auto at = std::lower_bound(receipts->begin(), receipts->end(), receipt.number,
                             [](const PartReceipt& kept, int number) { return kept.number < number; });
  if (at != receipts->end() && at->number == receipt.number) {
    *at = std::move(receipt);
  } else {
    receipts->insert(at, std::move(receipt));
  }
}

}  // namespace

Result<std::vector<Action>> OpenFile::Apply(Event event) {
  ARROW_RETURN_NOT_OK(CanApply(event));
  return std::visit([this](auto& e) { return On(std::move(e)); }, event);
}

OpenFile::Actions OpenFile::On(BytesReady event) {
  if (auto* fresh = std::get_if<New>(&state_)) {
    std::vector<Part> full = fresh->cutter.Push(std::move(event.bytes));
    return full.empty() ? Actions{} : StartUpload(std::move(fresh->cutter), std::move(full), std::nullopt);
  }
  if (auto* starting = std::get_if<Starting>(&state_)) {
    for (Part& part : starting->cutter.Push(std::move(event.bytes))) starting->parts.push_back(std::move(part));
    return {};
  }
  auto& started = std::get<Started>(state_);
  return Send(started.cutter.Push(std::move(event.bytes)), &started.in_flight);
}

OpenFile::Actions OpenFile::On(UploadAsked) {
  auto* fresh = std::get_if<New>(&state_);
  return fresh == nullptr ? Actions{} : StartUpload(std::move(fresh->cutter), {}, std::nullopt);
}

OpenFile::Actions OpenFile::On(UploadCreated event) {
  if (auto* aborted = std::get_if<Aborted>(&state_)) {
    aborted->upload = event.id;
    return {AbortUploadAction{std::move(event.id)}};
  }
  if (auto* failed = std::get_if<Failed>(&state_)) {
    failed->upload = std::move(event.id);
    return {};
  }
  Starting starting = std::get<Starting>(std::move(state_));
  std::set<int> in_flight;
  Actions actions = Send(std::move(starting.parts), &in_flight);
  if (starting.close_tail) {
    Append(CloseWithUpload(std::move(event.id), std::move(starting.cutter), {}, std::move(in_flight),
                           *std::move(starting.close_tail)),
           &actions);
  } else {
    state_ = Started{std::move(event.id), std::move(starting.cutter), {}, std::move(in_flight)};
  }
  return actions;
}

OpenFile::Actions OpenFile::On(PartStored event) {
  if (auto* started = std::get_if<Started>(&state_)) {
    started->in_flight.erase(event.receipt.number);
    KeepReceipt(std::move(event.receipt), &started->receipts);
  } else if (auto* closing = std::get_if<ClosingMulti>(&state_)) {
    closing->in_flight.erase(event.receipt.number);
    KeepReceipt(std::move(event.receipt), &closing->receipts);
  }
  return {};
}

OpenFile::Actions OpenFile::On(RequestFailed event) {
  if (std::holds_alternative<New>(state_) || std::holds_alternative<Starting>(state_)) {
    state_ = Failed{std::move(event.status), std::nullopt};
  } else if (std::holds_alternative<Started>(state_) || std::holds_alternative<ClosingMulti>(state_)) {
    state_ = Failed{std::move(event.status), *upload()};
  }
  return {};
}

OpenFile::Actions OpenFile::On(CloseAsked event) {
  if (auto* fresh = std::get_if<New>(&state_)) {
    if (fresh->cutter.total_bytes() + event.tail.size() > rules_.single_put_max_bytes) {
      return StartUpload(std::move(fresh->cutter), {}, std::move(event.tail));
    }
    ByteSlices body = fresh->cutter.unsent();
    body.Append(event.tail);
    state_ = ClosingSingle{std::move(body)};
    return {};
  }
  if (auto* starting = std::get_if<Starting>(&state_)) {
    starting->close_tail = std::move(event.tail);
    return {};
  }
  if (std::holds_alternative<Started>(state_)) {
    Started started = std::get<Started>(std::move(state_));
    return CloseWithUpload(std::move(started.upload), std::move(started.cutter), std::move(started.receipts),
                           std::move(started.in_flight), std::move(event.tail));
  }
  Recovering recovering = std::get<Recovering>(std::move(state_));
  return CloseWithUpload(std::move(recovering.upload), std::move(recovering.cutter), std::move(recovering.receipts), {},
                         std::move(event.tail));
}

OpenFile::Actions OpenFile::On(EndStored event) {
  int64_t total_bytes = 0;
  for (const PartReceipt& part : event.parts) total_bytes += part.size_bytes;
  UploadId id = *upload();
  state_ = ClosingMulti{std::move(id), std::move(event.parts), {}, total_bytes};
  return {};
}

OpenFile::Actions OpenFile::On(CommitAsked) {
  if (std::holds_alternative<ClosingSingle>(state_)) {
    ClosingSingle single = std::get<ClosingSingle>(std::move(state_));
    Actions actions{PutWholeAction{single.body}};
    state_ = Finishing{std::move(single)};
    return actions;
  }
  ClosingMulti multi = std::get<ClosingMulti>(std::move(state_));
  Actions actions{CompleteAction{multi.receipts}};
  state_ = Finishing{std::move(multi)};
  return actions;
}

OpenFile::Actions OpenFile::On(CommitDone) {
  state_ = Closed{total_bytes()};
  return {};
}

OpenFile::Actions OpenFile::On(CommitFailed) {
  Finishing finishing = std::get<Finishing>(std::move(state_));
  std::visit([this](auto& closed) { state_ = std::move(closed); }, finishing.closed);
  return {};
}

OpenFile::Actions OpenFile::On(AbortAsked) {
  Aborted aborted;
  if (upload() != nullptr) aborted.upload = *upload();
  state_ = std::move(aborted);
  if (upload() == nullptr) return {};
  return {AbortUploadAction{*upload()}};
}

OpenFile::Actions OpenFile::StartUpload(PartCutter cutter, std::vector<Part> parts,
                                        std::optional<ByteSlices> close_tail) {
  state_ = Starting{std::move(cutter), std::move(parts), std::move(close_tail)};
  return {CreateUploadAction{}};
}

OpenFile::Actions OpenFile::CloseWithUpload(UploadId upload, PartCutter cutter, std::vector<PartReceipt> receipts,
                                            std::set<int> in_flight, ByteSlices tail) {
  std::vector<Part> rest = cutter.Push(std::move(tail));
  for (Part& part : cutter.CutRest()) rest.push_back(std::move(part));
  // An empty file is one empty part: stores refuse to complete an upload of none.
  if (cutter.parts() == 0) rest.push_back(Part{1, 0, {}});
  Actions actions = Send(std::move(rest), &in_flight);
  state_ = ClosingMulti{std::move(upload), std::move(receipts), std::move(in_flight), cutter.total_bytes()};
  return actions;
}

// --- what a state tells ---

const UploadId* OpenFile::upload() const {
  if (const auto* started = std::get_if<Started>(&state_)) return &started->upload;
  if (const auto* recovering = std::get_if<Recovering>(&state_)) return &recovering->upload;
  if (const auto* closing = std::get_if<ClosingMulti>(&state_)) return &closing->upload;
  const std::optional<UploadId>* kept = nullptr;
  if (const auto* aborted = std::get_if<Aborted>(&state_)) kept = &aborted->upload;
  if (const auto* failed = std::get_if<Failed>(&state_)) kept = &failed->upload;
  return kept != nullptr && kept->has_value() ? &**kept : nullptr;
}

Result<UploadProgress> OpenFile::Progress() const {
  const PartLengths& lengths = rules_.part_lengths;
  if (const auto* started = std::get_if<Started>(&state_); started != nullptr && started->in_flight.empty()) {
    return UploadProgress{started->upload, lengths, started->receipts, started->cutter.unsent().ToString()};
  }
  if (const auto* recovering = std::get_if<Recovering>(&state_)) {
    return UploadProgress{recovering->upload, lengths, recovering->receipts, recovering->cutter.unsent().ToString()};
  }
  return Refuse("a checkpoint");
}

bool OpenFile::writable() const {
  const auto* starting = std::get_if<Starting>(&state_);
  return std::holds_alternative<New>(state_) || std::holds_alternative<Started>(state_) ||
         (starting != nullptr && !starting->close_tail);
}

bool OpenFile::ready_to_commit() const {
  const auto* closing = std::get_if<ClosingMulti>(&state_);
  return std::holds_alternative<ClosingSingle>(state_) || (closing != nullptr && closing->in_flight.empty());
}

bool OpenFile::idle() const {
  if (const auto* started = std::get_if<Started>(&state_)) return started->in_flight.empty();
  if (const auto* closing = std::get_if<ClosingMulti>(&state_)) return closing->in_flight.empty();
  return !std::holds_alternative<Starting>(state_) && !std::holds_alternative<Finishing>(state_);
}

int64_t OpenFile::total_bytes() const {
  struct Total {
    int64_t operator()(const New& s) const { return s.cutter.total_bytes(); }
    int64_t operator()(const Starting& s) const {
      return s.cutter.total_bytes() + (s.close_tail ? s.close_tail->size() : 0);
    }
    int64_t operator()(const Started& s) const { return s.cutter.total_bytes(); }
    int64_t operator()(const Recovering& s) const { return s.cutter.total_bytes(); }
    int64_t operator()(const ClosingMulti& s) const { return s.total_bytes; }
    int64_t operator()(const ClosingSingle& s) const { return s.body.size(); }
    int64_t operator()(const Finishing& s) const { return std::visit(*this, s.closed); }
    int64_t operator()(const Closed& s) const { return s.total_bytes; }
    int64_t operator()(const Aborted&) const { return 0; }
    int64_t operator()(const Failed&) const { return 0; }
  };
  return std::visit(Total{}, state_);
}

}  // namespace tailrace
