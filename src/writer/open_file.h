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
struct BytesReady { ByteSlices bytes; };            // the next bytes of the file
struct UploadAsked {};                              // a state will be handed out: there must be an upload
struct UploadCreated { UploadId id; };
struct PartStored { PartReceipt receipt; };
struct RequestFailed { Status status; };            // of CreateUpload or StorePart
struct CloseAsked { ByteSlices tail; };             // page indexes and footer; nothing comes after it
struct CommitAsked {};
struct CommitDone {};                               // Complete or Put succeeded, or the object was found to be ours
struct CommitFailed { Status status; };             // not done: may be asked again
struct AbortAsked {};
using Event = std::variant<BytesReady, UploadAsked, UploadCreated, PartStored, RequestFailed, CloseAsked, CommitAsked,
                           CommitDone, CommitFailed, AbortAsked>;

// --- actions ---
struct CreateUploadAction {};
struct StorePartAction { Part part; };
struct CompleteAction { std::vector<PartReceipt> parts; };
struct PutWholeAction { ByteSlices body; };
struct AbortUploadAction {};
using Action = std::variant<CreateUploadAction, StorePartAction, CompleteAction, PutWholeAction, AbortUploadAction>;

// Not thread-safe.
class OpenFile {
 public:
  struct Rules {
    PartLengths part_lengths;
    int64_t single_put_max_bytes = 0;  // a closed file up to this size that has no upload is committed by one Put; < 0: never
  };

  // What each state holds is exactly what it needs. Names follow spec section 2 (in parentheses).
  struct New { PartCutter cutter; std::vector<Part> parts; };  // no upload, nothing requested (New)
  struct Starting {                         // upload asked for; bytes gather (MultipartStarting)
    PartCutter cutter;
    std::vector<Part> parts;                // full parts that wait for the upload
    std::optional<ByteSlices> close_tail;   // set: close follows at once (then_close)
  };
  struct Started {                          // (MultipartStarted)
    UploadId upload;
    PartCutter cutter;
    std::vector<PartReceipt> receipts;      // by number; may have gaps while parts are in flight
    std::set<int> in_flight;
  };
  struct Recovering {                       // rebuilt from a state only to be finished (Recovering)
    UploadId upload;
    PartCutter cutter;
    std::vector<PartReceipt> receipts;
  };
  struct ClosingMulti {                     // all bytes cut; ready when nothing is in flight (ClosingMulti)
    UploadId upload;
    std::vector<PartReceipt> receipts;
    std::set<int> in_flight;
    int64_t total_bytes = 0;
  };
  struct ClosingSingle { ByteSlices body; };  // (ClosingSingle)
  struct Finishing {                        // Complete or Put requested (Finishing)
    std::variant<ClosingMulti, ClosingSingle> closed;
  };
  struct Closed { int64_t total_bytes = 0; };  // committed (Closed)
  struct Aborted {};
  struct Failed { Status first_error; std::optional<UploadId> upload; };  // (Failed)
  using State = std::variant<New, Starting, Started, Recovering, ClosingMulti, ClosingSingle, Finishing, Closed, Aborted, Failed>;

  static OpenFile MakeNew(Rules rules);
  // To go on writing (Started), or only to be finished (Recovering).
  enum class Purpose { kResume, kFinish };
  static Result<OpenFile> FromProgress(Rules rules, const UploadProgress& progress, Purpose purpose);

  // The checks of Apply without the change. kInvalid with the names of state and event where it does not apply;
  // in Failed, the first error.
  Status CanApply(const Event& event) const;
  // On error the state is as before.
  Result<std::vector<Action>> Apply(Event event);

  // REQUIRES Started with nothing in flight, Recovering, else kInvalid.
  Result<UploadProgress> Progress() const;
  bool writable() const;
  // All parts stored, or a single body: CommitAsked applies.
  bool ready_to_commit() const;
  bool idle() const;                        // no request of this file is under way
  std::string_view state_name() const;
  const State& state() const { return state_; }
  int64_t total_bytes() const;              // taken so far

 private:
  OpenFile(Rules rules, State state) : rules_(rules), state_(std::move(state)) {}

  Rules rules_;
  State state_;
};

std::string_view EventName(const Event& event);

}  // namespace tailrace
