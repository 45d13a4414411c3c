// The open file as a pure state machine: events in, actions out. No network, clock, lock or thread, and nothing
// of Parquet: it knows bytes, parts and one upload. A sink with thousands of open files stands on it as the
// stream writer does.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/object.h"
#include "tailrace/options.h"
#include "tailrace/state.h"
#include "upload/part_cutter.h"

namespace tailrace {

// --- events ---
// The next bytes of the file.
struct BytesReady {
  ByteSlices bytes;
};
// A state will be handed out: there must be an upload.
struct UploadAsked {};
struct UploadCreated {
  UploadId id;
};
struct PartStored {
  PartReceipt receipt;
};
// Of CreateUpload, StorePart or making the stored parts durable, or of what makes the bytes (encoding).
struct RequestFailed {
  Status status;
};
// Page indexes and footer; nothing comes after it.
struct CloseAsked {
  ByteSlices tail;
};
// Instead of CloseAsked, by a caller that stored the end itself, around stray parts: all parts to complete, by number.
struct EndStored {
  std::vector<PartReceipt> parts;
};
struct CommitAsked {};
// Complete or Put succeeded, or the object was found to be ours.
struct CommitDone {};
// Not done: may be asked again.
struct CommitFailed {
  Status status;
};
struct AbortAsked {};
using Event = std::variant<BytesReady, UploadAsked, UploadCreated, PartStored, RequestFailed, CloseAsked, EndStored,
                           CommitAsked, CommitDone, CommitFailed, AbortAsked>;

// --- actions: requests to be sent; of StorePart at most one per number is under way ---
struct CreateUploadAction {};
struct StorePartAction {
  Part part;
};
struct CompleteAction {
  std::vector<PartReceipt> parts;
};
struct PutWholeAction {
  ByteSlices body;
};
// Safe to repeat. Parts under way should end first: a store may keep what arrives after its abort.
struct AbortUploadAction {
  UploadId upload;
};
using Action = std::variant<CreateUploadAction, StorePartAction, CompleteAction, PutWholeAction, AbortUploadAction>;

// The table of what applies where is docs/design/open-file.md; open_file_cells_test.cc walks through all of it.
//
// Two kinds of event need no thought by the driver. News of requests that were under way when the file failed, was
// aborted or was found committed are taken and forgotten, with one exception: an upload that gets created then is
// not lost; an aborted file answers with its abort, a failed one keeps its id for an abort to come.
//
// Not thread-safe. Copyable: a copy is the same file at this moment and shares the bytes.
class OpenFile {
 public:
  struct Rules {
    PartLengths part_lengths;
    // A closed file up to this size that has no upload is committed by one Put; < 0: never.
    int64_t single_put_max_bytes = 0;
  };

  // What each state holds is exactly what it needs. In parentheses the names of Arroyo's machine.

  // No upload, nothing requested; less than one part has gathered (New).
  struct New {
    PartCutter cutter;
  };
  // The upload is asked for, bytes gather (MultipartStarting).
  struct Starting {
    PartCutter cutter;
    std::vector<Part> parts;               // full parts that wait for the upload
    std::optional<ByteSlices> close_tail;  // set: close follows at once (then_close)
  };
  // (MultipartStarted)
  struct Started {
    UploadId upload;
    PartCutter cutter;
    std::vector<PartReceipt> receipts;  // by number; may have gaps while parts are in flight
    std::set<int> in_flight;
  };
  // Rebuilt from a state only to be finished (Recovering).
  struct Recovering {
    UploadId upload;
    PartCutter cutter;
    std::vector<PartReceipt> receipts;
  };
  // All bytes are cut; ready when nothing is in flight (ClosingMulti).
  struct ClosingMulti {
    UploadId upload;
    std::vector<PartReceipt> receipts;  // by number; without a gap when ready
    std::set<int> in_flight;
    int64_t total_bytes = 0;
  };
  // (ClosingSingle)
  struct ClosingSingle {
    ByteSlices body;
  };
  // Complete or Put is requested (Finishing).
  struct Finishing {
    std::variant<ClosingMulti, ClosingSingle> closed;
  };
  // Committed (Closed).
  struct Closed {
    int64_t total_bytes = 0;
  };
  struct Aborted {
    std::optional<UploadId> upload;
  };
  // (Failed)
  struct Failed {
    Status first_error;
    std::optional<UploadId> upload;
  };
  using State =
      std::variant<New, Starting, Started, Recovering, ClosingMulti, ClosingSingle, Finishing, Closed, Aborted, Failed>;

  // REQUIRES: a positive part length.
  static OpenFile MakeNew(Rules rules);
  // From a checkpoint: to go on writing (Started), or only to be finished (Recovering). kBadState where `progress`
  // contradicts itself or `rules`.
  enum class Purpose { kResume, kFinish };
  static Result<OpenFile> FromProgress(Rules rules, const UploadProgress& progress, Purpose purpose);
  // From a closed file that waits for its commit: ClosingMulti with all parts stored, or ClosingSingle. kBadState
  // where `pending` contradicts itself.
  static Result<OpenFile> FromPending(const PendingCommit& pending);

  // The checks of Apply without the change. kInvalid with the names of state and event where it does not apply;
  // in Failed, the first error.
  Status CanApply(const Event& event) const;
  // On error the state is as before.
  Result<std::vector<Action>> Apply(Event event);

  // What a state keeps of this file. REQUIRES Started with nothing in flight, or Recovering; else kInvalid, in Failed
  // the first error.
  Result<UploadProgress> Progress() const;
  // BytesReady applies.
  bool writable() const;
  // All parts stored, or a single body: CommitAsked applies.
  bool ready_to_commit() const;
  // Nothing that this state waits for is under way. After a failure or an abort there may be stragglers all the same.
  bool idle() const;
  std::string_view state_name() const;
  const State& state() const { return state_; }
  // Taken so far, the tail included; 0 once failed or aborted.
  int64_t total_bytes() const;

 private:
  using Actions = std::vector<Action>;

  OpenFile(Rules rules, State state) : rules_(rules), state_(std::move(state)) {}

  Status Check(const BytesReady& event) const;
  Status Check(const UploadAsked& event) const;
  Status Check(const UploadCreated& event) const;
  Status Check(const PartStored& event) const;
  Status Check(const RequestFailed& event) const;
  Status Check(const CloseAsked& event) const;
  Status Check(const EndStored& event) const;
  Status Check(const CommitAsked& event) const;
  Status Check(const CommitDone& event) const;
  Status Check(const CommitFailed& event) const;
  Status Check(const AbortAsked& event) const;
  // Why an event of this name does not apply.
  Status Refuse(std::string_view event) const;

  // REQUIRE that the event was checked.
  Actions On(BytesReady event);
  Actions On(UploadAsked event);
  Actions On(UploadCreated event);
  Actions On(PartStored event);
  Actions On(RequestFailed event);
  Actions On(CloseAsked event);
  Actions On(EndStored event);
  Actions On(CommitAsked event);
  Actions On(CommitDone event);
  Actions On(CommitFailed event);
  Actions On(AbortAsked event);
  Actions StartUpload(PartCutter cutter, std::vector<Part> parts, std::optional<ByteSlices> close_tail);
  Actions CloseWithUpload(UploadId upload, PartCutter cutter, std::vector<PartReceipt> receipts,
                          std::set<int> in_flight, ByteSlices tail);
  const UploadId* upload() const;

  Rules rules_;
  State state_;
};

std::string_view EventName(const Event& event);

}  // namespace tailrace
